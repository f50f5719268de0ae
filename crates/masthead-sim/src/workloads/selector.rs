//! Label selectors as they stand in objects.

use std::collections::BTreeMap;

use serde_json::Value;

/// Whether the labels have every pair of a plain map.
pub(super) fn has_all(wanted: &Value, labels: &BTreeMap<String, String>) -> bool {
    let mut pairs = wanted.as_object().into_iter().flatten();
    pairs.all(|(key, value)| labels.get(key).map(String::as_str) == value.as_str())
}

/// Whether one expression of a selector holds, in the words of label or of node selectors.
pub(super) fn holds(expression: &Value, labels: &BTreeMap<String, String>) -> bool {
    let found = expression["key"].as_str().and_then(|key| labels.get(key));
    let values = || expression["values"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let number = |text: &str| text.parse::<i64>().ok();
    let bound = || values().next().and_then(number);
    match expression["operator"].as_str().unwrap_or_default() {
        "In" => found.is_some_and(|found| values().any(|value| value == found)),
        "NotIn" => found.is_none_or(|found| values().all(|value| value != found)),
        "Exists" => found.is_some(),
        "DoesNotExist" => found.is_none(),
        "Gt" => found.and_then(|found| number(found)).zip(bound()).is_some_and(|(found, bound)| found > bound),
        "Lt" => found.and_then(|found| number(found)).zip(bound()).is_some_and(|(found, bound)| found < bound),
        _ => false,
    }
}
