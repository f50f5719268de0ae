//! What the server refuses of an object, field by field, in its words and in its order.

mod access;
mod autoscaling;
mod batch;
mod checker;
mod config;
mod container;
mod event;
pub(crate) mod format;
mod limits;
mod metadata;
mod network;
mod pod;
mod probe;
mod resources;
mod schedule;
mod selector;
mod service;
mod storage;
mod variable;
mod volume;
mod workload;

use serde_json::Value;

use crate::{cause::Cause, kind::Kind, refusal::Refusal, tree::text};
use checker::Checker;

/// Refuses a new object that breaks the rules of its kind, or the next state of one.
pub(crate) fn check(kind: &Kind, object: &Value, before: Option<&Value>) -> Result<(), Refusal> {
    let mut checker = Checker::default();
    match before {
        Some(before) => metadata::check_update(&before["metadata"], &object["metadata"], &mut checker),
        None => metadata::check(kind, &object["metadata"], &mut checker),
    }
    check_kind(kind, object, before, &mut checker);
    refuse(kind, object, &checker.causes)
}

/// Refuses the metadata of a write to a status.
pub(crate) fn check_status(kind: &Kind, object: &Value, before: &Value) -> Result<(), Refusal> {
    let mut checker = Checker::default();
    metadata::check_update(&before["metadata"], &object["metadata"], &mut checker);
    refuse(kind, object, &checker.causes)
}

fn refuse(kind: &Kind, object: &Value, causes: &[Cause]) -> Result<(), Refusal> {
    let name = text(&object["metadata"], "name");
    if causes.is_empty() {
        return Ok(());
    }
    // The real server takes every event for one of the core group here.
    let kind = kind.hub.as_deref().filter(|hub| hub.kind == "Event").unwrap_or(kind);
    Err(Refusal::invalid(kind, name, causes))
}

fn check_kind(kind: &Kind, object: &Value, before: Option<&Value>, checker: &mut Checker) {
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Pod") => {
            pod::check(object, checker);
            if let Some(before) = before {
                pod::check_update(before, object, checker);
            }
        }
        ("", "PodTemplate") => pod::check_template(&object["template"], "template", checker),
        ("", "ReplicationController") => workload::check_controller(object, checker),
        ("", "Service") => service::check(object, before, checker),
        ("", "ConfigMap") => config::check_map(object, before, checker),
        ("", "Secret") => config::check_secret(object, before, checker),
        ("", "PersistentVolumeClaim") => storage::check_claim(object, before, checker),
        ("", "PersistentVolume") => storage::check_volume(object, before, checker),
        ("", "LimitRange") => limits::check_range(object, checker),
        ("", "ResourceQuota") => limits::check_quota(object, before, checker),
        ("" | "events.k8s.io", "Event") => event::check(kind, object, before, checker),
        ("apps", _) => workload::check(kind, object, before, checker),
        ("batch", "Job") => batch::check_job(object, before, checker),
        ("batch", "CronJob") => batch::check_cron_job(object, before, checker),
        ("autoscaling", "HorizontalPodAutoscaler") => autoscaling::check(object, checker),
        ("networking.k8s.io", _) => network::check(kind, object, before, checker),
        ("policy", "PodDisruptionBudget") => check_budget(&object["spec"], checker),
        ("storage.k8s.io", _) => storage::check(kind, object, before, checker),
        ("rbac.authorization.k8s.io", _) => {
            access::check(kind, object, checker);
            if let Some(before) = before {
                access::check_update(kind, before, object, checker);
            }
        }
        ("scheduling.k8s.io", "PriorityClass") => check_class(object, before, checker),
        ("coordination.k8s.io", "Lease") => check_lease(&object["spec"], checker),
        _ => {}
    }
}

fn check_budget(spec: &Value, checker: &mut Checker) {
    if !spec["minAvailable"].is_null() && !spec["maxUnavailable"].is_null() {
        let policy = &spec["unhealthyPodEvictionPolicy"];
        let shown = format!(
            "{{\"MinAvailable\":{},\"Selector\":{},\"MaxUnavailable\":{},\"UnhealthyPodEvictionPolicy\":{policy}}}",
            spec["minAvailable"], spec["selector"], spec["maxUnavailable"]
        );
        checker.causes.push(Cause::invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
    }
    for field in ["minAvailable", "maxUnavailable"].into_iter().filter(|field| !spec[field].is_null()) {
        let path = format!("spec.{field}");
        checker.count_or_percent(&path, &spec[field]);
        checker.at_most_everything(&path, &spec[field]);
    }
    selector::check(&spec["selector"], "spec.selector", checker);
    if !spec["unhealthyPodEvictionPolicy"].is_null() {
        let known = ["AlwaysAllow", "IfHealthyBudget"];
        checker.one_of("spec.unhealthyPodEvictionPolicy", &spec["unhealthyPodEvictionPolicy"], &known);
    }
}

fn check_class(class: &Value, before: Option<&Value>, checker: &mut Checker) {
    if let Some(before) = before {
        if before["value"] != class["value"] {
            checker.forbidden("value", "may not be changed in an update.");
        }
        return checker.unchanged("preemptionPolicy", &before["preemptionPolicy"], &class["preemptionPolicy"]);
    }
    const HIGHEST: i64 = 1_000_000_000;
    let name = text(&class["metadata"], "name");
    if name.starts_with("system-") {
        let why = format!(
            "priority class names with 'system-' prefix are reserved for system use only. error: {name} is not a known \
             system priority class"
        );
        checker.forbidden("metadata.name", &why);
    } else if class["value"].as_i64().is_some_and(|value| value > HIGHEST) {
        checker.forbidden("value", &format!("maximum allowed value of a user defined priority is {HIGHEST}"));
    }
    checker.one_of("preemptionPolicy", &class["preemptionPolicy"], &["PreemptLowerPriority", "Never"]);
}

fn check_lease(spec: &Value, checker: &mut Checker) {
    let duration = &spec["leaseDurationSeconds"];
    if duration.as_i64().is_some_and(|seconds| seconds <= 0) {
        checker.invalid("spec.leaseDurationSeconds", duration, "must be greater than 0");
    }
    checker.not_negative(spec, "spec", "leaseTransitions");
}
