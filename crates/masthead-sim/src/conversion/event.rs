//! Events of the core group and of `events.k8s.io`.

use serde_json::{Value, json};

use super::rename;

/// What the core group calls a field, and what the other group calls it.
const NAMES: [(&str, &str); 7] = [
    ("count", "deprecatedCount"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("involvedObject", "regarding"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("message", "note"),
    ("reportingComponent", "reportingController"),
    ("source", "deprecatedSource"),
];

/// From the core group.
pub(super) fn to_new(event: &mut Value) {
    rename(event, NAMES);
    write_absent(event, ["eventTime", "deprecatedFirstTimestamp", "deprecatedLastTimestamp"], Value::Null);
    write_absent(event, ["regarding", "deprecatedSource"], json!({}));
    let Some(fields) = event.as_object_mut() else { return };
    for field in ["reportingController", "reportingInstance"] {
        if fields.get(field).is_some_and(|value| value == "") {
            fields.remove(field);
        }
    }
}

/// To the core group.
pub(super) fn to_core(event: &mut Value) {
    rename(event, NAMES.map(|(core, new)| (new, core)));
    write_absent(event, ["eventTime", "firstTimestamp", "lastTimestamp"], Value::Null);
    write_absent(event, ["involvedObject", "source"], json!({}));
    write_absent(event, ["reportingComponent", "reportingInstance"], "".into());
}

/// Fields that are written even where they are empty.
fn write_absent<const N: usize>(event: &mut Value, fields: [&str; N], empty: Value) {
    for field in fields {
        if event.get(field).is_none() {
            event[field] = empty.clone();
        }
    }
}
