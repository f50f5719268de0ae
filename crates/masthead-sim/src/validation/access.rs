//! Roles and their bindings.

use serde_json::Value;

use super::{checker::Checker, format};
use crate::{
    kind::Kind,
    tree::{items, text},
};

const GROUP: &str = "rbac.authorization.k8s.io";

/// An object of the group `rbac.authorization.k8s.io`.
pub(super) fn check(kind: &Kind, object: &Value, checker: &mut Checker) {
    if kind.kind.ends_with("Role") {
        for (at, rule) in items(object, "rules").iter().enumerate() {
            check_rule(rule, &format!("rules[{at}]"), kind.is_namespaced(), checker);
        }
        if object["aggregationRule"].is_object() && items(&object["aggregationRule"], "clusterRoleSelectors").is_empty()
        {
            let why = "at least one clusterRoleSelector required if aggregationRule is non-nil";
            checker.required("aggregationRule.clusterRoleSelectors", why);
        }
        return;
    }
    let role = &object["roleRef"];
    checker.one_of("roleRef.apiGroup", &role["apiGroup"], &[GROUP]);
    let known: &[&str] = if kind.is_namespaced() { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
    checker.one_of("roleRef.kind", &role["kind"], known);
    match text(role, "name") {
        "" => checker.required("roleRef.name", ""),
        name => checker.text("roleRef.name", name, format::path_segment(name)),
    }
    for (at, subject) in items(object, "subjects").iter().enumerate() {
        check_subject(subject, &format!("subjects[{at}]"), kind.is_namespaced(), checker);
    }
}

/// A binding is for one role for ever.
pub(super) fn check_update(kind: &Kind, before: &Value, object: &Value, checker: &mut Checker) {
    if kind.kind.ends_with("Binding") && before["roleRef"] != object["roleRef"] {
        let role = &object["roleRef"];
        let shown =
            format!("{{\"APIGroup\":{},\"Kind\":{},\"Name\":{}}}", role["apiGroup"], role["kind"], role["name"]);
        checker.causes.push(crate::cause::Cause::invalid("roleRef", shown, "cannot change roleRef"));
    }
}

fn check_rule(rule: &Value, path: &str, namespaced: bool, checker: &mut Checker) {
    let is_empty = |field: &str| items(rule, field).is_empty();
    if is_empty("verbs") {
        checker.required(&format!("{path}.verbs"), "verbs must contain at least one value");
    }
    if !is_empty("nonResourceURLs") {
        let (field, urls) = (format!("{path}.nonResourceURLs"), &rule["nonResourceURLs"]);
        if namespaced {
            checker.invalid(&field, urls, "namespaced rules cannot apply to non-resource URLs");
        }
        if ["apiGroups", "resources", "resourceNames"].iter().any(|field| !is_empty(field)) {
            checker.invalid(&field, urls, "rules cannot apply to both regular resources and non-resource URLs");
        }
        return;
    }
    if is_empty("apiGroups") {
        checker.required(&format!("{path}.apiGroups"), "resource rules must supply at least one api group");
    }
    if is_empty("resources") {
        checker.required(&format!("{path}.resources"), "resource rules must supply at least one resource");
    }
}

fn check_subject(subject: &Value, path: &str, namespaced: bool, checker: &mut Checker) {
    let name = text(subject, "name");
    if name.is_empty() {
        checker.required(&format!("{path}.name"), "");
    }
    match text(subject, "kind") {
        "ServiceAccount" => {
            if !name.is_empty() {
                checker.text(&format!("{path}.name"), name, format::subdomain(name));
            }
            if !text(subject, "apiGroup").is_empty() {
                checker.unsupported(&format!("{path}.apiGroup"), &subject["apiGroup"], &[""]);
            }
            if !namespaced && text(subject, "namespace").is_empty() {
                checker.required(&format!("{path}.namespace"), "");
            }
        }
        "User" | "Group" => checker.one_of(&format!("{path}.apiGroup"), &subject["apiGroup"], &[GROUP]),
        _ => checker.unsupported(&format!("{path}.kind"), &subject["kind"], &["ServiceAccount", "User", "Group"]),
    }
}
