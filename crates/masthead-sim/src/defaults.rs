//! What the server fills in where an object says nothing, kind by kind.
//!
//! Objects are completed when they come in, whether they are new or not, before anything else is asked of them.

mod admission;
mod autoscaling;
mod batch;
mod container;
mod core;
mod network;
mod pod;
mod resources;
mod service;
mod storage;
mod volume;
mod workload;

use serde_json::{Value, json};

use crate::{
    custom,
    kind::Kind,
    tree::{fill, fill_empty, member, members, text},
};

pub(crate) use pod::quality;

/// Fills in what an object leaves out.
pub(crate) fn complete(kind: &Kind, object: &mut Value) {
    if kind.is_custom() {
        return custom::complete_object(kind, object);
    }
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", _) => core::complete(kind, object),
        ("apps", _) => workload::complete(kind, object),
        ("batch", "Job") => batch::complete_job(object),
        ("batch", "CronJob") => batch::complete_cron_job(object),
        ("autoscaling", "HorizontalPodAutoscaler") => autoscaling::complete(kind, object),
        ("networking.k8s.io", _) => network::complete(kind, object),
        ("discovery.k8s.io", "EndpointSlice") => network::complete_slice(object),
        ("policy", "PodDisruptionBudget") => complete_budget(object),
        ("storage.k8s.io", _) => storage::complete(kind, object),
        ("rbac.authorization.k8s.io", _) => complete_access(kind, object),
        ("scheduling.k8s.io", "PriorityClass") => {
            fill(object, "value", 0);
            fill(object, "preemptionPolicy", "PreemptLowerPriority");
        }
        ("coordination.k8s.io", "Lease") => fill(object, "spec", json!({})),
        ("admissionregistration.k8s.io", _) => admission::complete(kind, object),
        ("apiextensions.k8s.io", _) => custom::complete(object),
        ("flowcontrol.apiserver.k8s.io", _) => complete_flow(kind, object),
        _ => {}
    }
}

fn complete_budget(object: &mut Value) {
    fill(object, "spec", json!({}));
    if let Some(status) = crate::tree::made(object, "status") {
        for count in ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] {
            fill(status, count, 0);
        }
    }
}

fn complete_access(kind: &Kind, object: &mut Value) {
    const GROUP: &str = "rbac.authorization.k8s.io";
    if kind.kind.ends_with("Role") {
        return;
    }
    if let Some(role) = member(object, "roleRef") {
        fill_empty(role, "apiGroup", GROUP);
    }
    for subject in members(object, "subjects") {
        if matches!(text(subject, "kind"), "User" | "Group") {
            fill_empty(subject, "apiGroup", GROUP);
        }
    }
}

fn complete_flow(kind: &Kind, object: &mut Value) {
    fill(object, "status", json!({}));
    let Some(spec) = member(object, "spec") else { return };
    if kind.kind == "FlowSchema" {
        fill_empty(spec, "matchingPrecedence", 1000);
        return;
    }
    if let Some(exempt) = member(spec, "exempt") {
        fill(exempt, "nominalConcurrencyShares", 0);
        fill(exempt, "lendablePercent", 0);
    }
    if let Some(limited) = member(spec, "limited") {
        fill(limited, "nominalConcurrencyShares", 30);
        fill(limited, "lendablePercent", 0);
        if let Some(queuing) = member(limited, "limitResponse").and_then(|response| member(response, "queuing")) {
            fill_empty(queuing, "handSize", 8);
            fill_empty(queuing, "queues", 64);
            fill_empty(queuing, "queueLengthLimit", 50);
        }
    }
}
