//! Where the API is: from the address, from memory, or the root.

use masthead::{
    browser,
    rest::{Config, RestClient},
};
use wasm_bindgen::JsValue;
use web_sys::{Window, window};

use crate::{
    live::{listen::on_window, memory},
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

/// Loads the page anew when somebody puts another place into the address of the open page.
pub(crate) fn follow_address() {
    on_window("hashchange", || {
        let Some(location) = window().map(|window| window.location()) else { return };
        let named = Fragment::parse(&location.hash().unwrap_or_default()).api != NamedApi::Absent;
        if named && location.reload().is_err() {
            leptos::logging::warn!("reload the page to use the new address");
        }
    });
}

/// Keeps `base` for the next tab of this origin; the root needs no keeping.
pub(crate) fn remember(base: &ApiPath) {
    if base.is_root() {
        memory::forget(KEY);
    } else {
        memory::keep(KEY, base.path());
    }
}

/// Whether the page's address begins like this behind its path.
pub(crate) fn is_at(fragment: &str) -> bool {
    window().and_then(|window| window.location().hash().ok()).is_some_and(|hash| hash.starts_with(fragment))
}

/// The parameters of the page's address.
pub(crate) fn params() -> Vec<(String, String)> {
    let hash = window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    let query = hash.split_once('?').map(|(_, query)| query).unwrap_or_default();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.replace("%20", " "))).collect()
}

/// A client of the server that the address names.
pub(crate) fn client() -> RestClient {
    let config = Config { qps: -1.0, ..browser::config(take().path()) };
    RestClient::new(config).expect("an API path is a path on this origin")
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
