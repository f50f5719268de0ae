//! Where the API is: from the address, from memory, or the root.

use masthead::Error;
use serde::Deserialize;
use wasm_bindgen::JsValue;
use web_sys::{Window, window};

use crate::{
    live::{address, memory, server::Server},
    model::address::{ApiPath, Fragment, NamedApi},
};

/// What is known of the API's place before anything was asked there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    pub(crate) base: ApiPath,
    /// Whether the address had a code that the server did not take: used before, or another server's.
    pub(crate) code_refused: bool,
}

/// Takes the API's place out of the address, and exchanges the code in it.
///
/// A place that is not a path on this origin is refused and left out, and so is a code that the server does not take: what was
/// remembered before stays.
pub(crate) async fn take() -> Place {
    let Some(window) = window() else { return Place::default() };
    let fragment = Fragment::parse(&window.location().hash().unwrap_or_default());
    if fragment.names_api() {
        show(&window, &fragment.visible);
    }
    let (base, code_refused) = match (fragment.code, fragment.api) {
        (Some(code), _) => match exchange(code).await {
            Ok(base) => (base, false),
            // Without an answer nothing is known of the code.
            Err(error) => (remembered(), !error.is_network()),
        },
        (None, NamedApi::Path(base)) => (base, false),
        (None, NamedApi::Refused(text)) => {
            leptos::logging::warn!("api={text} is not a path on this origin and was ignored");
            (remembered(), false)
        }
        (None, NamedApi::Absent) => (remembered(), false),
    };
    if !base.is_root() {
        keep_no_timings(&window);
    }
    Place { base, code_refused }
}

/// Loads the page anew when somebody put another place into the address of the open page.
pub(crate) fn follow() {
    let hash = window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    if Fragment::parse(&hash).names_api() {
        address::reload();
    }
}

/// Keeps `base`, which has answered, for the next tab of this origin; the root needs no keeping.
pub(crate) fn remember(base: &ApiPath) {
    if *base == remembered() {
        return;
    }
    if base.is_root() {
        memory::forget(KEY);
    } else {
        memory::keep(KEY, base.path());
    }
}

async fn exchange(code: String) -> Result<ApiPath, Error> {
    let session: Session = Server::at(ApiPath::default()).exchange(code).await?;
    ApiPath::parse(&session.api).ok_or_else(|| Error::network("exchange the code", "no path on this origin"))
}

/// What the server gives for a code.
#[derive(Deserialize)]
pub(crate) struct Session {
    api: String,
}

/// The browser lists the addresses of all requests for whatever runs in the page; these hold what opens the API.
fn keep_no_timings(window: &Window) {
    if let Some(performance) = window.performance() {
        performance.set_resource_timing_buffer_size(0);
        performance.clear_resource_timings();
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
