//! The replica set of a deployment and its pods, as the controllers would make them.

use std::hash::{DefaultHasher, Hash, Hasher};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::deployment::{Behaviour, Deployment};
use super::pod::Pod;

const HASH_LABEL: &str = "pod-template-hash";

/// The replica set of a deployment that exists. The deployment's controller recognises it by its template and
/// makes no other.
#[derive(Debug)]
pub(crate) struct ReplicaSet<'a> {
    deployment: &'a Deployment,
    name: String,
    /// The deployment's template with the hash among its labels.
    template: Value,
    object: Value,
}

impl<'a> ReplicaSet<'a> {
    /// The set that belongs to `created`, which is `deployment` as the server answered it.
    pub(crate) fn of(deployment: &'a Deployment, created: &Value) -> Result<Self> {
        let hash = letters(&deployment.name, 10);
        let name = format!("{}-{hash}", deployment.name);
        let mut template = deployment.template();
        template["metadata"]["labels"][HASH_LABEL] = json!(hash);
        let mut selector = deployment.selector();
        selector[HASH_LABEL] = json!(hash);
        let surge = deployment.replicas.div_ceil(4);
        let object = json!({
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {
                "name": name,
                "labels": template["metadata"]["labels"],
                "annotations": {
                    "deployment.kubernetes.io/desired-replicas": deployment.replicas.to_string(),
                    "deployment.kubernetes.io/max-replicas": (deployment.replicas + surge).to_string(),
                    "deployment.kubernetes.io/revision": "1",
                },
                "ownerReferences": [owner("Deployment", &deployment.name, created)?],
            },
            "spec": { "replicas": deployment.replicas, "selector": { "matchLabels": selector }, "template": template },
        });
        Ok(Self { deployment, name, template, object })
    }

    pub(crate) fn collection(&self) -> String {
        format!("/apis/apps/v1/namespaces/{}/replicasets", self.deployment.namespace)
    }

    pub(crate) fn object(&self) -> &Value {
        &self.object
    }

    /// The pods of this set, once it is `created`; those that can run are placed on `nodes`, starting with the
    /// `first` and going round.
    pub(crate) fn pods(self, created: &Value, nodes: &[String], first: usize) -> Result<impl Iterator<Item = Pod>> {
        let collection = format!("/api/v1/namespaces/{}/pods", self.deployment.namespace);
        let began = created["metadata"]["creationTimestamp"].clone();
        let mut template = self.template;
        template["metadata"]["generateName"] = json!(format!("{}-", self.name));
        template["metadata"]["ownerReferences"] = json!([owner("ReplicaSet", &self.name, created)?]);
        let placed = self.deployment.behaviour != Behaviour::Unschedulable;
        Ok((0..self.deployment.replicas).map(move |index| {
            let name = format!("{}-{}", self.name, letters(&(&self.name, index), 5));
            let mut object = template.clone();
            object["metadata"]["name"] = json!(name);
            if placed {
                object["spec"]["nodeName"] = json!(nodes[(first + index) % nodes.len()]);
            }
            Pod { collection: collection.clone(), name, began: began.clone(), object }
        }))
    }
}

fn owner(kind: &str, name: &str, created: &Value) -> Result<Value> {
    let uid = created["metadata"]["uid"].as_str().with_context(|| format!("the server gave {name} no uid"))?;
    Ok(json!({
        "apiVersion": "apps/v1",
        "kind": kind,
        "name": name,
        "uid": uid,
        "controller": true,
        "blockOwnerDeletion": true,
    }))
}

/// Letters that follow from `seed`, of the alphabet that Kubernetes uses for such names: no vowels, so no words.
fn letters(seed: &impl Hash, count: usize) -> String {
    const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    let mut hasher = DefaultHasher::new();
    seed.hash(&mut hasher);
    let mut rest = hasher.finish();
    let mut text = String::new();
    for _ in 0..count {
        let letter = usize::try_from(rest % 27).expect("a remainder of 27 is small");
        text.push(char::from(ALPHABET[letter]));
        rest /= 27;
    }
    text
}
