//! The binding of a pod: the node it is to run on.

use std::{rc::Rc, time::Duration};

use serde_json::{Value, json};

use super::{Write, done, is_ending};
use crate::{
    kind::Kind,
    object::{Key, Object},
    refusal::{Refusal, details},
};

impl Write<'_> {
    /// Assigns a pod to a node, with the labels and annotations of the binding.
    pub(crate) fn bind(&mut self, kind: &Rc<Kind>, key: &Key, binding: &Value) -> Result<Value, Refusal> {
        if binding["metadata"]["name"].as_str() != Some(&key.name) {
            return Err(Refusal::bad_request("name in URL does not match name in Binding object"));
        }
        let node = check_target(&binding["target"])?;
        let existing = self.existing(kind, key)?;
        check_preconditions(&existing, &binding["metadata"])?;
        let mut pod = existing.value();
        check_pod(key, &pod)?;
        pod["spec"]["nodeName"] = node.into();
        for field in ["annotations", "labels"] {
            for (name, value) in binding["metadata"][field].as_object().into_iter().flatten() {
                pod["metadata"][field][name] = value.clone();
            }
        }
        for (name, value) in self.topology(node) {
            pod["metadata"]["labels"][name] = value;
        }
        let condition = json!({ "type": "PodScheduled", "status": "True", "lastProbeTime": null });
        self.set_condition(&mut pod, condition);
        if !self.dry_run {
            self.store.put(kind, pod);
        }
        Ok(done())
    }

    /// The labels that a pod gets from its node, so that its containers can be told where they run.
    fn topology(&self, node: &str) -> Vec<(&'static str, Value)> {
        let node = self.kinds.find("", "v1", "nodes").and_then(|kind| self.store.get(kind, &Key::new("", node)));
        let label = |name| Some((name, node?.labels.get(name)?.as_str().into()));
        ["topology.kubernetes.io/region", "topology.kubernetes.io/zone"].into_iter().filter_map(label).collect()
    }

    /// Puts a condition into the status of a pod; its time stays while it says the same.
    pub(super) fn set_condition(&self, pod: &mut Value, mut condition: Value) {
        let conditions = &mut pod["status"]["conditions"];
        if !conditions.is_array() {
            *conditions = json!([]);
        }
        let Some(conditions) = conditions.as_array_mut() else { return };
        let known = conditions.iter_mut().find(|known| known["type"] == condition["type"]);
        let since = known.as_ref().filter(|known| known["status"] == condition["status"]);
        let since = since.map(|known| known["lastTransitionTime"].clone());
        condition["lastTransitionTime"] = since.unwrap_or_else(|| self.time(Duration::ZERO));
        match known {
            Some(known) => *known = condition,
            None => conditions.push(condition),
        }
    }
}

/// The node that a binding names. What is wrong with it is no status of its own on the real server.
fn check_target(target: &Value) -> Result<&str, Refusal> {
    let text = |field: &str| target[field].as_str().unwrap_or_default();
    let mut wrong = Vec::new();
    if !matches!(text("kind"), "" | "Node") {
        let kind = text("kind");
        wrong.push(format!("target.kind: Unsupported value: {kind:?}: supported values: \"Node\", \"<empty>\""));
    }
    if text("name").is_empty() {
        wrong.push("target.name: Required value".to_owned());
    }
    match wrong.as_slice() {
        [] => Ok(target["name"].as_str().unwrap_or_default()),
        [one] => Err(Refusal::internal(one.as_str())),
        all => Err(Refusal::internal(format!("[{}]", all.join(", ")))),
    }
}

fn check_preconditions(pod: &Object, asked: &Value) -> Result<(), Refusal> {
    let version = pod.version.to_string();
    for (field, name, known) in [("uid", "UID", &pod.uid), ("resourceVersion", "ResourceVersion", &version)] {
        let Some(asked) = asked[field].as_str().filter(|asked| !asked.is_empty() && asked != known) else { continue };
        let Key { namespace, name: pod_name } = &pod.key;
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: /registry/pods/{namespace}/{pod_name}, ResourceVersion: 0, \
             AdditionalErrorMsg: Precondition failed: {name} in precondition: {asked}, {name} in object meta: {known}"
        );
        return Err(Refusal::conflict("pods", details(pod_name, "", "pods"), &why));
    }
    Ok(())
}

fn check_pod(key: &Key, pod: &Value) -> Result<(), Refusal> {
    let name = &key.name;
    let node = pod["spec"]["nodeName"].as_str().unwrap_or_default();
    let gated = pod["spec"]["schedulingGates"].as_array().is_some_and(|gates| !gates.is_empty());
    let why = if is_ending(pod) {
        format!("pod {name} is being deleted, cannot be assigned to a host")
    } else if !node.is_empty() {
        format!("pod {name} is already assigned to node {node:?}")
    } else if gated {
        format!("pod {name} has non-empty .spec.schedulingGates")
    } else {
        return Ok(());
    };
    Err(Refusal::conflict("pods/binding", details(name, "", "pods/binding"), &why))
}
