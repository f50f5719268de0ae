//! Requests and limits.

use serde_json::Value;

use super::{checker::Checker, format};
use crate::{
    quantity::Quantity,
    tree::{entries, text},
};

/// What a container asks for.
pub(super) fn check(requirements: &Value, path: &str, checker: &mut Checker) {
    let of = |part: &str, resource: &str| text(&requirements[part], resource).to_owned();
    for (resource, amount) in entries(requirements, "limits") {
        check_one(resource, amount, &format!("{path}.limits[{resource}]"), checker);
    }
    for (resource, amount) in entries(requirements, "requests") {
        check_one(resource, amount, &format!("{path}.requests[{resource}]"), checker);
        let (requests, limits) = (format!("{path}.requests"), format!("{path}.limits"));
        let known = (Quantity::parse(&of("requests", resource)), Quantity::parse(&of("limits", resource)));
        let shared = may_be_shared(resource);
        match known {
            (Some(request), Some(limit)) if !shared && (request.exceeds(limit) || limit.exceeds(request)) => {
                checker.invalid(&requests, amount, &format!("must be equal to {resource} limit of {limit}"));
            }
            (Some(request), Some(limit)) if request.exceeds(limit) => {
                checker.invalid(
                    &requests,
                    amount,
                    &format!("must be less than or equal to {resource} limit of {limit}"),
                );
            }
            (Some(_), None) if !shared => {
                checker.required(&limits, "Limit must be set for non overcommitable resources");
            }
            _ => {}
        }
    }
}

/// The name of a resource that a container can have.
pub(super) fn check_container_name(resource: &str, field: &str, checker: &mut Checker) {
    let before = checker.causes.len();
    check_name(resource, field, checker);
    let standard = matches!(resource, "cpu" | "memory" | "ephemeral-storage") || resource.starts_with("hugepages-");
    if !resource.contains('/') {
        if !standard {
            checker.invalid(field, &resource.into(), "must be a standard resource for containers");
        }
    } else if before == checker.causes.len() && resource.starts_with("requests.") {
        checker.invalid(field, &resource.into(), "doesn't follow extended resource name standard");
    }
}

/// The name of a resource of any sort.
pub(super) fn check_name(resource: &str, field: &str, checker: &mut Checker) {
    let complaints = format::qualified_name(resource);
    if complaints.is_empty() && !resource.contains('/') && !is_standard(resource) {
        checker.invalid(field, &resource.into(), "must be a standard resource type or fully qualified");
    }
    checker.text(field, resource, complaints);
}

fn check_one(resource: &str, amount: &Value, field: &str, checker: &mut Checker) {
    check_container_name(resource, field, checker);
    checker.amount(field, resource, amount);
}

/// Whether a node may promise more than it has.
fn may_be_shared(resource: &str) -> bool {
    let native = !resource.contains('/') || resource.contains("kubernetes.io/");
    native && !resource.starts_with("hugepages-")
}

pub(super) fn is_standard(resource: &str) -> bool {
    const STANDARD: [&str; 20] = [
        "cpu",
        "memory",
        "ephemeral-storage",
        "requests.cpu",
        "requests.memory",
        "requests.ephemeral-storage",
        "limits.cpu",
        "limits.memory",
        "limits.ephemeral-storage",
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "persistentvolumeclaims",
        "configmaps",
        "storage",
        "requests.storage",
        "services.nodeports",
        "services.loadbalancers",
    ];
    STANDARD.contains(&resource) || resource.starts_with("hugepages-") || resource.starts_with("requests.hugepages-")
}
