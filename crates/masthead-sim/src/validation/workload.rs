//! Deployments and the other kinds that keep pods running.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    checker::{Checker, number_of},
    format, pod, selector, storage,
};
use crate::{
    cause::Cause,
    kind::Kind,
    tree::{entries, items, text},
};

/// An object of the group `apps`.
pub(super) fn check(kind: &Kind, object: &Value, before: Option<&Value>, checker: &mut Checker) {
    let spec = &object["spec"];
    match kind.kind.as_str() {
        "Deployment" => check_deployment(spec, checker),
        "ReplicaSet" => check_replica_set(spec, checker),
        "StatefulSet" => return check_stateful_set(spec, before.map(|before| &before["spec"]), checker),
        "DaemonSet" => {
            if let Some(before) = before {
                checker.unchanged("spec.selector", &before["spec"]["selector"], &spec["selector"]);
            }
            return check_daemon_set(spec, checker);
        }
        "ControllerRevision" => return check_revision(object, before, checker),
        _ => {}
    }
    if let Some(before) = before {
        checker.unchanged("spec.selector", &before["spec"]["selector"], &spec["selector"]);
    }
}

/// A replication controller.
pub(super) fn check_controller(object: &Value, checker: &mut Checker) {
    let spec = &object["spec"];
    checker.not_negative(spec, "spec", "minReadySeconds");
    if entries(spec, "selector").next().is_none() {
        checker.required("spec.selector", "");
    }
    checker.not_negative(spec, "spec", "replicas");
    let template = &spec["template"];
    if !template.is_object() {
        return checker.required("spec.template", "");
    }
    let labels = &template["metadata"]["labels"];
    if entries(spec, "selector").any(|(key, value)| labels.get(key) != Some(value)) {
        checker.invalid("spec.template.metadata.labels", &pod::labels_of(template), UNSELECTED);
    }
    pod::check_template(template, "spec.template", checker);
    check_lasting(template, "ReplicationController", checker);
}

fn check_deployment(spec: &Value, checker: &mut Checker) {
    checker.not_negative(spec, "spec", "replicas");
    check_selector(spec, "deployment", checker);
    check_selected_template(spec, checker);
    check_strategy(&spec["strategy"], checker);
    for field in ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"] {
        checker.not_negative(spec, "spec", field);
    }
    let [deadline, ready] = ["progressDeadlineSeconds", "minReadySeconds"].map(|field| spec[field].as_i64());
    if deadline.is_some_and(|deadline| deadline <= ready.unwrap_or_default()) {
        let why = "must be greater than minReadySeconds";
        checker.invalid("spec.progressDeadlineSeconds", &spec["progressDeadlineSeconds"], why);
    }
}

fn check_replica_set(spec: &Value, checker: &mut Checker) {
    checker.not_negative(spec, "spec", "replicas");
    checker.not_negative(spec, "spec", "minReadySeconds");
    check_selector(spec, "deployment", checker);
    check_selected_template(spec, checker);
}

fn check_daemon_set(spec: &Value, checker: &mut Checker) {
    selector::check(&spec["selector"], "spec.selector", checker);
    let template = &spec["template"];
    let labels = &template["metadata"]["labels"];
    if selector::is_sound(&spec["selector"]) && !selector::selects(&spec["selector"], labels) {
        checker.invalid("spec.template.metadata.labels", &pod::labels_of(template), UNSELECTED);
    }
    if !spec["selector"].is_null() && selector::is_empty(&spec["selector"]) {
        checker.invalid("spec.selector", &spec["selector"], "empty selector is invalid for daemonset");
    }
    pod::check_template(template, "spec.template", checker);
    check_lasting(template, "DaemonSet", checker);
    checker.not_negative(spec, "spec", "minReadySeconds");
    let strategy = &spec["updateStrategy"];
    match text(strategy, "type") {
        "OnDelete" => {}
        "RollingUpdate" => check_rolling_daemons(&strategy["rollingUpdate"], checker),
        _ => refuse_strategy("spec.updateStrategy", &shown(strategy, &["MaxUnavailable", "MaxSurge"]), checker),
    }
    checker.not_negative(spec, "spec", "revisionHistoryLimit");
}

fn check_rolling_daemons(rolling: &Value, checker: &mut Checker) {
    const PATH: &str = "spec.updateStrategy.rollingUpdate";
    for field in ["maxUnavailable", "maxSurge"] {
        checker.count_or_percent(&format!("{PATH}.{field}"), &rolling[field]);
    }
    for field in ["maxUnavailable", "maxSurge"] {
        checker.at_most_everything(&format!("{PATH}.{field}"), &rolling[field]);
    }
    match (number_of(&rolling["maxUnavailable"]) != 0, number_of(&rolling["maxSurge"]) != 0) {
        (true, true) => {
            let why = "may not be set when maxUnavailable is non-zero";
            checker.invalid(&format!("{PATH}.maxSurge"), &rolling["maxSurge"], why);
        }
        (false, false) => checker.required(&format!("{PATH}.maxUnavailable"), "cannot be 0 when maxSurge is 0"),
        _ => {}
    }
}

fn check_stateful_set(spec: &Value, before: Option<&Value>, checker: &mut Checker) {
    if !matches!(text(spec, "podManagementPolicy"), "OrderedReady" | "Parallel") {
        let why = "must be 'OrderedReady' or 'Parallel'";
        checker.invalid("spec.podManagementPolicy", &spec["podManagementPolicy"], why);
    }
    check_set_strategy(&spec["updateStrategy"], checker);
    for field in ["whenDeleted", "whenScaled"] {
        let path = format!("spec.persistentVolumeClaimRetentionPolicy.{field}");
        checker.one_of(&path, &spec["persistentVolumeClaimRetentionPolicy"][field], &["Retain", "Delete"]);
    }
    let claims = items(spec, "volumeClaimTemplates");
    if before.is_none() {
        for (at, claim) in claims.iter().enumerate() {
            storage::check_claim_spec(&claim["spec"], &format!("spec.volumeClaimTemplates[{at}].spec"), checker);
        }
    }
    checker.not_negative(spec, "spec", "replicas");
    checker.not_negative(spec, "spec", "minReadySeconds");
    checker.not_negative(&spec["ordinals"], "spec.ordinals", "start");
    let service = text(spec, "serviceName");
    if before.is_none() && !service.is_empty() {
        checker.text("spec.serviceName", service, format::label(service));
    }
    check_selector(spec, "statefulset", checker);
    let template = &spec["template"];
    if selector::is_sound(&spec["selector"]) {
        check_selected(spec, checker);
        let mounted: BTreeSet<String> = claims.iter().map(|it| text(&it["metadata"], "name").to_owned()).collect();
        pod::check_template_with(template, "spec.template", &mounted, checker);
        checker.labels(&template["metadata"], "spec.template", "labels");
    }
    check_lasting(template, "StatefulSet", checker);
    if before.is_some_and(|before| frozen(before) != frozen(spec)) {
        checker.forbidden("spec", FROZEN);
    }
}

fn check_set_strategy(strategy: &Value, checker: &mut Checker) {
    const PATH: &str = "spec.updateStrategy";
    let rolling = &strategy["rollingUpdate"];
    match text(strategy, "type") {
        "OnDelete" if !rolling.is_null() => {
            let why = "only allowed for updateStrategy 'RollingUpdate'";
            let shown = inner(rolling, &["Partition", "MaxUnavailable"]);
            checker.causes.push(Cause::invalid(format!("{PATH}.rollingUpdate"), shown, why));
        }
        "OnDelete" => {}
        "RollingUpdate" => {
            let path = format!("{PATH}.rollingUpdate");
            checker.not_negative(rolling, &path, "partition");
            let most = &rolling["maxUnavailable"];
            if !most.is_null() {
                let field = format!("{path}.maxUnavailable");
                checker.count_or_percent(&field, most);
                if number_of(most) == 0 {
                    checker.invalid(&field, most, "cannot be 0");
                }
                checker.at_most_everything(&field, most);
            }
        }
        _ => {
            let shown = shown(strategy, &["Partition", "MaxUnavailable"]);
            checker.causes.push(Cause::invalid(PATH, shown, "must be 'RollingUpdate' or 'OnDelete'"));
        }
    }
}

fn check_strategy(strategy: &Value, checker: &mut Checker) {
    const PATH: &str = "spec.strategy";
    let rolling = &strategy["rollingUpdate"];
    match text(strategy, "type") {
        "Recreate" if !rolling.is_null() => {
            let why = "may not be specified when strategy `type` is 'Recreate'";
            checker.forbidden(&format!("{PATH}.rollingUpdate"), why);
        }
        "Recreate" => {}
        "RollingUpdate" => {
            let [unavailable, surge] = ["maxUnavailable", "maxSurge"].map(|field| &rolling[field]);
            let path = format!("{PATH}.rollingUpdate");
            checker.count_or_percent(&format!("{path}.maxUnavailable"), unavailable);
            checker.count_or_percent(&format!("{path}.maxSurge"), surge);
            if number_of(unavailable) == 0 && number_of(surge) == 0 {
                checker.invalid(&format!("{path}.maxUnavailable"), unavailable, "may not be 0 when `maxSurge` is 0");
            }
            checker.at_most_everything(&format!("{path}.maxUnavailable"), unavailable);
        }
        _ => {
            let shown = shown(strategy, &["MaxUnavailable", "MaxSurge"]);
            checker.causes.push(Cause::unsupported(PATH, &shown, "\"Recreate\", \"RollingUpdate\""));
        }
    }
}

fn check_selector(spec: &Value, kind: &str, checker: &mut Checker) {
    let chosen = &spec["selector"];
    if chosen.is_null() {
        return checker.required("spec.selector", "");
    }
    selector::check(chosen, "spec.selector", checker);
    if selector::is_empty(chosen) {
        checker.invalid("spec.selector", chosen, &format!("empty selector is invalid for {kind}"));
    }
}

fn check_selected_template(spec: &Value, checker: &mut Checker) {
    if !selector::is_sound(&spec["selector"]) {
        return checker.invalid("spec.selector", &spec["selector"], "invalid label selector");
    }
    check_selected(spec, checker);
    pod::check_template(&spec["template"], "spec.template", checker);
    check_lasting(&spec["template"], "ReplicaSet", checker);
}

fn check_selected(spec: &Value, checker: &mut Checker) {
    let (chosen, template) = (&spec["selector"], &spec["template"]);
    let everything = !chosen.is_null() && selector::is_empty(chosen);
    if !everything && !selector::selects(chosen, &template["metadata"]["labels"]) {
        checker.invalid("spec.template.metadata.labels", &pod::labels_of(template), UNSELECTED);
    }
}

/// Pods that are kept running neither end nor have a deadline.
fn check_lasting(template: &Value, kind: &str, checker: &mut Checker) {
    let spec = &template["spec"];
    checker.one_of("spec.template.spec.restartPolicy", &spec["restartPolicy"], &["Always"]);
    if !spec["activeDeadlineSeconds"].is_null() {
        let why = format!("activeDeadlineSeconds in {kind} is not Supported");
        checker.forbidden("spec.template.spec.activeDeadlineSeconds", &why);
    }
}

fn check_revision(object: &Value, before: Option<&Value>, checker: &mut Checker) {
    if object["revision"].as_i64().is_some_and(|revision| revision < 0) {
        checker.invalid("revision", &object["revision"], super::checker::NOT_NEGATIVE);
    }
    match before {
        Some(before) => checker.unchanged("data", &before["data"], &object["data"]),
        None if object["data"].is_null() => checker.required("data", "data is mandatory"),
        None if !object["data"].is_object() => checker.required("data", "data must be a valid JSON object"),
        None => {}
    }
}

/// What of a stateful set may not change.
fn frozen(spec: &Value) -> Vec<(&String, &Value)> {
    const FREE: [&str; 7] = [
        "replicas",
        "ordinals",
        "template",
        "updateStrategy",
        "revisionHistoryLimit",
        "persistentVolumeClaimRetentionPolicy",
        "minReadySeconds",
    ];
    spec.as_object().into_iter().flatten().filter(|(name, _)| !FREE.contains(&name.as_str())).collect()
}

/// A strategy as the real server shows one that it does not know: in its own names and order.
fn shown(strategy: &Value, rolling: &[&str]) -> String {
    let kind = Value::from(text(strategy, "type"));
    let inside = &strategy["rollingUpdate"];
    let rolling = if inside.is_null() { "null".to_owned() } else { inner(inside, rolling) };
    format!("{{\"Type\":{kind},\"RollingUpdate\":{rolling}}}")
}

fn inner(rolling: &Value, names: &[&str]) -> String {
    let member = |name: &&str| {
        let field = name[..1].to_lowercase() + &name[1..];
        format!("\"{name}\":{}", rolling[field])
    };
    format!("{{{}}}", names.iter().map(member).collect::<Vec<_>>().join(","))
}

fn refuse_strategy(field: &str, shown: &str, checker: &mut Checker) {
    checker.causes.push(Cause::unsupported(field, shown, "\"RollingUpdate\", \"OnDelete\""));
}

const UNSELECTED: &str = "`selector` does not match template `labels`";
const FROZEN: &str = "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', \
                      'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and \
                      'minReadySeconds' are forbidden";
