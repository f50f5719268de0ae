//! Autoscalers of pods.

use serde_json::{Value, json};

use super::resources;
use crate::{
    kind::Kind,
    tree::{fill, fill_empty, made, member, members},
};

/// Completes an autoscaler of either version.
pub(super) fn complete(kind: &Kind, object: &mut Value) {
    let measured =
        object.pointer("/metadata/annotations").and_then(|all| all.get("autoscaling.alpha.kubernetes.io/metrics"));
    let measured = measured.is_some();
    let Some(spec) = made(object, "spec") else { return };
    fill(spec, "minReplicas", 1);
    fill(spec, "maxReplicas", 0);
    let second = kind.version == "v2";
    if second {
        let target = json!({ "type": "Utilization", "averageUtilization": 80 });
        let metric = json!({ "type": "Resource", "resource": { "name": "cpu", "target": target } });
        fill_empty(spec, "metrics", json!([metric]));
        for metric in members(spec, "metrics") {
            complete_metric(metric);
        }
        if let Some(behavior) = member(spec, "behavior") {
            complete_behavior(behavior);
        }
    } else if !measured {
        fill(spec, "targetCPUUtilizationPercentage", 80);
    }
    if let Some(status) = made(object, "status") {
        fill(status, "desiredReplicas", 0);
        if second {
            fill(status, "currentMetrics", Value::Null);
        } else {
            fill(status, "currentReplicas", 0);
        }
    }
}

fn complete_metric(metric: &mut Value) {
    for source in ["object", "pods", "resource", "containerResource", "external"] {
        if let Some(target) = member(metric, source).and_then(|source| member(source, "target")) {
            resources::complete_amount(target, "value");
            resources::complete_amount(target, "averageValue");
        }
    }
}

fn complete_behavior(behavior: &mut Value) {
    let percent = |value: u32| json!({ "type": "Percent", "value": value, "periodSeconds": 15 });
    let pods = json!({ "type": "Pods", "value": 4, "periodSeconds": 15 });
    if let Some(up) = made(behavior, "scaleUp") {
        fill(up, "stabilizationWindowSeconds", 0);
        fill(up, "selectPolicy", "Max");
        fill(up, "policies", json!([pods, percent(100)]));
        resources::complete_amount(up, "tolerance");
    }
    if let Some(down) = made(behavior, "scaleDown") {
        fill(down, "selectPolicy", "Max");
        fill(down, "policies", json!([percent(100)]));
        resources::complete_amount(down, "tolerance");
    }
}
