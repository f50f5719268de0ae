//! JSON as text that compares well line by line.

use serde_json::Value;

/// `value` with whatever fits a line on that line, and the rest a member per line.
pub(crate) fn text(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text
}

/// How wide a line may get.
const WIDTH: usize = 118;

fn write(value: &Value, indent: usize, out: &mut String) {
    let compact = value.to_string();
    let is_scalar = !matches!(value, Value::Array(_) | Value::Object(_));
    if is_scalar || indent + compact.len() <= WIDTH {
        out.push_str(&compact);
        return;
    }
    let (open, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
    out.push(open);
    let mut separator = "\n";
    for (name, value) in members(value) {
        out.push_str(separator);
        out.push_str(&" ".repeat(indent + 2));
        if let Some(name) = name {
            out.push_str(&format!("{}: ", Value::from(name)));
        }
        write(value, indent + 2, out);
        separator = ",\n";
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(close);
}

fn members(value: &Value) -> Vec<(Option<&str>, &Value)> {
    match value {
        Value::Array(items) => items.iter().map(|item| (None, item)).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (Some(name.as_str()), value)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn breaks_only_what_is_too_wide() {
        let value = json!({ "a": ["x".repeat(60), "y".repeat(60)], "b": { "c": 1 } });
        let lines: Vec<usize> = text(&value).lines().map(str::len).collect();
        assert_eq!(lines, [1, 8, 67, 66, 4, 14, 1]);
        assert_eq!(serde_json::from_str::<Value>(&text(&value)).unwrap(), value);
    }
}
