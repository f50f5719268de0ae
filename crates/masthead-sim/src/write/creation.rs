//! POST: a new object, with what the server adds to it.

use std::{collections::BTreeSet, rc::Rc, time::Duration};

use serde_json::{Value, json};

use super::{Write, check_shape, is_ending, prune, take};
use crate::{
    admission,
    conversion::convert,
    custom::{self, Phase},
    defaults,
    kind::Kind,
    object::{Key, Object},
    refusal::Refusal,
    strategy::{self, Addresses},
    tree::items,
    validation,
};

impl Write<'_> {
    /// Creates an object in a namespace, or in none.
    pub(crate) fn create(
        &mut self,
        kind: &Rc<Kind>,
        namespace: &str,
        mut object: Value,
    ) -> Result<Rc<Object>, Refusal> {
        kind.schema.write(&mut object);
        defaults::complete(kind, &mut object);
        self.own(kind, None, &json!({}), &mut object);
        self.create_owned(kind, namespace, object)
    }

    /// Creates an object whose owners are known.
    pub(super) fn create_owned(
        &mut self,
        kind: &Rc<Kind>,
        namespace: &str,
        mut object: Value,
    ) -> Result<Rc<Object>, Refusal> {
        let metadata = &mut object["metadata"];
        let text = |field: &str| metadata[field].as_str().unwrap_or_default().to_owned();
        if !matches!(text("namespace").as_str(), "") && text("namespace") != namespace {
            let why = "the namespace of the provided object does not match the namespace sent on the request";
            return Err(Refusal::bad_request(why));
        }
        let versioned = !matches!(text("resourceVersion").as_str(), "" | "0");
        let mut name = text("name");
        if name.is_empty() && !text("generateName").is_empty() {
            name = self.generated(&text("generateName"));
            metadata["name"] = name.as_str().into();
        }
        if kind.custom.as_ref().is_some_and(|custom| custom.phase == Phase::Terminating) {
            let why = "create not allowed while custom resource definition is terminating";
            return Err(Refusal::forbidden(kind, &name, why));
        }
        self.check_namespace(kind, namespace, &name)?;
        self.identify(kind, namespace, &mut object);
        admission::admit(self.cluster(), kind, &mut object)?;
        strategy::prepare(kind, &mut object, &self.time(Duration::ZERO));
        validation::check(kind, &object, None)?;
        admission::approve(self.cluster(), kind, &object)?;
        self.allocate(kind, &mut object)?;
        let causes = custom::check(kind, &object, None);
        if !causes.is_empty() {
            return Err(Refusal::invalid(kind, &name, &causes));
        }
        if versioned {
            return Err(Refusal::internal("resourceVersion should not be set on objects to be created"));
        }
        if let Some(existing) = self.store.get(kind, &Key::new(namespace, &name)) {
            let ending = is_ending(&existing.value());
            return Err(if ending {
                Refusal::being_deleted(kind, &name)
            } else {
                Refusal::already_exists(kind, &name)
            });
        }
        self.write_out(kind, &mut object);
        let stored = self.stored(kind, object);
        if kind.is("", "namespaces") && !self.dry_run {
            self.furnish(&name);
        }
        Ok(stored)
    }

    /// Stores an object as it is given, its status, uid and age too, over whatever has its name.
    pub(crate) fn seed(&mut self, kind: &Rc<Kind>, mut object: Value) -> Result<Rc<Object>, Refusal> {
        check_shape(kind, &object)?;
        let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
        let (namespace, key) = (text("namespace"), Key::new(&text("namespace"), &text("name")));
        let before = self.store.get(kind, &key).map(|existing| existing.value());
        let halves = ["spec", "status"].map(|half| (half, object.get(half).cloned()));
        let owned = ["uid", "creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds"];
        let known = owned.map(|field| {
            let given = object["metadata"].get(field).filter(|given| !given.is_null());
            (field, given.or_else(|| before.as_ref()?["metadata"].get(field)).cloned())
        });
        self.identify(kind, &namespace, &mut object);
        for (half, given) in halves {
            if let Some(given) = given {
                object[half] = given;
            }
        }
        defaults::complete(kind, &mut object);
        for (field, value) in known {
            if let Some(value) = value {
                object["metadata"][field] = value;
            }
        }
        let stored = self.stored(kind, object);
        if kind.is("", "namespaces") && before.is_none() {
            self.furnish(&stored.key.name);
        }
        Ok(stored)
    }

    fn stored(&mut self, kind: &Rc<Kind>, object: Value) -> Rc<Object> {
        if !self.dry_run {
            return self.store.put(kind, object);
        }
        // What is shown has been through the version it would be stored as.
        match &kind.hub {
            Some(stored) => Rc::new(Object::new(stored, convert(object, kind, stored), 0)).served_as(kind),
            None => Rc::new(Object::new(kind, object, 0)),
        }
    }

    /// Adds what the server owns: identity, times, and all that there is to a namespace.
    fn identify(&self, kind: &Kind, namespace: &str, object: &mut Value) {
        let metadata = &mut object["metadata"];
        prune(metadata);
        if kind.is_namespaced() {
            metadata["namespace"] = namespace.into();
        }
        for field in ["resourceVersion", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"] {
            take(metadata, field);
        }
        metadata["uid"] = self.uid().into();
        metadata["creationTimestamp"] = self.time(Duration::ZERO);
        if kind.counts_generations {
            metadata["generation"] = 1.into();
        }
        if kind.is("", "namespaces") {
            let name = metadata["name"].clone();
            metadata["labels"]["kubernetes.io/metadata.name"] = name;
            object["spec"] = json!({ "finalizers": ["kubernetes"] });
            object["status"] = json!({ "phase": "Active" });
        }
    }

    /// Puts into a new namespace what a cluster's controllers put there.
    fn furnish(&mut self, namespace: &str) {
        let metadata = |name: &str| json!({ "name": name, "namespace": namespace });
        let account = json!({ "metadata": metadata("default") });
        let mut bundle = json!({ "metadata": metadata("kube-root-ca.crt"), "data": { "ca.crt": "" } });
        bundle["metadata"]["annotations"] = json!({ "kubernetes.io/description": BUNDLE });
        for (plural, mut object) in [("serviceaccounts", account), ("configmaps", bundle)] {
            if let Some(kind) = self.kinds.find("", "v1", plural).cloned() {
                self.identify(&kind, namespace, &mut object);
                self.store.put(&kind, object);
            }
        }
    }

    /// Gives a service its addresses.
    pub(super) fn allocate(&self, kind: &Kind, object: &mut Value) -> Result<(), Refusal> {
        let random = || self.runtime.random();
        let mut taken =
            Addresses { ips: BTreeSet::new(), ports: BTreeSet::new(), random: &random, dry_run: self.dry_run };
        if !kind.is("", "services") {
            return Ok(());
        }
        let own = (&object["metadata"]["namespace"], &object["metadata"]["name"]);
        let others = self.store.all(kind).into_iter().flat_map(|all| all.values());
        for other in others.filter(|other| (&*other.key.namespace, &*other.key.name) != own_key(own)) {
            taken.ips.extend(other.field("spec.clusterIP").filter(|ip| *ip != "None").map(str::to_owned));
            if matches!(other.field("spec.type"), Some("NodePort" | "LoadBalancer")) {
                let other = other.value();
                taken.ports.extend(items(&other["spec"], "ports").iter().filter_map(|port| port["nodePort"].as_u64()));
                taken.ports.extend(other["spec"]["healthCheckNodePort"].as_u64());
            }
        }
        strategy::allocate(kind, taken, object)
    }

    fn check_namespace(&self, kind: &Kind, namespace: &str, name: &str) -> Result<(), Refusal> {
        if !kind.is_namespaced() {
            return Ok(());
        }
        let namespaces = self.kinds.namespaces();
        match self.store.get(namespaces, &Key::new("", namespace)) {
            None => Err(Refusal::not_found(namespaces, namespace)),
            Some(found) if found.field("status.phase") == Some("Terminating") => {
                Err(Refusal::terminating(kind, name, namespace))
            }
            Some(_) => Ok(()),
        }
    }

    /// A name that begins with `prefix`, in the letters that the real server uses.
    fn generated(&self, prefix: &str) -> String {
        const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
        let longest = 63 - 5;
        let prefix = prefix.char_indices().nth(longest).map_or(prefix, |(at, _)| &prefix[..at]);
        let letter = |_| char::from(LETTERS[(self.runtime.random() * LETTERS.len() as f64) as usize % LETTERS.len()]);
        prefix.chars().chain((0..5).map(letter)).collect()
    }
}

fn own_key<'a>((namespace, name): (&'a Value, &'a Value)) -> (&'a str, &'a str) {
    (namespace.as_str().unwrap_or_default(), name.as_str().unwrap_or_default())
}

const BUNDLE: &str = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints \
                      such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across \
                      distributions of Kubernetes clusters.";
