//! The kinds of the core group that have no file of their own.

use serde_json::{Value, json};

use super::{pod, resources, service, storage, workload};
use crate::{
    kind::Kind,
    tree::{drop_empty, fill, fill_empty, made, members, text},
};

/// Completes an object of the core group.
pub(super) fn complete(kind: &Kind, object: &mut Value) {
    match kind.kind.as_str() {
        "Pod" => pod::complete(object),
        "PodTemplate" => pod::complete_template(object),
        "ReplicationController" => workload::complete_controller(object),
        "Service" => service::complete(object),
        "PersistentVolumeClaim" => storage::complete_claim(object),
        "PersistentVolume" => storage::complete_volume(object),
        "Secret" => complete_secret(object),
        "ConfigMap" => drop_empty(object, &["data", "binaryData"]),
        "ServiceAccount" => drop_empty(object, &["secrets", "imagePullSecrets"]),
        "LimitRange" => complete_limits(object),
        "ResourceQuota" => complete_quota(object),
        "Endpoints" => complete_endpoints(object),
        "Node" => complete_node(object),
        "Event" => complete_event(object),
        "Namespace" => complete_namespace(object),
        _ => {}
    }
}

/// A namespace is labelled with its own name.
fn complete_namespace(object: &mut Value) {
    let name = object["metadata"]["name"].clone();
    if let Some(metadata) = made(object, "metadata").filter(|_| name.is_string())
        && let Some(labels) = made(metadata, "labels")
    {
        labels["kubernetes.io/metadata.name"] = name;
    }
}

/// What comes as text is kept as bytes.
fn complete_secret(object: &mut Value) {
    if let Some(texts) = object.as_object_mut().and_then(|fields| fields.remove("stringData")) {
        for (key, value) in texts.as_object().into_iter().flatten() {
            if let Some(contents) = made(object, "data") {
                contents[key] = base64(value.as_str().unwrap_or_default().as_bytes()).into();
            }
        }
    }
    drop_empty(object, &["data"]);
    fill_empty(object, "type", "Opaque");
}

fn complete_limits(object: &mut Value) {
    let Some(spec) = made(object, "spec") else { return };
    fill(spec, "limits", Value::Null);
    for limit in members(spec, "limits") {
        for list in ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] {
            resources::complete_list(limit, list);
        }
        if text(limit, "type") == "Container" {
            let (max, min) = (limit["max"].clone(), limit["min"].clone());
            resources::fill_list(limit, "default", &max);
            let limits = limit["default"].clone();
            resources::fill_list(limit, "defaultRequest", &limits);
            resources::fill_list(limit, "defaultRequest", &min);
        }
    }
}

fn complete_quota(object: &mut Value) {
    if let Some(spec) = made(object, "spec") {
        resources::complete_list(spec, "hard");
    }
    if let Some(status) = made(object, "status") {
        resources::complete_list(status, "hard");
        resources::complete_list(status, "used");
    }
}

fn complete_endpoints(object: &mut Value) {
    for subset in members(object, "subsets") {
        for port in members(subset, "ports") {
            fill_empty(port, "protocol", "TCP");
            drop_empty(port, &["name"]);
        }
    }
    drop_empty(object, &["subsets"]);
}

fn complete_node(object: &mut Value) {
    fill(object, "spec", json!({}));
    let Some(status) = made(object, "status") else { return };
    resources::complete_list(status, "capacity");
    resources::complete_list(status, "allocatable");
    let capacity = status["capacity"].clone();
    if capacity.is_object() {
        fill(status, "allocatable", capacity);
    }
    if let Some(endpoints) = made(status, "daemonEndpoints")
        && let Some(kubelet) = made(endpoints, "kubeletEndpoint")
    {
        fill(kubelet, "Port", 0);
    }
    if let Some(system) = made(status, "nodeInfo") {
        for fact in [
            "machineID",
            "systemUUID",
            "bootID",
            "kernelVersion",
            "osImage",
            "containerRuntimeVersion",
            "kubeletVersion",
            "kubeProxyVersion",
            "operatingSystem",
            "architecture",
        ] {
            fill(system, fact, "");
        }
    }
}

/// What an event leaves out is written as nothing.
fn complete_event(object: &mut Value) {
    fill(object, "involvedObject", json!({}));
    fill(object, "source", json!({}));
    for time in ["firstTimestamp", "lastTimestamp", "eventTime"] {
        fill(object, time, Value::Null);
    }
    fill(object, "reportingComponent", "");
    fill(object, "reportingInstance", "");
    drop_empty(object, &["message", "reason", "type", "count", "action"]);
}

/// Bytes as JSON carries them.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}
