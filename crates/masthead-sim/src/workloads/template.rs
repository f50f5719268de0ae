//! Pods made from a template, and the hash that names a template.

use serde_json::{Value, json};

use crate::object::Key;

/// A pod of a template, owned by a controller: `name` is its name, or the beginning of one if it ends with a dash.
pub(crate) fn pod(template: &Value, owner: &Value, name: &str) -> Value {
    let named = if name.ends_with('-') { "generateName" } else { "name" };
    let mut metadata = json!({
        named: name, "namespace": owner["metadata"]["namespace"], "ownerReferences": [reference(owner)],
    });
    for field in ["labels", "annotations", "finalizers"] {
        if !template["metadata"][field].is_null() {
            metadata[field] = template["metadata"][field].clone();
        }
    }
    json!({ "apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"] })
}

/// The reference of what a controller owns to the controller.
pub(crate) fn reference(owner: &Value) -> Value {
    json!({
        "apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"], "controller": true, "blockOwnerDeletion": true,
    })
}

/// A short name for a template, in the letters that the real controllers use.
pub(crate) fn hash(template: &Value, collisions: u64) -> String {
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    let collisions = collisions.to_le_bytes();
    let suffix: &[u8] = if collisions == [0; 8] { &[] } else { &collisions };
    let text = template.to_string();
    let bytes = text.as_bytes().iter().chain(suffix);
    // FNV-1a in 32 bits. The real one hashes Go's own view of the template, so the hashes differ though not their form.
    let sum = bytes.fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    sum.to_string().bytes().map(|digit| char::from(LETTERS[usize::from(digit) % LETTERS.len()])).collect()
}

/// How many of a number a count or a percentage is.
pub(super) fn share(value: &Value, of: u64, rounds_up: bool) -> u64 {
    match value {
        Value::String(text) => {
            let percent: u64 = text.trim_end_matches('%').parse().unwrap_or_default();
            if rounds_up { (of * percent).div_ceil(100) } else { of * percent / 100 }
        }
        other => other.as_u64().unwrap_or_default(),
    }
}

/// The uid of an object.
pub(super) fn uid(object: &Value) -> &str {
    object["metadata"]["uid"].as_str().unwrap_or_default()
}

/// The name of an object.
pub(crate) fn name(object: &Value) -> &str {
    object["metadata"]["name"].as_str().unwrap_or_default()
}

/// Whether somebody asked for the end of an object.
pub(super) fn is_ending(object: &Value) -> bool {
    !object["metadata"]["deletionTimestamp"].is_null()
}

/// The key of what an object in the same namespace is named.
pub(super) fn beside(object: &Value, name: &str) -> Key {
    Key::new(object["metadata"]["namespace"].as_str().unwrap_or_default(), name)
}
