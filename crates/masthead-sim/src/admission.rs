//! What the admission plugins of a server add to objects, and what they refuse.

mod classes;
mod limits;
mod priority;
mod protection;
mod tolerations;

use serde_json::Value;

use crate::{kind::Kind, refusal::Refusal, registry::Registry, store::Store, tree::text};

/// What a plugin may look at beside the object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cluster<'a> {
    pub(crate) kinds: &'a Registry,
    pub(crate) store: &'a Store,
}

impl Cluster<'_> {
    /// Every object of a kind in a namespace, in the order of their names.
    fn within(&self, (group, version, plural): (&str, &str, &str), namespace: &str) -> Vec<Value> {
        let all = self.kinds.find(group, version, plural).and_then(|kind| self.store.all(kind));
        let near = all.into_iter().flat_map(|all| all.values()).filter(|it| *it.key.namespace == *namespace);
        near.map(|object| object.value()).collect()
    }
}

/// Completes a new object, before it is checked.
pub(crate) fn admit(cluster: Cluster<'_>, kind: &Kind, object: &mut Value) -> Result<(), Refusal> {
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Pod") => {
            limits::complete_pod(cluster, object);
            priority::complete_pod(cluster, kind, object)?;
            tolerations::complete_pod(object);
        }
        ("", "Node") => tolerations::taint_new_node(object),
        ("", "PersistentVolumeClaim") => {
            protection::protect(object, "kubernetes.io/pvc-protection");
            classes::complete_claim(cluster, object);
        }
        ("", "PersistentVolume") => protection::protect(object, "kubernetes.io/pv-protection"),
        ("networking.k8s.io", "Ingress") => classes::complete_ingress(cluster, object),
        _ => {}
    }
    Ok(())
}

/// Keeps what was added to an object once when an update leaves it out.
pub(crate) fn admit_update(kind: &Kind, before: &Value, next: &mut Value) {
    if kind.is("", "pods") {
        priority::keep(before, next);
        tolerations::complete_pod(next);
    }
}

/// Refuses a new object that was found valid.
pub(crate) fn approve(cluster: Cluster<'_>, kind: &Kind, object: &Value) -> Result<(), Refusal> {
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Pod" | "PersistentVolumeClaim") => limits::check(cluster, kind, object),
        ("scheduling.k8s.io", "PriorityClass") => priority::check_default(cluster, kind, object),
        _ => Ok(()),
    }
}

fn name(object: &Value) -> &str {
    text(&object["metadata"], "name")
}

fn namespace(object: &Value) -> &str {
    text(&object["metadata"], "namespace")
}
