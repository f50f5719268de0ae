//! Quantities as objects name them: `100m`, `64Mi`, `1.5`, `2e3`.

use serde_json::Value;

/// A quantity in thousandths; `None` for what is none.
pub(super) fn milli(value: &Value) -> Option<i128> {
    match value {
        Value::String(text) => parse(text),
        Value::Number(number) => parse(&number.to_string()),
        _ => None,
    }
}

fn parse(text: &str) -> Option<i128> {
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+')).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let factor: f64 = match suffix {
        "n" => 1e-6,
        "u" => 1e-3,
        "m" => 1.0,
        "" => 1e3,
        "k" => 1e6,
        "M" => 1e9,
        "G" => 1e12,
        "T" => 1e15,
        "P" => 1e18,
        "Ki" => 1024f64 * 1e3,
        "Mi" => 1024f64.powi(2) * 1e3,
        "Gi" => 1024f64.powi(3) * 1e3,
        "Ti" => 1024f64.powi(4) * 1e3,
        "Pi" => 1024f64.powi(5) * 1e3,
        exponent => 10f64.powi(exponent.strip_prefix(['e', 'E'])?.parse::<i32>().ok()?) * 1e3,
    };
    // Rounded up, as the server does with what is finer than it counts.
    Some((number.parse::<f64>().ok()? * factor).ceil() as i128)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    #[test]
    fn quantities_are_read_in_thousandths() {
        let check = |value: Value, expect: Option<i128>| assert_eq!(super::milli(&value), expect, "{value}");
        check(json!("100m"), Some(100));
        check(json!("1.5"), Some(1500));
        check(json!(2), Some(2000));
        check(json!("64Mi"), Some(67_108_864_000));
        check(json!("2e3"), Some(2_000_000));
        check(json!("1k"), Some(1_000_000));
        check(json!("lots"), None);
        check(json!(null), None);
    }
}
