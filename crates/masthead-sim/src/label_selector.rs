//! Label selectors as they stand in objects.

use std::collections::BTreeMap;

use serde_json::Value;

/// Whether a selector with `matchLabels` and `matchExpressions` selects these labels. An empty one selects all.
pub(crate) fn selects(selector: &Value, labels: &BTreeMap<String, String>) -> bool {
    let mut pairs = selector["matchLabels"].as_object().into_iter().flatten();
    let mut expressions = selector["matchExpressions"].as_array().into_iter().flatten();
    pairs.all(|(key, value)| labels.get(key).map(String::as_str) == value.as_str())
        && expressions.all(|expression| holds(expression, labels))
}

fn holds(expression: &Value, labels: &BTreeMap<String, String>) -> bool {
    let found = expression["key"].as_str().and_then(|key| labels.get(key));
    let values = || expression["values"].as_array().into_iter().flatten().filter_map(Value::as_str);
    match expression["operator"].as_str().unwrap_or_default() {
        "In" => found.is_some_and(|found| values().any(|value| value == found)),
        "NotIn" => found.is_none_or(|found| values().all(|value| value != found)),
        "Exists" => found.is_some(),
        "DoesNotExist" => found.is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::selects;

    #[test]
    fn every_requirement_must_hold() {
        let labels = [("app".to_owned(), "web".to_owned())].into();
        let check = |selector: serde_json::Value, expect| assert_eq!(selects(&selector, &labels), expect, "{selector}");
        let one = |operator: &str, key: &str, values: &[&str]| json!({ "matchExpressions": [{ "key": key, "operator": operator, "values": values }] });
        check(json!({}), true);
        check(json!({ "matchLabels": { "app": "web" } }), true);
        check(json!({ "matchLabels": { "app": "db" } }), false);
        check(one("In", "app", &["db", "web"]), true);
        check(one("In", "tier", &["db"]), false);
        check(one("NotIn", "tier", &["db"]), true);
        check(one("NotIn", "app", &["web"]), false);
        check(one("Exists", "app", &[]), true);
        check(one("DoesNotExist", "app", &[]), false);
    }
}
