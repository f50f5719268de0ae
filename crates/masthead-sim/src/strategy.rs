//! What a kind drops and keeps of what is sent, on the way in.

mod address;

use serde_json::{Value, json};

use crate::{
    custom, defaults,
    kind::{Kind, Subresource},
    refusal::Refusal,
    tree::{drop_empty, fill, fill_empty, made, members, text},
};

pub(crate) use address::Addresses;

/// Makes a new object what its kind begins as. It has its uid already.
pub(crate) fn prepare(kind: &Kind, object: &mut Value, now: &Value) {
    // A node tells of itself from the start, and a namespace has its phase already.
    if kind.has(Subresource::Status) && !matches!(kind.kind.as_str(), "Node" | "Namespace") {
        object.as_object_mut().and_then(|fields| fields.remove("status"));
    }
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Pod") => prepare_pod(object, now),
        ("", "PersistentVolume") => {
            object["status"] = json!({ "phase": "Pending", "lastPhaseTransitionTime": now });
        }
        ("", "ServiceAccount") => name_secrets(object),
        ("batch", "Job") => select_own_pods(object),
        ("", "Service") => name_first_address(object),
        ("apps", "DaemonSet") => count_templates(object, 1),
        _ => {}
    }
    // What a status always says, it says from the start.
    defaults::complete(kind, object);
    write_no_rules(kind, object);
}

/// Keeps what an update does not touch.
pub(crate) fn prepare_update(kind: &Kind, before: &Value, next: &mut Value) {
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "ServiceAccount") => name_secrets(next),
        ("", "Secret") if text(next, "type").is_empty() => next["type"] = before["type"].clone(),
        ("", "Service") => {
            address::keep(before, next);
            name_first_address(next);
        }
        ("rbac.authorization.k8s.io", _) => write_no_rules(kind, next),
        ("apiextensions.k8s.io", _) => custom::keep_stored_versions(next),
        ("apps", "DaemonSet") => {
            let known = before["metadata"]["annotations"][TEMPLATES].as_str().and_then(|count| count.parse().ok());
            let changed = before["spec"]["template"] != next["spec"]["template"];
            count_templates(next, known.unwrap_or(1) + u64::from(changed));
        }
        _ => {}
    }
}

/// Keeps what a write to the status does not touch.
pub(crate) fn prepare_status(kind: &Kind, before: &Value, next: &mut Value, now: &Value) {
    let Some(status) = made(next, "status") else { return };
    let before = &before["status"];
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Pod") => fill_empty(status, "qosClass", before["qosClass"].clone()),
        ("", "PersistentVolume") => {
            const SINCE: &str = "lastPhaseTransitionTime";
            if before["phase"] == status["phase"] {
                fill(status, SINCE, before[SINCE].clone());
            } else if status[SINCE].is_null() || status[SINCE] == before[SINCE] {
                status[SINCE] = now.clone();
            }
        }
        _ => {}
    }
}

/// Whether an update may create an object of a kind.
pub(crate) fn creates_on_update(kind: &Kind) -> bool {
    const CREATED: [&str; 10] = [
        "Service",
        "Endpoints",
        "Event",
        "LimitRange",
        "Lease",
        "Role",
        "ClusterRole",
        "RoleBinding",
        "ClusterRoleBinding",
        "RuntimeClass",
    ];
    let native = !kind.group.contains('.') || kind.group.ends_with(".k8s.io");
    native && CREATED.contains(&kind.kind.as_str())
}

/// Gives a service its addresses and ports.
pub(crate) fn allocate(kind: &Kind, taken: Addresses, object: &mut Value) -> Result<(), Refusal> {
    if kind.is("", "services") { taken.allocate(kind, object) } else { Ok(()) }
}

const TEMPLATES: &str = "deprecated.daemonset.template.generation";

fn prepare_pod(pod: &mut Value, now: &Value) {
    pod["status"] = json!({ "phase": "Pending", "qosClass": defaults::quality(&pod["spec"]) });
    let gated = pod["spec"]["schedulingGates"].as_array().is_some_and(|gates| !gates.is_empty());
    if gated {
        pod["status"]["conditions"] = json!([{
            "type": "PodScheduled", "status": "False", "lastProbeTime": null, "lastTransitionTime": now,
            "reason": "SchedulingGated", "message": "Scheduling is blocked due to non-empty scheduling gates",
        }]);
    }
}

/// Of the references of an account only the names are kept.
fn name_secrets(account: &mut Value) {
    for secret in members(account, "secrets") {
        *secret = json!({ "name": text(secret, "name") });
    }
}

/// A job selects the pods that carry its uid, unless it is told to select others.
fn select_own_pods(job: &mut Value) {
    if job["spec"]["manualSelector"] == true {
        return;
    }
    let (name, uid) = (job["metadata"]["name"].clone(), job["metadata"]["uid"].clone());
    // A job without labels took over those of its template, and goes on to do so.
    let shared = job["metadata"]["labels"] == job["spec"]["template"]["metadata"]["labels"];
    let Some(spec) = made(job, "spec") else { return };
    let template = made(spec, "template").and_then(|template| made(template, "metadata"));
    if let Some(labels) = template.and_then(|metadata| made(metadata, "labels")) {
        fill(labels, "controller-uid", uid.clone());
        fill(labels, "batch.kubernetes.io/controller-uid", uid.clone());
        fill(labels, "job-name", name.clone());
        fill(labels, "batch.kubernetes.io/job-name", name);
        let all = labels.clone();
        if shared && !job["metadata"]["labels"].is_null() {
            job["metadata"]["labels"] = all;
        }
    }
    let Some(spec) = made(job, "spec") else { return };
    if let Some(selector) = made(spec, "selector")
        && let Some(labels) = made(selector, "matchLabels")
    {
        fill(labels, "batch.kubernetes.io/controller-uid", uid);
    }
}

/// A role without rules says so.
fn write_no_rules(kind: &Kind, role: &mut Value) {
    let ruled = kind.is("rbac.authorization.k8s.io", "roles") || kind.is("rbac.authorization.k8s.io", "clusterroles");
    if ruled && role["rules"].as_array().is_none_or(Vec::is_empty) {
        role["rules"] = Value::Null;
    }
}

/// A service that asks for one address asks for it in both ways.
fn name_first_address(service: &mut Value) {
    let first = service["spec"]["clusterIP"].clone();
    if let Some(spec) = made(service, "spec").filter(|_| first.as_str().is_some_and(|first| !first.is_empty())) {
        fill(spec, "clusterIPs", json!([first]));
    }
}

fn count_templates(set: &mut Value, count: u64) {
    if let Some(metadata) = made(set, "metadata")
        && let Some(annotations) = made(metadata, "annotations")
    {
        annotations[TEMPLATES] = count.to_string().into();
        drop_empty(metadata, &["annotations"]);
    }
}
