//! The one clock of the page.

use std::time::Duration;

use leptos::prelude::{RwSignal, Set};
use masthead::browser::timer::sleep;
use wasm_bindgen_futures::spawn_local;
use web_sys::window;

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    // A float of milliseconds is exact for the next 280,000 years.
    js_sys::Date::now() as i64
}

/// Milliseconds since the page began, for short spans.
pub(crate) fn since_start() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

/// How far the person is east of UTC at present, in milliseconds.
pub(crate) fn offset() -> i64 {
    -(js_sys::Date::new_0().get_timezone_offset() * 60_000.0) as i64
}

/// A signal that ticks once a second for as long as the page lives.
pub(crate) fn ticking() -> RwSignal<i64> {
    let signal = RwSignal::new(now());
    spawn_local(async move {
        loop {
            sleep(Duration::from_secs(1)).await;
            signal.set(now());
        }
    });
    signal
}
