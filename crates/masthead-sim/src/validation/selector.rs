//! Label selectors.

use serde_json::Value;

use super::{checker::Checker, format};
use crate::tree::{entries, items, text};

/// A selector, if there is one.
pub(super) fn check(selector: &Value, path: &str, checker: &mut Checker) {
    checker.labels(selector, path, "matchLabels");
    for (at, requirement) in items(selector, "matchExpressions").iter().enumerate() {
        let path = format!("{path}.matchExpressions[{at}]");
        let values = items(requirement, "values");
        match text(requirement, "operator") {
            "In" | "NotIn" if values.is_empty() => {
                checker.required(&format!("{path}.values"), "must be specified when `operator` is 'In' or 'NotIn'");
            }
            "Exists" | "DoesNotExist" if !values.is_empty() => {
                let why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                checker.forbidden(&format!("{path}.values"), why);
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            other => checker.invalid(&format!("{path}.operator"), &other.into(), "not a valid selector operator"),
        }
        let key = text(requirement, "key");
        checker.text(&format!("{path}.key"), key, format::qualified_name(key));
        for (at, value) in values.iter().enumerate() {
            let value = value.as_str().unwrap_or_default();
            checker.text(&format!("{path}.values[{at}]"), value, format::label_value(value));
        }
    }
}

/// Whether a selector says nothing, and so selects everything.
pub(super) fn is_empty(selector: &Value) -> bool {
    entries(selector, "matchLabels").next().is_none() && items(selector, "matchExpressions").is_empty()
}

/// Whether a selector can be read at all.
pub(super) fn is_sound(selector: &Value) -> bool {
    let mut checker = Checker::default();
    check(selector, "", &mut checker);
    checker.causes.is_empty()
}

/// Whether a selector selects these labels; none at all selects nothing.
pub(super) fn selects(selector: &Value, labels: &Value) -> bool {
    if selector.is_null() {
        return false;
    }
    let label = |key: &str| labels.get(key).and_then(Value::as_str);
    entries(selector, "matchLabels").all(|(key, value)| label(key) == value.as_str())
        && items(selector, "matchExpressions").iter().all(|requirement| {
            let found = label(text(requirement, "key"));
            let listed = |found: &str| items(requirement, "values").iter().any(|value| value == found);
            match text(requirement, "operator") {
                "In" => found.is_some_and(listed),
                "NotIn" => !found.is_some_and(listed),
                "Exists" => found.is_some(),
                _ => found.is_none(),
            }
        })
}
