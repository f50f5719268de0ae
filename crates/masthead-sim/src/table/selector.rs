//! Selectors and labels as a cell shows them.

use serde_json::Value;

use super::cell::{NONE, list, or, text};

/// Labels with commas, in the order of their keys.
pub(super) fn labels(labels: &Value) -> String {
    let mut pairs: Vec<String> = equalities(labels).map(|(_, pair)| pair).collect();
    pairs.sort();
    or(&pairs.join(","), NONE).to_owned()
}

/// A selector in the words of a query; none, and one that selects everything, is `<none>`.
pub(super) fn shown(selector: &Value) -> String {
    match written(selector) {
        Some(written) => or(&written, NONE).to_owned(),
        None => "<error>".to_owned(),
    }
}

/// A selector in the words of a query, empty where it selects everything; `None` for one that cannot be.
pub(super) fn written(selector: &Value) -> Option<String> {
    let mut parts: Vec<(String, String)> = equalities(&selector["matchLabels"]).collect();
    for requirement in list(&selector["matchExpressions"]) {
        let key = text(&requirement["key"]);
        let mut values: Vec<&str> = list(&requirement["values"]).iter().map(text).collect();
        values.sort_unstable();
        let values = values.join(",");
        let part = match text(&requirement["operator"]) {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_owned(),
            "DoesNotExist" => format!("!{key}"),
            _ => return None,
        };
        parts.push((key.to_owned(), part));
    }
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    Some(parts.into_iter().map(|(_, part)| part).collect::<Vec<_>>().join(","))
}

fn equalities(labels: &Value) -> impl Iterator<Item = (String, String)> + '_ {
    let labels = labels.as_object().into_iter().flatten();
    labels.map(|(key, value)| (key.clone(), format!("{key}={}", text(value))))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{labels, shown};

    #[test]
    fn a_selector_reads_as_in_a_query() {
        let check = |selector: Value, expect: &str| assert_eq!(shown(&selector), expect, "{selector}");
        check(Value::Null, "<none>");
        check(json!({}), "<none>");
        check(json!({ "matchLabels": { "b": "2", "a": "1" } }), "a=1,b=2");
        let key =
            |key: &str, operator: &str, values: Value| json!({ "key": key, "operator": operator, "values": values });
        let all = json!([
            key("d", "Exists", Value::Null),
            key("c", "In", json!(["y", "x"])),
            key("e", "DoesNotExist", Value::Null),
            key("a", "NotIn", json!(["z"])),
        ]);
        check(json!({ "matchLabels": { "b": "2" }, "matchExpressions": all }), "a notin (z),b=2,c in (x,y),d,!e");
        check(json!({ "matchExpressions": [key("a", "Near", json!(["z"]))] }), "<error>");
        assert_eq!(labels(&json!({ "b": "2", "a": "" })), "a=,b=2");
        assert_eq!(labels(&json!(null)), "<none>");
    }
}
