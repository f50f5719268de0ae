//! Containers of every sort.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{checker::Checker, format, probe, resources, variable};
use crate::tree::{items, text};

/// The containers of a pod, init containers too; `volumes` are the names of its sound volumes.
pub(super) fn check_all(spec: &Value, path: &str, volumes: &BTreeSet<String>, checker: &mut Checker) {
    let grace = spec["terminationGracePeriodSeconds"].as_i64().unwrap_or(30);
    let mut names = BTreeSet::new();
    let containers = items(spec, "containers");
    if containers.is_empty() {
        checker.required(&format!("{path}.containers"), "");
    }
    for (at, container) in containers.iter().enumerate() {
        let path = format!("{path}.containers[{at}]");
        check_one(container, &path, volumes, checker);
        if !names.insert(text(container, "name")) {
            checker.duplicate(&format!("{path}.name"), &container["name"]);
        }
        probe::check(container, &path, grace, checker);
        if !container["restartPolicy"].is_null() {
            let known = ["Always", "Never", "OnFailure"];
            checker.one_of(&format!("{path}.restartPolicy"), &container["restartPolicy"], &known);
        }
    }
    check_host_ports(containers, &format!("{path}.containers"), checker);
    for (at, container) in items(spec, "initContainers").iter().enumerate() {
        let whole = format!("{path}.initContainers");
        let path = format!("{whole}[{at}]");
        check_one(container, &path, volumes, checker);
        if !container["restartPolicy"].is_null() {
            let known = ["Always", "Never", "OnFailure"];
            checker.one_of(&format!("{path}.restartPolicy"), &container["restartPolicy"], &known);
        }
        if !names.insert(text(container, "name")) {
            checker.duplicate(&format!("{path}.name"), &container["name"]);
        }
        check_host_ports(std::slice::from_ref(container), &whole, checker);
        if text(container, "restartPolicy") == "Always" {
            probe::check(container, &path, grace, checker);
        } else {
            probe::check_none(container, &path, checker);
        }
    }
}

fn check_one(container: &Value, path: &str, volumes: &BTreeSet<String>, checker: &mut Checker) {
    match text(container, "name") {
        "" => checker.required(&format!("{path}.name"), ""),
        name => checker.text(&format!("{path}.name"), name, format::label(name)),
    }
    if text(container, "image").is_empty() {
        checker.required(&format!("{path}.image"), "");
    }
    let policies = ["File", "FallbackToLogsOnError"];
    checker.one_of(&format!("{path}.terminationMessagePolicy"), &container["terminationMessagePolicy"], &policies);
    check_ports(container, path, checker);
    variable::check(container, path, checker);
    check_mounts(container, path, volumes, checker);
    let policies = ["Always", "IfNotPresent", "Never"];
    checker.one_of(&format!("{path}.imagePullPolicy"), &container["imagePullPolicy"], &policies);
    resources::check(&container["resources"], &format!("{path}.resources"), checker);
    check_security(&container["securityContext"], &format!("{path}.securityContext"), checker);
}

fn check_ports(container: &Value, path: &str, checker: &mut Checker) {
    let mut names = BTreeSet::new();
    for (at, port) in items(container, "ports").iter().enumerate() {
        let path = format!("{path}.ports[{at}]");
        let name = text(port, "name");
        if !name.is_empty() {
            let complaints = format::port_name(name);
            if complaints.is_empty() && !names.insert(name) {
                checker.duplicate(&format!("{path}.name"), &port["name"]);
            }
            checker.text(&format!("{path}.name"), name, complaints);
        }
        match port["containerPort"].as_i64().unwrap_or_default() {
            0 => checker.required(&format!("{path}.containerPort"), ""),
            number => checker.port(&format!("{path}.containerPort"), number),
        }
        if let Some(number) = port["hostPort"].as_i64().filter(|number| *number != 0) {
            checker.port(&format!("{path}.hostPort"), number);
        }
        checker.one_of(&format!("{path}.protocol"), &port["protocol"], &["SCTP", "TCP", "UDP"]);
    }
}

fn check_host_ports(containers: &[Value], path: &str, checker: &mut Checker) {
    let mut taken = BTreeSet::new();
    for (at, container) in containers.iter().enumerate() {
        for (number, port) in items(container, "ports").iter().enumerate() {
            let Some(host) = port["hostPort"].as_i64().filter(|host| *host != 0) else { continue };
            let place = format!("{}/{}/{host}", text(port, "protocol"), text(port, "hostIP"));
            if !taken.insert(place.clone()) {
                checker.duplicate(&format!("{path}[{at}].ports[{number}].hostPort"), &place.into());
            }
        }
    }
}

fn check_mounts(container: &Value, path: &str, volumes: &BTreeSet<String>, checker: &mut Checker) {
    let whole = format!("{path}.volumeMounts");
    let mut places = BTreeSet::new();
    for (at, mount) in items(container, "volumeMounts").iter().enumerate() {
        let path = format!("{whole}[{at}]");
        let (name, place) = (text(mount, "name"), text(mount, "mountPath"));
        if name.is_empty() {
            checker.required(&format!("{path}.name"), "");
        }
        if !volumes.contains(name) {
            checker.not_found(&format!("{path}.name"), &name.into());
        }
        if place.is_empty() {
            checker.required(&format!("{path}.mountPath"), "");
        }
        if !places.insert(place) {
            checker.invalid(&format!("{path}.mountPath"), &place.into(), "must be unique");
        }
        for field in ["subPath", "subPathExpr"] {
            check_descending(text(mount, field), &format!("{whole}.{field}"), checker);
        }
    }
}

/// A path that stays where it begins.
pub(super) fn check_descending(path: &str, field: &str, checker: &mut Checker) {
    if path.starts_with('/') {
        checker.invalid(field, &path.into(), "must be a relative path");
    }
    if path.split('/').any(|step| step == "..") {
        checker.invalid(field, &path.into(), "must not contain '..'");
    }
}

fn check_security(context: &Value, path: &str, checker: &mut Checker) {
    if context["privileged"] == true {
        checker.forbidden(&format!("{path}.privileged"), "disallowed by cluster policy");
    }
    for field in ["runAsUser", "runAsGroup"] {
        check_id(context, path, field, checker);
    }
    if context["allowPrivilegeEscalation"] == false && context["privileged"] == true {
        let why = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
        checker.invalid(path, context, why);
    }
}

/// The number of a user or a group.
pub(super) fn check_id(context: &Value, path: &str, field: &str, checker: &mut Checker) {
    if context[field].as_i64().is_some_and(|id| !(0..=i64::from(i32::MAX)).contains(&id)) {
        let why = "must be between 0 and 2147483647, inclusive";
        checker.invalid(&format!("{path}.{field}"), &context[field], why);
    }
}
