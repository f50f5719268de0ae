//! Ingresses, policies of networks, and slices of endpoints.

use serde_json::{Value, json};

use crate::{
    kind::Kind,
    tree::{drop_empty, fill, fill_empty, made, member, members},
};

/// Completes an object of the group `networking.k8s.io`.
pub(super) fn complete(kind: &Kind, object: &mut Value) {
    match kind.kind.as_str() {
        "NetworkPolicy" => complete_policy(object),
        "Ingress" => {
            if let Some(spec) = made(object, "spec") {
                drop_empty(spec, &["rules", "tls"]);
            }
            if let Some(status) = made(object, "status") {
                fill(status, "loadBalancer", json!({}));
            }
        }
        "IngressClass" => {
            if let Some(parameters) = made(object, "spec").and_then(|spec| member(spec, "parameters")) {
                fill(parameters, "scope", "Cluster");
            }
        }
        _ => {}
    }
}

/// Completes a slice of endpoints.
pub(super) fn complete_slice(object: &mut Value) {
    fill(object, "endpoints", Value::Null);
    fill(object, "ports", Value::Null);
    for endpoint in members(object, "endpoints") {
        fill(endpoint, "conditions", json!({}));
    }
    for port in members(object, "ports") {
        fill(port, "name", "");
        fill(port, "protocol", "TCP");
    }
}

fn complete_policy(object: &mut Value) {
    let Some(spec) = made(object, "spec") else { return };
    // A pointer once, now always written.
    fill(spec, "podSelector", json!({}));
    let outgoing = spec["egress"].as_array().is_some_and(|rules| !rules.is_empty());
    fill_empty(spec, "policyTypes", if outgoing { json!(["Ingress", "Egress"]) } else { json!(["Ingress"]) });
    for direction in ["ingress", "egress"] {
        for rule in members(spec, direction) {
            for port in members(rule, "ports") {
                fill(port, "protocol", "TCP");
            }
            drop_empty(rule, &["ports", "from", "to"]);
        }
    }
    drop_empty(spec, &["ingress", "egress"]);
}
