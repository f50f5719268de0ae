//! Webhooks that are asked before something is written.

use serde_json::{Value, json};

use crate::{
    kind::Kind,
    tree::{fill, member, members},
};

/// Completes an object of the group `admissionregistration.k8s.io`.
pub(super) fn complete(kind: &Kind, object: &mut Value) {
    let mutating = kind.kind.starts_with("Mutating");
    for hook in members(object, "webhooks") {
        fill(hook, "failurePolicy", "Fail");
        fill(hook, "matchPolicy", "Equivalent");
        fill(hook, "namespaceSelector", json!({}));
        fill(hook, "objectSelector", json!({}));
        fill(hook, "timeoutSeconds", 10);
        if mutating {
            fill(hook, "reinvocationPolicy", "Never");
        }
        if let Some(service) = member(hook, "clientConfig").and_then(|config| member(config, "service")) {
            fill(service, "port", 443);
        }
        for rule in members(hook, "rules") {
            fill(rule, "scope", "*");
        }
    }
}
