//! Pods and their templates.

use serde_json::{Value, json};

use super::{container, resources, volume};
use crate::{
    quantity::Quantity,
    tree::{drop_empty, entries, fill, fill_empty, is_empty, items, made, member, members, text},
};

const CONTAINERS: [&str; 3] = ["containers", "initContainers", "ephemeralContainers"];

/// Completes a pod.
pub(super) fn complete(object: &mut Value) {
    let Some(spec) = made(object, "spec") else { return };
    complete_spec(spec);
    let on_host = spec["hostNetwork"] == true;
    for kind in ["containers", "initContainers"] {
        for container in members(spec, kind) {
            request_limits(container);
            for port in members(container, "ports").filter(|_| on_host) {
                let inside = port["containerPort"].clone();
                fill_empty(port, "hostPort", inside);
            }
        }
    }
    fill(spec, "enableServiceLinks", true);
    if let Some(status) = made(object, "status") {
        fill_empty(status, "phase", "Pending");
    }
}

/// Completes the template of pods that a parent holds.
pub(super) fn complete_template(parent: &mut Value) {
    let Some(template) = made(parent, "template") else { return };
    if let Some(metadata) = made(template, "metadata") {
        drop_empty(metadata, &["creationTimestamp", "labels", "annotations"]);
    }
    if let Some(spec) = made(template, "spec") {
        complete_spec(spec);
    }
}

fn complete_spec(spec: &mut Value) {
    fill_empty(spec, "dnsPolicy", "ClusterFirst");
    fill_empty(spec, "restartPolicy", "Always");
    fill(spec, "securityContext", json!({}));
    fill(spec, "terminationGracePeriodSeconds", 30);
    fill_empty(spec, "schedulerName", "default-scheduler");
    same_account(spec);
    fill(spec, "containers", Value::Null);
    for kind in CONTAINERS {
        for container in members(spec, kind) {
            container::complete(container);
        }
    }
    for volume in members(spec, "volumes") {
        volume::complete(volume);
    }
    resources::complete_list(spec, "overhead");
    if let Some(requirements) = member(spec, "resources") {
        resources::complete_requirements(requirements);
    }
    drop_empty(spec, OPTIONAL);
}

/// The account has two names, an old one and a new one; the new one leads.
fn same_account(spec: &mut Value) {
    let name = match (text(spec, "serviceAccountName"), text(spec, "serviceAccount")) {
        ("", old) => old.to_owned(),
        (new, _) => new.to_owned(),
    };
    if !name.is_empty() {
        spec["serviceAccountName"] = name.as_str().into();
        spec["serviceAccount"] = name.into();
    }
}

/// Members that are left out when they say nothing.
const OPTIONAL: &[&str] = &[
    "ephemeralContainers",
    "hostAliases",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "hostname",
    "imagePullSecrets",
    "initContainers",
    "nodeName",
    "nodeSelector",
    "overhead",
    "priorityClassName",
    "readinessGates",
    "resourceClaims",
    "schedulingGates",
    "serviceAccount",
    "serviceAccountName",
    "subdomain",
    "tolerations",
    "topologySpreadConstraints",
    "volumes",
];

/// What is limited is requested, unless the container says otherwise.
fn request_limits(container: &mut Value) {
    if let Some(requirements) = member(container, "resources") {
        let limits = requirements["limits"].clone();
        resources::fill_list(requirements, "requests", &limits);
    }
}

/// The quality of service that a pod's requests and limits make: which pods go first when a node is short.
pub(crate) fn quality(spec: &Value) -> &'static str {
    let containers = items(spec, "containers").iter().chain(items(spec, "initContainers"));
    let (mut any, mut guaranteed) = (false, true);
    for container in containers {
        let (requests, limits) = (amounts(container, "requests"), amounts(container, "limits"));
        any |= !requests.is_empty() || !limits.is_empty();
        let covered = ["cpu", "memory"].iter().all(|name| limits.iter().any(|(known, _)| known == name));
        guaranteed &= covered && requests.iter().all(|request| limits.contains(request));
    }
    match (any, guaranteed) {
        (false, _) => "BestEffort",
        (true, true) => "Guaranteed",
        (true, false) => "Burstable",
    }
}

/// What a container asks of CPU and memory; nothing is not asking.
fn amounts<'a>(container: &'a Value, name: &str) -> Vec<(&'a str, String)> {
    let all = entries(&container["resources"], name).filter(|(key, value)| {
        matches!(key.as_str(), "cpu" | "memory")
            && !is_empty(value)
            && value.as_str().and_then(Quantity::parse).is_some_and(|amount| !amount.is_zero())
    });
    all.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default().to_owned())).collect()
}
