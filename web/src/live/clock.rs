//! The one clock of the page: the server's, as far as its answers tell of it.
//!
//! Everything with a time on it comes from the server, so that a computer whose clock is minutes off still shows true ages, and
//! the live edge of the timeline where the events are.

use std::{cell::Cell, time::Duration};

use leptos::prelude::{RwSignal, Set};
use masthead::browser::timer::sleep;
use wasm_bindgen_futures::spawn_local;
use web_sys::window;

use crate::model::skew::Skew;

thread_local! {
    static SKEW: Cell<Skew> = Cell::default();
}

/// Milliseconds since 1970, by the server's clock.
pub(crate) fn now() -> i64 {
    local() + skew()
}

/// Milliseconds since 1970, by the clock of this computer.
pub(crate) fn local() -> i64 {
    // A float of milliseconds is exact for the next 280,000 years.
    js_sys::Date::now() as i64
}

/// How many milliseconds the server's clock is ahead of this computer's; zero where they agree well enough.
pub(crate) fn skew() -> i64 {
    SKEW.get().millis()
}

/// Takes in that an answer to what was asked at `sent`, by this computer's clock, bears this date.
pub(crate) fn dated(sent: i64, date: &str) {
    let millis = js_sys::Date::parse(date);
    if millis.is_finite() {
        let mut skew = SKEW.get();
        skew.note(sent, local(), millis as i64);
        SKEW.set(skew);
    }
}

/// The server is another one.
pub(crate) fn forget() {
    SKEW.set(Skew::default());
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
