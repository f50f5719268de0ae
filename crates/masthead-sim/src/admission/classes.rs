//! The classes of claims and ingresses that name none.

use serde_json::Value;

use super::Cluster;
use crate::tree::{fill, made, text};

/// Gives a claim the default class.
pub(super) fn complete_claim(cluster: Cluster<'_>, claim: &mut Value) {
    let classes = cluster.within(("storage.k8s.io", "v1", "storageclasses"), "");
    let default = newest(&classes, "storageclass.kubernetes.io/is-default-class");
    if let (Some(class), Some(spec)) = (default, made(claim, "spec")) {
        fill(spec, "storageClassName", super::name(class));
    }
}

/// Gives an ingress the default class.
pub(super) fn complete_ingress(cluster: Cluster<'_>, ingress: &mut Value) {
    if ingress["metadata"]["annotations"].get("kubernetes.io/ingress.class").is_some() {
        return;
    }
    let classes = cluster.within(("networking.k8s.io", "v1", "ingressclasses"), "");
    let default = newest(&classes, "ingressclass.kubernetes.io/is-default-class");
    if let (Some(class), Some(spec)) = (default, made(ingress, "spec")) {
        fill(spec, "ingressClassName", super::name(class));
    }
}

/// Of several default classes the newest counts, and the first by name where they are of one age.
fn newest<'a>(classes: &'a [Value], annotation: &str) -> Option<&'a Value> {
    let defaults = classes.iter().filter(|class| class["metadata"]["annotations"][annotation] == "true");
    defaults.rev().max_by_key(|class| text(&class["metadata"], "creationTimestamp"))
}
