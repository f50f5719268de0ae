//! Finalizers that keep what is in use.

use serde_json::{Value, json};

use crate::tree::{fill, items, made};

/// Adds a finalizer.
pub(super) fn protect(object: &mut Value, finalizer: &str) {
    let Some(metadata) = made(object, "metadata") else { return };
    if items(metadata, "finalizers").iter().any(|known| known == finalizer) {
        return;
    }
    fill(metadata, "finalizers", json!([]));
    if let Some(all) = metadata["finalizers"].as_array_mut() {
        all.push(finalizer.into());
    }
}
