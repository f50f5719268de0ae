//! Limit ranges and quotas.

use serde_json::Value;

use super::{checker::Checker, format, resources};
use crate::{
    quantity::Quantity,
    tree::{entries, items, text},
};

/// A limit range.
pub(super) fn check_range(range: &Value, checker: &mut Checker) {
    let mut kinds = Vec::new();
    for (at, limit) in items(&range["spec"], "limits").iter().enumerate() {
        let path = format!("spec.limits[{at}]");
        let kind = text(limit, "type");
        let complaints = format::qualified_name(kind);
        let standard = matches!(kind, "Pod" | "Container" | "PersistentVolumeClaim");
        if complaints.is_empty() && !kind.contains('/') && !standard {
            let why = "must be a standard limit type or fully qualified";
            checker.invalid(&format!("{path}.type"), &kind.into(), why);
        }
        checker.text(&format!("{path}.type"), kind, complaints);
        if kinds.contains(&kind) {
            checker.duplicate(&format!("{path}.type"), &kind.into());
        }
        kinds.push(kind);
        check_limit(limit, kind, &path, checker);
    }
}

/// A quota.
pub(super) fn check_quota(quota: &Value, before: Option<&Value>, checker: &mut Checker) {
    let spec = &quota["spec"];
    for (resource, amount) in entries(spec, "hard") {
        let field = format!("spec.hard[{resource}]");
        resources::check_name(resource, &field, checker);
        let standard = resource.contains('/') || resources::is_standard(resource);
        if !standard && format::qualified_name(resource).is_empty() {
            checker.invalid(&field, &resource.as_str().into(), "must be a standard resource for quota");
        }
        checker.amount(&field, resource, amount);
    }
    if let Some(before) = before {
        checker.unchanged("spec.scopes", &before["spec"]["scopes"], &spec["scopes"]);
    }
}

fn check_limit(limit: &Value, kind: &str, path: &str, checker: &mut Checker) {
    for list in ["max", "min"] {
        check_names(limit, kind, path, list, checker);
    }
    for list in ["default", "defaultRequest"] {
        if kind != "Pod" {
            check_names(limit, kind, path, list, checker);
        } else if entries(limit, list).next().is_some() {
            checker.forbidden(&format!("{path}.{list}"), "may not be specified when `type` is 'Pod'");
        }
    }
    let of = |list: &str, resource: &str| limit[list].get(resource).and_then(Value::as_str).and_then(Quantity::parse);
    if kind == "PersistentVolumeClaim" && of("min", "storage").is_none() && of("max", "storage").is_none() {
        let why = "either minimum or maximum storage value is required, but neither was provided";
        checker.required(&format!("{path}.limits"), why);
    }
    check_names(limit, kind, path, "maxLimitRequestRatio", checker);
    let lists = ["max", "min", "default", "defaultRequest"];
    let mut names: Vec<&String> = lists.iter().flat_map(|list| entries(limit, list)).map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    for name in names {
        let more = |small: &str, large: &str| match (of(small, name), of(large, name)) {
            (Some(small), Some(large)) if small.exceeds(large) => Some((small, large)),
            _ => None,
        };
        let mut refuse = |list: &str, shown: Quantity, why: String| {
            checker.invalid(&format!("{path}.{list}[{name}]"), &shown.to_string().into(), &why);
        };
        if let Some((min, max)) = more("min", "max") {
            refuse("min", min, format!("min value {min} is greater than max value {max}"));
        }
        if let Some((min, request)) = more("min", "defaultRequest") {
            refuse(
                "defaultRequest",
                request,
                format!("min value {min} is greater than default request value {request}"),
            );
        }
        if let Some((request, max)) = more("defaultRequest", "max") {
            refuse(
                "defaultRequest",
                request,
                format!("default request value {request} is greater than max value {max}"),
            );
        }
        if let Some((request, given)) = more("defaultRequest", "default") {
            let why = format!("default request value {request} is greater than default limit value {given}");
            refuse("defaultRequest", request, why);
        }
        if let Some((min, given)) = more("min", "default") {
            refuse("default", min, format!("min value {min} is greater than default value {given}"));
        }
        if let Some((given, max)) = more("default", "max") {
            refuse("default", max, format!("default value {given} is greater than max value {max}"));
        }
    }
}

fn check_names(limit: &Value, kind: &str, path: &str, list: &str, checker: &mut Checker) {
    for (resource, _) in entries(limit, list) {
        let field = format!("{path}.{list}[{resource}]");
        if matches!(kind, "Pod" | "Container") {
            resources::check_container_name(resource, &field, checker);
        } else {
            resources::check_name(resource, &field, checker);
        }
    }
}
