//! Deployments and the other kinds that keep pods running.

use serde_json::{Value, json};

use super::{pod, storage};
use crate::{
    kind::Kind,
    tree::{drop_empty, fill, fill_empty, made, members, text},
};

/// Completes an object of the group `apps`.
pub(super) fn complete(kind: &Kind, object: &mut Value) {
    let Some(spec) = made(object, "spec").filter(|_| kind.kind != "ControllerRevision") else { return };
    pod::complete_template(spec);
    match kind.kind.as_str() {
        "Deployment" => complete_deployment(spec),
        "StatefulSet" => complete_stateful_set(spec),
        "DaemonSet" => complete_daemon_set(spec),
        _ => fill(spec, "replicas", 1),
    }
    drop_empty(spec, &["minReadySeconds", "paused"]);
    if kind.kind == "DaemonSet"
        && let Some(annotations) = made(object, "metadata").and_then(|metadata| made(metadata, "annotations"))
    {
        fill(annotations, "deprecated.daemonset.template.generation", "0");
    }
    let Some(status) = made(object, "status") else { return };
    let counts: &[&str] = match kind.kind.as_str() {
        "ReplicaSet" => &["replicas"],
        "StatefulSet" => &["replicas", "availableReplicas"],
        "DaemonSet" => &["currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady"],
        _ => &[],
    };
    for count in counts {
        fill(status, count, 0);
    }
}

/// Completes a replication controller: what it leaves out, its template says.
pub(super) fn complete_controller(object: &mut Value) {
    let Some(spec) = made(object, "spec") else { return };
    fill(spec, "replicas", 1);
    if spec["template"].is_object() {
        pod::complete_template(spec);
    }
    let labels = spec["template"]["metadata"]["labels"].clone();
    if labels.is_object() {
        fill_empty(spec, "selector", labels.clone());
        if let Some(metadata) = made(object, "metadata") {
            fill_empty(metadata, "labels", labels);
        }
    }
    if let Some(status) = made(object, "status") {
        fill(status, "replicas", 0);
    }
}

fn complete_deployment(spec: &mut Value) {
    fill(spec, "replicas", 1);
    fill(spec, "revisionHistoryLimit", 10);
    fill(spec, "progressDeadlineSeconds", 600);
    let Some(strategy) = made(spec, "strategy") else { return };
    fill_empty(strategy, "type", "RollingUpdate");
    if text(strategy, "type") == "RollingUpdate"
        && let Some(rolling) = made(strategy, "rollingUpdate")
    {
        fill(rolling, "maxUnavailable", "25%");
        fill(rolling, "maxSurge", "25%");
    }
}

fn complete_daemon_set(spec: &mut Value) {
    fill(spec, "revisionHistoryLimit", 10);
    let Some(strategy) = made(spec, "updateStrategy") else { return };
    fill_empty(strategy, "type", "RollingUpdate");
    if text(strategy, "type") == "RollingUpdate"
        && let Some(rolling) = made(strategy, "rollingUpdate")
    {
        fill(rolling, "maxUnavailable", 1);
        fill(rolling, "maxSurge", 0);
    }
}

fn complete_stateful_set(spec: &mut Value) {
    fill(spec, "replicas", 1);
    fill(spec, "revisionHistoryLimit", 10);
    fill(spec, "serviceName", "");
    fill_empty(spec, "podManagementPolicy", "OrderedReady");
    if let Some(strategy) = made(spec, "updateStrategy") {
        if text(strategy, "type").is_empty() {
            strategy["type"] = "RollingUpdate".into();
            fill(strategy, "rollingUpdate", json!({}));
        }
        if text(strategy, "type") == "RollingUpdate"
            && let Some(rolling) = crate::tree::member(strategy, "rollingUpdate")
        {
            fill(rolling, "partition", 0);
        }
    }
    if let Some(policy) = made(spec, "persistentVolumeClaimRetentionPolicy") {
        fill_empty(policy, "whenDeleted", "Retain");
        fill_empty(policy, "whenScaled", "Retain");
    }
    for claim in members(spec, "volumeClaimTemplates") {
        fill_empty(claim, "kind", "PersistentVolumeClaim");
        fill_empty(claim, "apiVersion", "v1");
        storage::complete_claim(claim);
    }
    drop_empty(spec, &["volumeClaimTemplates"]);
}
