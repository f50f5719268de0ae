//! Files of objects as `kubectl` reads and prints them.

use anyhow::Result;
use serde_json::{Deserializer, Value};
use serde_saphyr::{Options, budget, options};

/// The objects of a file: YAML or JSON, any number of documents, and the items of lists. Each with where it stands, as in
/// `document 2` or `document 1: items[3]`.
///
/// # Errors
///
/// What is no YAML or JSON, with its line.
pub(super) fn objects(text: &str) -> Result<Vec<(String, Value)>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let json = || Deserializer::from_str(text).into_iter().collect::<Result<Vec<Value>, _>>().ok();
    let documents = match text.trim_start().starts_with('{').then(json).flatten() {
        Some(documents) => documents,
        None => serde_saphyr::from_multiple_with_options(text, limits())?,
    };
    let mut objects = Vec::new();
    for (index, document) in documents.into_iter().enumerate() {
        unpack(format!("document {}", index + 1), document, &mut objects);
    }
    Ok(objects)
}

/// Lists hold objects, which may be lists.
fn unpack(place: String, mut value: Value, objects: &mut Vec<(String, Value)>) {
    let is_list = value["kind"].as_str().is_some_and(|kind| kind.ends_with("List"));
    match value.get_mut("items").map(Value::take) {
        Some(Value::Array(items)) if is_list => {
            for (index, item) in items.into_iter().enumerate() {
                unpack(format!("{place}: items[{index}]"), item, objects);
            }
        }
        Some(items) => {
            value["items"] = items;
            objects.push((place, value));
        }
        None => objects.push((place, value)),
    }
}

/// A bundle of an operator's definitions has some hundred thousand nodes, and a pod template lies deep.
fn limits() -> Options {
    options! {
        budget: budget! {
            max_depth: 256,
            max_nodes: 8_000_000,
            max_events: 32_000_000,
        },
        with_snippet: false,
    }
}
