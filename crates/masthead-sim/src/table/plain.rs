//! The rows of kinds that have little to tell.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{cells, count, list, text},
};

/// Name and age.
pub(super) fn aged(object: &Value, now: Duration) -> Vec<Value> {
    cells![text(&object["metadata"]["name"]), age::of(object, now)]
}

/// What every kind without columns of its own has: name and time of creation.
pub(super) fn dated(object: &Value) -> Vec<Value> {
    let created = &object["metadata"]["creationTimestamp"];
    cells![text(&object["metadata"]["name"]), created.as_str().unwrap_or("0001-01-01T00:00:00Z")]
}

pub(super) fn config_map(object: &Value, now: Duration) -> Vec<Value> {
    let entries = count(&object["data"]) + count(&object["binaryData"]);
    cells![text(&object["metadata"]["name"]), entries, age::of(object, now)]
}

pub(super) fn secret(object: &Value, now: Duration) -> Vec<Value> {
    cells![text(&object["metadata"]["name"]), text(&object["type"]), count(&object["data"]), age::of(object, now)]
}

pub(super) fn namespace(object: &Value, now: Duration) -> Vec<Value> {
    cells![text(&object["metadata"]["name"]), text(&object["status"]["phase"]), age::of(object, now)]
}

pub(super) fn lease(object: &Value, now: Duration) -> Vec<Value> {
    cells![text(&object["metadata"]["name"]), text(&object["spec"]["holderIdentity"]), age::of(object, now)]
}

pub(super) fn runtime_class(object: &Value, now: Duration) -> Vec<Value> {
    cells![text(&object["metadata"]["name"]), text(&object["handler"]), age::of(object, now)]
}

pub(super) fn component(object: &Value, _: Duration) -> Vec<Value> {
    let healthy = list(&object["conditions"]).iter().find(|condition| condition["type"] == "Healthy");
    let part = |field: &str| healthy.map_or("", |condition| text(&condition[field]));
    let state = match part("status") {
        _ if healthy.is_none() => "Unknown",
        "True" => "Healthy",
        _ => "Unhealthy",
    };
    cells![text(&object["metadata"]["name"]), state, part("message"), part("error")]
}

pub(super) fn resource_claim(object: &Value, now: Duration) -> Vec<Value> {
    let (status, deleted) = (&object["status"], !object["metadata"]["deletionTimestamp"].is_null());
    let mut states = Vec::new();
    if deleted {
        states.push("deleted");
    }
    if !status["allocation"].is_null() {
        states.push("allocated");
        if count(&status["reservedFor"]) > 0 {
            states.push("reserved");
        }
    } else if !deleted {
        states.push("pending");
    }
    cells![text(&object["metadata"]["name"]), states.join(","), age::of(object, now)]
}

pub(super) fn resource_slice(object: &Value, now: Duration) -> Vec<Value> {
    let spec = &object["spec"];
    cells![
        text(&object["metadata"]["name"]),
        text(&spec["nodeName"]),
        text(&spec["driver"]),
        text(&spec["pool"]["name"]),
        age::of(object, now),
    ]
}
