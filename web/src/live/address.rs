//! The page's address and the route in it, each kept equal to the other.

use leptos::prelude::{GetUntracked, RwSignal, Set};
use wasm_bindgen::JsValue;
use web_sys::{History, window};

use crate::{
    live::{listen::on_window, place},
    model::route::Route,
};

/// The route in the address; follows whatever changes it, until the page is left.
pub(crate) fn followed() -> RwSignal<Route> {
    let route = RwSignal::new(read());
    for event in ["popstate", "hashchange"] {
        on_window(event, move || {
            place::follow();
            let new = read();
            let before = route.get_untracked();
            if new.demo != before.demo {
                reload();
            }
            if new != before {
                route.set(new);
            }
        });
    }
    route
}

/// Goes to another view: the present one is a step back.
pub(crate) fn go(route: &Route) {
    write(route, |history, url| history.push_state_with_url(&JsValue::NULL, "", Some(url)));
}

/// Changes the present view: there is no way back to how it was.
pub(crate) fn amend(route: &Route) {
    write(route, |history, url| history.replace_state_with_url(&JsValue::NULL, "", Some(url)));
}

/// One step back in history, or forward.
pub(crate) fn step(forward: bool) {
    let stepped = window().and_then(|window| window.history().ok()).map(|history| match forward {
        true => history.forward(),
        false => history.back(),
    });
    debug_assert!(matches!(stepped, Some(Ok(()))), "a page has a history");
}

/// The whole address, for somebody else.
pub(crate) fn link() -> String {
    window().and_then(|window| window.location().href().ok()).unwrap_or_default()
}

/// Loads the page anew, at the address it has.
pub(crate) fn reload() {
    if window().is_none_or(|window| window.location().reload().is_err()) {
        leptos::logging::warn!("reload the page to use the new address");
    }
}

fn read() -> Route {
    Route::parse(&window().and_then(|window| window.location().hash().ok()).unwrap_or_default())
}

fn write(route: &Route, change: impl Fn(&History, &str) -> Result<(), JsValue>) {
    let Some(history) = window().and_then(|window| window.history().ok()) else { return };
    // Browsers refuse when an address changes a hundred times in some seconds; the view itself is not bound to it.
    if change(&history, &route.write()).is_err() {
        leptos::logging::warn!("the browser did not take the address of this view");
    }
}
