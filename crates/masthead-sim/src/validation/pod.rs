//! Pods and their templates.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{checker::Checker, container, format, metadata, volume};
use crate::tree::{entries, items, text};

/// A new pod, or the next state of one.
pub(super) fn check(pod: &Value, checker: &mut Checker) {
    let spec = &pod["spec"];
    check_spec(spec, "spec", &BTreeSet::new(), checker);
    if text(spec, "serviceAccountName").is_empty() {
        for (at, volume) in items(spec, "volumes").iter().enumerate() {
            for (number, source) in items(&volume["projected"], "sources").iter().enumerate() {
                if source["serviceAccountToken"].is_object() {
                    let path = format!("spec.volumes[{at}].projected.sources[{number}].serviceAccountToken");
                    checker.forbidden(&path, "must not be specified when serviceAccountName is not set");
                }
            }
        }
    }
    for list in ["containers", "initContainers"] {
        for (at, container) in items(spec, list).iter().enumerate() {
            let image = text(container, "image");
            if image.trim() != image {
                let why = "must not have leading or trailing whitespace";
                checker.invalid(&format!("spec.{list}[{at}].image"), &image.into(), why);
            }
        }
    }
}

/// What may not change once a pod is there.
pub(super) fn check_update(before: &Value, next: &Value, checker: &mut Checker) {
    let (old, new) = (&before["spec"], &next["spec"]);
    for list in ["containers", "initContainers"] {
        if items(old, list).len() != items(new, list).len() {
            return checker.forbidden(&format!("spec.{list}"), "pod updates may not add or remove containers");
        }
    }
    const DEADLINE: &str = "spec.activeDeadlineSeconds";
    let [was, is] = [old, new].map(|spec| &spec["activeDeadlineSeconds"]);
    match (was.as_i64(), is.as_i64()) {
        (_, Some(seconds)) if seconds < 0 => {
            return checker.invalid(DEADLINE, is, "must be between 0 and 2147483647, inclusive");
        }
        (Some(was), Some(seconds)) if was < seconds => {
            return checker.invalid(DEADLINE, is, "must be less than or equal to previous value");
        }
        (Some(_), None) => checker.invalid(DEADLINE, is, "must not update from a positive integer to nil value"),
        _ => {}
    }
    check_tolerations(old, new, checker);
    check_gates(old, new, checker);
    if frozen(old) != frozen(new) {
        checker.forbidden("spec", FROZEN);
    }
}

/// The template of pods at `path`.
pub(super) fn check_template(template: &Value, path: &str, checker: &mut Checker) {
    check_template_with(template, path, &BTreeSet::new(), checker);
}

/// A template whose pods get more volumes than it names.
pub(super) fn check_template_with(template: &Value, path: &str, more: &BTreeSet<String>, checker: &mut Checker) {
    checker.labels(&template["metadata"], path, "labels");
    metadata::check_annotations(&template["metadata"], &format!("{path}.annotations"), checker);
    check_spec(&template["spec"], &format!("{path}.spec"), more, checker);
    if !items(&template["spec"], "ephemeralContainers").is_empty() {
        let why = "ephemeral containers not allowed in pod template";
        checker.forbidden(&format!("{path}.spec.ephemeralContainers"), why);
    }
}

fn check_spec(spec: &Value, path: &str, more: &BTreeSet<String>, checker: &mut Checker) {
    let mut volumes = volume::check_all(spec, path, checker);
    volumes.extend(more.iter().cloned());
    container::check_all(spec, path, &volumes, checker);
    check_host_network(spec, path, checker);
    checker.one_of(&format!("{path}.restartPolicy"), &spec["restartPolicy"], &["Always", "OnFailure", "Never"]);
    let policies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
    checker.one_of(&format!("{path}.dnsPolicy"), &spec["dnsPolicy"], &policies);
    checker.labels(spec, path, "nodeSelector");
    for id in ["runAsUser", "runAsGroup", "fsGroup"] {
        container::check_id(&spec["securityContext"], &format!("{path}.securityContext"), id, checker);
    }
    check_spread(spec, path, checker);
    for field in ["serviceAccountName", "nodeName"] {
        let name = text(spec, field);
        if !name.is_empty() {
            checker.text(&format!("{path}.{field}"), name, format::subdomain(name));
        }
    }
    let deadline = &spec["activeDeadlineSeconds"];
    if deadline.as_i64().is_some_and(|seconds| !(1..=i64::from(i32::MAX)).contains(&seconds)) {
        let why = "must be between 1 and 2147483647, inclusive";
        checker.invalid(&format!("{path}.activeDeadlineSeconds"), deadline, why);
    }
    for field in ["hostname", "subdomain"] {
        let name = text(spec, field);
        if !name.is_empty() {
            checker.text(&format!("{path}.{field}"), name, format::label(name));
        }
    }
    check_each_toleration(spec, &format!("{path}.tolerations"), checker);
    let class = text(spec, "priorityClassName");
    if !class.is_empty() {
        checker.text(&format!("{path}.priorityClassName"), class, format::subdomain(class));
    }
    if let Some(policy) = spec.get("preemptionPolicy").filter(|policy| !policy.is_null()) {
        checker.one_of(&format!("{path}.preemptionPolicy"), policy, &["PreemptLowerPriority", "Never"]);
    }
}

fn check_host_network(spec: &Value, path: &str, checker: &mut Checker) {
    if spec["hostNetwork"] != true {
        return;
    }
    for (at, container) in items(spec, "containers").iter().enumerate() {
        for (number, port) in items(container, "ports").iter().enumerate() {
            let host = port["hostPort"].as_i64().unwrap_or_default();
            // A template may leave the port to its pods.
            if (host != 0 || path == "spec") && port["containerPort"].as_i64() != Some(host) {
                let field = format!("{path}.containers[{at}].ports[{number}].hostPort");
                checker.invalid(&field, &host.into(), "must match `containerPort` when `hostNetwork` is true");
            }
        }
    }
}

fn check_spread(spec: &Value, path: &str, checker: &mut Checker) {
    for (at, constraint) in items(spec, "topologySpreadConstraints").iter().enumerate() {
        let path = format!("{path}.topologySpreadConstraints[{at}]");
        let skew = constraint["maxSkew"].as_i64().unwrap_or_default();
        if skew <= 0 {
            checker.invalid(&format!("{path}.maxSkew"), &skew.into(), "must be greater than zero");
        }
        if text(constraint, "topologyKey").is_empty() {
            checker.required(&format!("{path}.topologyKey"), "can not be empty");
        }
        let known = ["DoNotSchedule", "ScheduleAnyway"];
        checker.one_of(&format!("{path}.whenUnsatisfiable"), &constraint["whenUnsatisfiable"], &known);
    }
}

fn check_each_toleration(spec: &Value, path: &str, checker: &mut Checker) {
    for (at, toleration) in items(spec, "tolerations").iter().enumerate() {
        let path = format!("{path}[{at}]");
        let (key, operator) = (text(toleration, "key"), text(toleration, "operator"));
        if !key.is_empty() {
            checker.text(&format!("{path}.key"), key, format::qualified_name(key));
        }
        if key.is_empty() && operator != "Exists" {
            let why = "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
            checker.invalid(&format!("{path}.operator"), &operator.into(), why);
        }
        if !toleration["tolerationSeconds"].is_null() && text(toleration, "effect") != "NoExecute" {
            let why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
            checker.invalid(&format!("{path}.effect"), &text(toleration, "effect").into(), why);
        }
        let value = text(toleration, "value");
        match operator {
            "" | "Equal" => checker.text(&format!("{path}.operator"), value, format::label_value(value)),
            "Exists" if !value.is_empty() => {
                let why = "value must be empty when `operator` is 'Exists'";
                checker.invalid(&format!("{path}.operator"), &value.into(), why);
            }
            "Exists" => {}
            _ => checker.unsupported(&format!("{path}.operator"), &toleration["operator"], &["Equal", "Exists"]),
        }
        if !text(toleration, "effect").is_empty() {
            let known = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
            checker.one_of(&format!("{path}.effect"), &toleration["effect"], &known);
        }
    }
}

/// Tolerations may come, and the time of one may change; none may go.
fn check_tolerations(old: &Value, new: &Value, checker: &mut Checker) {
    let timeless = |toleration: &Value| {
        let fields = toleration.as_object().into_iter().flatten();
        fields.filter(|(name, _)| *name != "tolerationSeconds").map(|(k, v)| (k.clone(), v.clone())).collect::<Vec<_>>()
    };
    let kept = items(old, "tolerations")
        .iter()
        .all(|old| items(new, "tolerations").iter().any(|new| timeless(old) == timeless(new)));
    if !kept {
        let why = "existing toleration can not be modified except its tolerationSeconds";
        checker.forbidden("spec.tolerations", why);
    }
}

/// Gates may only go.
fn check_gates(old: &Value, new: &Value, checker: &mut Checker) {
    let (known, now) = (items(old, "schedulingGates"), items(new, "schedulingGates"));
    if let Some(at) = now.iter().position(|gate| !known.contains(gate)) {
        let name = text(&now[at], "name");
        let why = format!("only deletion is allowed, but found new scheduling gate '{name}'");
        checker.forbidden(&format!("spec.schedulingGates[{at}]"), &why);
    }
}

/// What of a pod's spec may not change.
fn frozen(spec: &Value) -> Value {
    let mut spec = spec.clone();
    for list in ["containers", "initContainers"] {
        for container in crate::tree::members(&mut spec, list) {
            container["image"] = Value::Null;
        }
    }
    let gated = !items(&spec, "schedulingGates").is_empty();
    if let Some(fields) = spec.as_object_mut() {
        for free in ["activeDeadlineSeconds", "schedulingGates", "tolerations"] {
            fields.remove(free);
        }
        if gated {
            fields.remove("nodeSelector");
        }
    }
    spec
}

/// The labels of a template, as they are shown when a selector does not select them.
pub(super) fn labels_of(template: &Value) -> Value {
    match entries(&template["metadata"], "labels").next() {
        Some(_) => template["metadata"]["labels"].clone(),
        None => Value::Null,
    }
}

const FROZEN: &str = "pod updates may not change fields other than \
                      `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,\
                      `spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` \
                      (allow it to be set to 1 if it was previously negative)";
