//! Environment variables, and what they are taken from.

use serde_json::Value;

use super::{checker::Checker, format};
use crate::tree::{items, text};

/// The variables of a container.
pub(super) fn check(container: &Value, path: &str, checker: &mut Checker) {
    for (at, variable) in items(container, "env").iter().enumerate() {
        let path = format!("{path}.env[{at}]");
        match text(variable, "name") {
            "" => checker.required(&format!("{path}.name"), ""),
            name => checker.text(&format!("{path}.name"), name, format::variable(name)),
        }
        if variable["valueFrom"].is_object() {
            check_source(variable, &format!("{path}.valueFrom"), checker);
        }
    }
    for (at, source) in items(container, "envFrom").iter().enumerate() {
        let whole = format!("{path}.envFrom");
        let path = format!("{whole}[{at}]");
        let prefix = text(source, "prefix");
        checker.text(&format!("{path}.prefix"), prefix, format::variable(prefix));
        let given: Vec<&str> = ["configMapRef", "secretRef"].into_iter().filter(|it| source[it].is_object()).collect();
        for reference in &given {
            check_reference(&source[reference], &format!("{path}.{reference}.name"), checker);
        }
        match given.len() {
            0 => checker.invalid(&whole, &"".into(), "must specify one of: `configMapRef` or `secretRef`"),
            1 => {}
            _ => checker.invalid(&whole, &"".into(), "may not have more than one field specified at a time"),
        }
    }
}

fn check_source(variable: &Value, path: &str, checker: &mut Checker) {
    let source = &variable["valueFrom"];
    let mut count = 0;
    for name in ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"] {
        let reference = &source[name];
        if !reference.is_object() {
            continue;
        }
        count += 1;
        let path = format!("{path}.{name}");
        match name {
            "fieldRef" => check_field(reference, &path, VARIABLE_FIELDS, checker),
            "resourceFieldRef" => check_resource(reference, &path, false, checker),
            "fileKeyRef" => {}
            _ => {
                check_reference(reference, &format!("{path}.name"), checker);
                match text(reference, "key") {
                    "" => checker.required(&format!("{path}.key"), ""),
                    key => checker.text(&format!("{path}.key"), key, format::key(key)),
                }
            }
        }
    }
    if count == 0 {
        let why =
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
        checker.invalid(path, &"".into(), why);
    } else if !text(variable, "value").is_empty() {
        checker.invalid(path, &"".into(), "may not be specified when `value` is not empty");
    } else if count > 1 {
        checker.invalid(path, &"".into(), "may not have more than one field specified at a time");
    }
}

/// A field of the pod, out of those that can be had here.
pub(super) fn check_field(reference: &Value, path: &str, known: &[&str], checker: &mut Checker) {
    if text(reference, "apiVersion").is_empty() {
        return checker.required(&format!("{path}.apiVersion"), "");
    }
    let field = text(reference, "fieldPath");
    let at = format!("{path}.fieldPath");
    if field.is_empty() {
        return checker.required(&at, "");
    }
    if let Some((start, key)) = field.strip_suffix(']').and_then(|rest| rest.split_once("['")) {
        let key = key.trim_end_matches('\'');
        match start {
            "metadata.annotations" => checker.text(path, key, format::qualified_name(&key.to_lowercase())),
            "metadata.labels" => checker.text(path, key, format::qualified_name(key)),
            _ => {
                let why = format!("error converting fieldPath: field label does not support subscript: {field}");
                checker.invalid(&at, &field.into(), &why);
            }
        }
        return;
    }
    if !EVERY_FIELD.contains(&field) {
        let why = format!("error converting fieldPath: field label not supported: {field}");
        return checker.invalid(&at, &field.into(), &why);
    }
    checker.one_of(&at, &reference["fieldPath"], known);
}

/// A resource of a container.
pub(super) fn check_resource(reference: &Value, path: &str, of_volume: bool, checker: &mut Checker) {
    let resource = text(reference, "resource");
    if of_volume && text(reference, "containerName").is_empty() {
        checker.required(&format!("{path}.containerName"), "");
    } else if resource.is_empty() {
        checker.required(&format!("{path}.resource"), "");
    } else if !resource.starts_with("limits.hugepages-") && !resource.starts_with("requests.hugepages-") {
        checker.one_of(&format!("{path}.resource"), &reference["resource"], RESOURCES);
    }
}

fn check_reference(reference: &Value, field: &str, checker: &mut Checker) {
    let name = text(reference, "name");
    checker.text(field, name, format::subdomain(name));
}

const EVERY_FIELD: &[&str] = &[
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.serviceAccountName",
    "spec.schedulerName",
    "status.phase",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
const VARIABLE_FIELDS: &[&str] = &[
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
const RESOURCES: &[&str] = &[
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];
