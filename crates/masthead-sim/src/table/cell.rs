//! What cells are made of: the fields of an object, where a missing one is Go's zero value.

use serde_json::{Map, Value};

/// The cells of a row, each from whatever becomes a JSON value.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { vec![$(serde_json::Value::from($cell)),*] };
}

pub(super) use cells;

pub(super) const NONE: &str = "<none>";
pub(super) const UNSET: &str = "<unset>";
pub(super) const UNKNOWN: &str = "<unknown>";

/// How many of a list are shown before the rest is only counted.
const SHOWN: usize = 3;

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The text, or what stands for an empty one.
pub(super) fn text_or<'a>(value: &'a Value, otherwise: &'a str) -> &'a str {
    or(text(value), otherwise)
}

pub(super) fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}

/// The text of a field that may be left out, which is not the same as empty.
pub(super) fn optional<'a>(value: &'a Value, otherwise: &'a str) -> &'a str {
    value.as_str().unwrap_or(otherwise)
}

pub(super) fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_default()
}

pub(super) fn flag(value: &Value) -> bool {
    value.as_bool().unwrap_or_default()
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// How many members a list or a map has.
pub(super) fn count(value: &Value) -> usize {
    value.as_array().map(Vec::len).or_else(|| value.as_object().map(Map::len)).unwrap_or_default()
}

/// A number or a text that stands for one, as quantities and `IntOrString` are.
pub(super) fn either(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A quantity; none is zero.
pub(super) fn quantity(value: &Value) -> String {
    either(value).unwrap_or_else(|| "0".to_owned())
}

/// The condition of this type.
pub(super) fn condition<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    list(&object["status"]["conditions"]).iter().find(|condition| condition["type"] == name)
}

/// A list with commas, only its beginning where it is long.
pub(super) fn shortened(items: impl Iterator<Item = String>, otherwise: &str) -> String {
    let items: Vec<String> = items.collect();
    let more = items.len().saturating_sub(SHOWN);
    let shown = items[..items.len() - more].join(",");
    match more {
        0 => or(&shown, otherwise).to_owned(),
        more => format!("{shown} + {more} more..."),
    }
}

/// The names and the images of the containers of a pod template.
pub(super) fn containers(template: &Value) -> [String; 2] {
    let all = list(&template["spec"]["containers"]);
    ["name", "image"].map(|field| all.iter().map(|container| text(&container[field])).collect::<Vec<_>>().join(","))
}
