//! What the browser remembers for this origin, across tabs and visits.

use web_sys::{Storage, window};

/// What was kept under `key`.
pub(crate) fn recall(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Keeps `value` under `key`. Browsers may refuse storage; the page then works without memory and says so once here.
pub(crate) fn keep(key: &str, value: &str) {
    if storage().is_none_or(|storage| storage.set_item(key, value).is_err()) {
        leptos::logging::warn!("this browser keeps no storage for the page: {key} is forgotten with the tab");
    }
}

/// Forgets what was kept under `key`.
pub(crate) fn forget(key: &str) {
    if storage().is_some_and(|storage| storage.remove_item(key).is_err()) {
        leptos::logging::warn!("this browser did not let the page forget {key}");
    }
}

fn storage() -> Option<Storage> {
    window()?.local_storage().ok().flatten()
}
