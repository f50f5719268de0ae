//! Timers in a page.
#![cfg(target_family = "wasm")]

use std::time::Duration;

use futures::future::{Either, select};
use masthead::browser::timer::sleep;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn sleeps_at_least_as_long_as_asked() {
    let start = js_sys::Date::now();
    sleep(Duration::from_millis(40)).await;
    assert!(js_sys::Date::now() - start >= 39.0);
}

#[wasm_bindgen_test]
async fn no_time_at_all_still_yields_and_ends() {
    sleep(Duration::ZERO).await;
}

#[wasm_bindgen_test]
async fn a_sleep_of_months_does_not_fire_at_once() {
    let days = 24 * 60 * 60;
    for long in [Duration::from_secs(25 * days), Duration::from_secs(60 * days), Duration::MAX] {
        let short = sleep(Duration::from_millis(30));
        assert!(matches!(select(sleep(long), short).await, Either::Right(_)), "{long:?} fired");
    }
}

#[wasm_bindgen_test]
async fn the_shorter_of_two_ends_first() {
    let (long, short) = (sleep(Duration::from_millis(80)), sleep(Duration::from_millis(10)));
    assert!(matches!(select(long, short).await, Either::Right(_)));
}
