//! Where the API is: from the address, from memory, or the root.

use wasm_bindgen::JsValue;
use web_sys::{Window, window};

use crate::{
    live::{address, memory},
    model::address::{ApiPath, Fragment, NamedApi},
};

/// Takes the API's place out of the address and remembers it for the next tab.
///
/// A place that is not a path on this origin is refused and left out; what was remembered before stays.
pub(crate) fn take() -> ApiPath {
    let Some(window) = window() else { return ApiPath::default() };
    let fragment = Fragment::parse(&window.location().hash().unwrap_or_default());
    if fragment.api != NamedApi::Absent {
        show(&window, &fragment.visible);
    }
    match fragment.api {
        NamedApi::Path(base) => {
            remember(&base);
            base
        }
        NamedApi::Refused(text) => {
            leptos::logging::warn!("api={text} is not a path on this origin and was ignored");
            remembered()
        }
        NamedApi::Absent => remembered(),
    }
}

/// Loads the page anew when somebody put another place into the address of the open page.
pub(crate) fn follow() {
    let hash = window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    if Fragment::parse(&hash).api != NamedApi::Absent {
        address::reload();
    }
}

/// Keeps `base` for the next tab of this origin; the root needs no keeping.
pub(crate) fn remember(base: &ApiPath) {
    if base.is_root() {
        memory::forget(KEY);
    } else {
        memory::keep(KEY, base.path());
    }
}

fn remembered() -> ApiPath {
    memory::recall(KEY).and_then(|text| ApiPath::parse(&text)).unwrap_or_default()
}

fn show(window: &Window, fragment: &str) {
    let location = window.location();
    let path = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
    let replaced = window
        .history()
        .and_then(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(&(path + fragment))));
    if replaced.is_err() {
        leptos::logging::warn!("the browser did not let the page shorten its address");
    }
}

const KEY: &str = "masthead.api";
