//! The row of a node.

use std::{collections::BTreeSet, time::Duration};

use serde_json::Value;

use super::{
    age,
    cell::{NONE, UNKNOWN, cells, flag, list, or, text, text_or},
};

pub(super) fn cells(node: &Value, now: Duration) -> Vec<Value> {
    let system = &node["status"]["nodeInfo"];
    let kernel = text_or(&system["kernelVersion"], UNKNOWN);
    let kernel = match text(&system["architecture"]) {
        "" => kernel.to_owned(),
        architecture => format!("{kernel} ({architecture})"),
    };
    cells![
        text(&node["metadata"]["name"]),
        state(node),
        roles(node),
        age::of(node, now),
        text(&system["kubeletVersion"]),
        address(node, "InternalIP"),
        address(node, "ExternalIP"),
        text_or(&system["osImage"], UNKNOWN),
        kernel,
        text_or(&system["containerRuntimeVersion"], UNKNOWN),
    ]
}

fn state(node: &Value) -> String {
    let conditions = list(&node["status"]["conditions"]);
    let ready = match conditions.iter().rfind(|condition| condition["type"] == "Ready") {
        Some(condition) if condition["status"] == "True" => "Ready",
        Some(_) => "NotReady",
        None => "Unknown",
    };
    let cordoned = if flag(&node["spec"]["unschedulable"]) { ",SchedulingDisabled" } else { "" };
    format!("{ready}{cordoned}")
}

fn roles(node: &Value) -> String {
    let labels = node["metadata"]["labels"].as_object().into_iter().flatten();
    let roles = labels.filter_map(|(key, value)| match key.strip_prefix("node-role.kubernetes.io/") {
        Some(role) => Some(role),
        None => (key == "kubernetes.io/role").then(|| text(value)),
    });
    let roles: BTreeSet<&str> = roles.filter(|role| !role.is_empty()).collect();
    or(&roles.into_iter().collect::<Vec<_>>().join(","), NONE).to_owned()
}

fn address<'a>(node: &'a Value, name: &str) -> &'a str {
    let addresses = list(&node["status"]["addresses"]);
    addresses.iter().find(|address| address["type"] == name).map_or(NONE, |address| text(&address["address"]))
}
