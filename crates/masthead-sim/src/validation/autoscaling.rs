//! Autoscalers of pods.

use serde_json::Value;

use super::{checker::Checker, format};
use crate::{
    quantity::Quantity,
    tree::{items, text},
};

/// An autoscaler.
pub(super) fn check(scaler: &Value, checker: &mut Checker) {
    let spec = &scaler["spec"];
    let [least, most] = ["minReplicas", "maxReplicas"].map(|field| spec[field].as_i64().unwrap_or_default());
    if least < 1 && !spec["minReplicas"].is_null() {
        checker.invalid("spec.minReplicas", &spec["minReplicas"], "must be greater than or equal to 1");
    }
    if most == 0 {
        checker.required("spec.maxReplicas", "must be set and greater than 0");
    } else if most < 0 {
        checker.invalid("spec.maxReplicas", &spec["maxReplicas"], "must be greater than or equal to 1");
    }
    if !spec["minReplicas"].is_null() && most < least {
        let why = "must be greater than or equal to `minReplicas`";
        checker.invalid("spec.maxReplicas", &spec["maxReplicas"], why);
    }
    check_target(&spec["scaleTargetRef"], "spec.scaleTargetRef", checker);
    for (at, metric) in items(spec, "metrics").iter().enumerate() {
        check_metric(metric, &format!("spec.metrics[{at}]"), checker);
    }
    let told_elsewhere = |metric: &Value| matches!(text(metric, "type"), "Object" | "External");
    if spec["minReplicas"].as_i64() == Some(0) && !items(spec, "metrics").iter().any(told_elsewhere) {
        let why = "must specify at least one Object or External metric to support scaling to zero replicas";
        checker.forbidden("spec.metrics", why);
    }
}

fn check_target(target: &Value, path: &str, checker: &mut Checker) {
    for field in ["kind", "name"] {
        match text(target, field) {
            "" => checker.required(&format!("{path}.{field}"), ""),
            given => checker.text(&format!("{path}.{field}"), given, format::path_segment(given)),
        }
    }
    let version = text(target, "apiVersion");
    if !version.contains('/') && (version != "v1" || text(target, "kind") != "ReplicationController") {
        checker.invalid(&format!("{path}.apiVersion"), &version.into(), "apiVersion must specify API group");
    }
}

fn check_metric(metric: &Value, path: &str, checker: &mut Checker) {
    let kind = text(metric, "type");
    if kind.is_empty() {
        checker.required(&format!("{path}.type"), "must specify a metric source type");
    } else {
        let known = ["ContainerResource", "External", "Object", "Pods", "Resource"];
        checker.one_of(&format!("{path}.type"), &metric["type"], &known);
    }
    let source = &metric["resource"];
    if kind == "Resource" {
        let path = format!("{path}.resource");
        if !source.is_object() {
            return checker.required(&path, "must populate information for the given metric source");
        }
        if text(source, "name").is_empty() {
            checker.required(&format!("{path}.name"), "must specify a resource name");
        }
        let target = &source["target"];
        check_amounts(target, &format!("{path}.target"), checker);
        match (target["averageUtilization"].is_null(), target["averageValue"].is_null()) {
            (true, true) => {
                let why = "must set either a target raw value or a target utilization";
                checker.required(&format!("{path}.target.averageUtilization"), why);
            }
            (false, false) => {
                let why = "may not set both a target raw value and a target utilization";
                checker.forbidden(&format!("{path}.target.averageValue"), why);
            }
            _ => {}
        }
    }
}

fn check_amounts(target: &Value, path: &str, checker: &mut Checker) {
    let kind = text(target, "type");
    if kind.is_empty() {
        checker.required(&format!("{path}.type"), "must specify a metric target type");
    }
    if !matches!(kind, "Utilization" | "Value" | "AverageValue") {
        checker.invalid(&format!("{path}.type"), &kind.into(), "must be either Utilization, Value, or AverageValue");
    }
    for field in ["value", "averageValue"] {
        let amount = target[field].as_str().and_then(Quantity::parse);
        if amount.is_some_and(|amount| amount.is_negative() || amount.is_zero()) {
            checker.invalid(&format!("{path}.{field}"), &target[field], "must be positive");
        }
    }
    let share = &target["averageUtilization"];
    if share.as_i64().is_some_and(|share| share < 1) {
        checker.invalid(&format!("{path}.averageUtilization"), share, "must be greater than 0");
    }
}
