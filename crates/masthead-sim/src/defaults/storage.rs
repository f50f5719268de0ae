//! Volumes of a cluster, claims on them, and their classes.

use serde_json::{Value, json};

use super::resources;
use crate::{
    kind::Kind,
    tree::{drop_empty, fill, fill_empty, made, member},
};

/// Completes an object of the group `storage.k8s.io`.
pub(super) fn complete(kind: &Kind, object: &mut Value) {
    match kind.kind.as_str() {
        "StorageClass" => {
            fill(object, "provisioner", "");
            fill(object, "reclaimPolicy", "Delete");
            fill(object, "volumeBindingMode", "Immediate");
            drop_empty(object, &["parameters", "mountOptions", "allowedTopologies"]);
        }
        "CSIDriver" => complete_driver(object),
        "CSINode" => {
            if let Some(spec) = made(object, "spec") {
                fill(spec, "drivers", Value::Null);
            }
        }
        "VolumeAttachment" => {
            if let Some(status) = made(object, "status") {
                fill(status, "attached", false);
            }
        }
        _ => {}
    }
}

/// Completes a claim.
pub(super) fn complete_claim(object: &mut Value) {
    if let Some(spec) = made(object, "spec") {
        complete_claim_spec(spec);
    }
    if let Some(status) = made(object, "status") {
        fill_empty(status, "phase", "Pending");
        resources::complete_list(status, "capacity");
    }
}

/// Completes what a claim asks for.
pub(super) fn complete_claim_spec(spec: &mut Value) {
    fill(spec, "volumeMode", "Filesystem");
    if let Some(requirements) = made(spec, "resources") {
        resources::complete_requirements(requirements);
    }
    for (known, other) in [("dataSource", "dataSourceRef"), ("dataSourceRef", "dataSource")] {
        let source = spec[known].clone();
        if source.is_object() {
            fill(spec, other, source);
        }
    }
    drop_empty(spec, &["accessModes", "volumeName"]);
}

/// Completes a volume of the cluster.
pub(super) fn complete_volume(object: &mut Value) {
    if let Some(spec) = made(object, "spec") {
        fill_empty(spec, "persistentVolumeReclaimPolicy", "Retain");
        fill(spec, "volumeMode", "Filesystem");
        resources::complete_list(spec, "capacity");
        drop_empty(spec, &["storageClassName", "mountOptions", "accessModes"]);
        if let Some(path) = member(spec, "hostPath") {
            fill(path, "type", "");
        }
    }
    if let Some(status) = made(object, "status") {
        fill_empty(status, "phase", "Pending");
    }
}

fn complete_driver(object: &mut Value) {
    let Some(spec) = made(object, "spec") else { return };
    fill(spec, "attachRequired", true);
    fill(spec, "podInfoOnMount", false);
    fill(spec, "storageCapacity", false);
    fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    fill_empty(spec, "volumeLifecycleModes", json!(["Persistent"]));
    fill(spec, "requiresRepublish", false);
    fill(spec, "seLinuxMount", false);
}
