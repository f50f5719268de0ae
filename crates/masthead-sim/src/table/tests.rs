//! The cells of every kind, and tables as they are asked for.

mod pods;
mod requests;
mod rows;

use std::time::Duration;

use serde_json::Value;

use super::printer::cells_of;

/// Midnight of the first of January 2026, when all of these are printed.
const NOW: Duration = Duration::from_secs(1_767_225_600);

/// The cells of an object, after its name and without its age, which come first and before what only wide tables show.
fn cells(group: &str, plural: &str, object: &Value) -> Vec<Value> {
    let mut object = object.clone();
    object["metadata"]["name"] = "a".into();
    object["metadata"]["creationTimestamp"] = "2025-12-31T23:00:00Z".into();
    cells_of(group, plural).expect("this kind has a printer")(&object, NOW)
}

fn check(group: &str, plural: &str, object: Value, expect: Value) {
    assert_eq!(Value::from(cells(group, plural, &object)), expect, "{plural} {object}");
}
