//! Services, but for the addresses that they are given.

use serde_json::{Value, json};

use crate::tree::{drop_empty, fill, fill_empty, is_empty, made, members, text};

/// Completes a service.
pub(super) fn complete(object: &mut Value) {
    let Some(spec) = made(object, "spec") else { return };
    fill_empty(spec, "sessionAffinity", "None");
    complete_affinity(spec);
    fill_empty(spec, "type", "ClusterIP");
    for port in members(spec, "ports") {
        fill_empty(port, "protocol", "TCP");
        let outside = port["port"].clone();
        fill_empty(port, "targetPort", outside);
        drop_empty(port, &["name", "nodePort"]);
    }
    let kind = text(spec, "type").to_owned();
    let balanced = kind == "LoadBalancer";
    let external = spec["externalIPs"].as_array().is_some_and(|addresses| !addresses.is_empty());
    if balanced || kind == "NodePort" || (kind == "ClusterIP" && external) {
        fill_empty(spec, "externalTrafficPolicy", "Cluster");
    }
    if kind != "ExternalName" {
        fill(spec, "internalTrafficPolicy", "Cluster");
    }
    if balanced {
        fill(spec, "allocateLoadBalancerNodePorts", true);
    }
    drop_empty(spec, OPTIONAL);
    if let Some(status) = made(object, "status") {
        fill(status, "loadBalancer", json!({}));
    }
}

/// Members that are left out when they say nothing.
const OPTIONAL: &[&str] = &[
    "clusterIP",
    "clusterIPs",
    "externalIPs",
    "externalName",
    "externalTrafficPolicy",
    "healthCheckNodePort",
    "loadBalancerIP",
    "loadBalancerSourceRanges",
    "ports",
    "publishNotReadyAddresses",
    "selector",
];

fn complete_affinity(spec: &mut Value) {
    match text(spec, "sessionAffinity") {
        "None" => drop(spec.as_object_mut().and_then(|fields| fields.remove("sessionAffinityConfig"))),
        "ClientIP" if is_empty(&spec["sessionAffinityConfig"]["clientIP"]["timeoutSeconds"]) => {
            spec["sessionAffinityConfig"] = json!({ "clientIP": { "timeoutSeconds": 10_800 } });
        }
        _ => {}
    }
}
