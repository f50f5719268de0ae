//! The rows of volumes, of claims to them and of what provides them.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{NONE, UNSET, cells, count, flag, list, optional, or, quantity, text},
};

pub(super) fn volume(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, status, claim) = (&object["spec"], &object["status"], &object["spec"]["claimRef"]);
    let claim = match claim.is_null() {
        true => String::new(),
        false => format!("{}/{}", text(&claim["namespace"]), text(&claim["name"])),
    };
    cells![
        text(&object["metadata"]["name"]),
        quantity(&spec["capacity"]["storage"]),
        modes(&spec["accessModes"]),
        text(&spec["persistentVolumeReclaimPolicy"]),
        phase(object),
        claim,
        class(object),
        optional(&spec["volumeAttributesClassName"], UNSET),
        text(&status["reason"]),
        age::of(object, now),
        optional(&spec["volumeMode"], UNSET),
    ]
}

pub(super) fn claim(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let bound = text(&spec["volumeName"]);
    let (capacity, modes) = match bound {
        "" => (String::new(), String::new()),
        _ => (quantity(&status["capacity"]["storage"]), modes(&status["accessModes"])),
    };
    cells![
        text(&object["metadata"]["name"]),
        phase(object),
        bound,
        capacity,
        modes,
        class(object),
        optional(&spec["volumeAttributesClassName"], UNSET),
        age::of(object, now),
        optional(&spec["volumeMode"], UNSET),
    ]
}

fn phase(object: &Value) -> &str {
    match object["metadata"]["deletionTimestamp"].is_null() {
        true => text(&object["status"]["phase"]),
        false => "Terminating",
    }
}

fn class(object: &Value) -> &str {
    let annotation = &object["metadata"]["annotations"]["volume.beta.kubernetes.io/storage-class"];
    annotation.as_str().unwrap_or(text(&object["spec"]["storageClassName"]))
}

fn modes(modes: &Value) -> String {
    let named =
        [("ReadWriteOnce", "RWO"), ("ReadOnlyMany", "ROX"), ("ReadWriteMany", "RWX"), ("ReadWriteOncePod", "RWOP")];
    let present = named.iter().filter(|(mode, _)| list(modes).iter().any(|it| it == mode));
    present.map(|(_, short)| *short).collect::<Vec<_>>().join(",")
}

pub(super) fn storage_class(object: &Value, now: Duration) -> Vec<Value> {
    let metadata = &object["metadata"];
    let annotations =
        ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];
    let is_default = annotations.iter().any(|name| metadata["annotations"][*name] == "true");
    cells![
        format!("{}{}", text(&metadata["name"]), if is_default { " (default)" } else { "" }),
        text(&object["provisioner"]),
        optional(&object["reclaimPolicy"], "Delete"),
        optional(&object["volumeBindingMode"], "Immediate"),
        flag(&object["allowVolumeExpansion"]),
        age::of(object, now),
    ]
}

pub(super) fn attributes_class(object: &Value, now: Duration) -> Vec<Value> {
    cells![text(&object["metadata"]["name"]), text(&object["driverName"]), age::of(object, now)]
}

pub(super) fn attachment(object: &Value, now: Duration) -> Vec<Value> {
    let spec = &object["spec"];
    cells![
        text(&object["metadata"]["name"]),
        text(&spec["attacher"]),
        text(&spec["source"]["persistentVolumeName"]),
        text(&spec["nodeName"]),
        flag(&object["status"]["attached"]),
        age::of(object, now),
    ]
}

pub(super) fn csi_node(object: &Value, now: Duration) -> Vec<Value> {
    cells![text(&object["metadata"]["name"]), count(&object["spec"]["drivers"]), age::of(object, now)]
}

pub(super) fn csi_driver(object: &Value, now: Duration) -> Vec<Value> {
    let spec = &object["spec"];
    let joined = |field: &str, part: fn(&Value) -> &str| {
        let parts: Vec<&str> = list(&spec[field]).iter().map(part).collect();
        parts.join(",")
    };
    let audiences = match spec["tokenRequests"].is_array() {
        true => joined("tokenRequests", |request| text(&request["audience"])),
        false => UNSET.to_owned(),
    };
    cells![
        text(&object["metadata"]["name"]),
        spec["attachRequired"].as_bool().unwrap_or(true),
        flag(&spec["podInfoOnMount"]),
        flag(&spec["storageCapacity"]),
        audiences,
        flag(&spec["requiresRepublish"]),
        or(&joined("volumeLifecycleModes", text), NONE),
        age::of(object, now),
    ]
}
