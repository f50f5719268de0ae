//! What queues and the correlator cost as WebAssembly. `cargo xtask bench queue` runs it in Node.
#![cfg(target_family = "wasm")]

mod queue;

use std::time::Duration;

use masthead::browser;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

#[wasm_bindgen]
extern "C" {
    type Usage;
    // For how long this program was on a processor.
    #[wasm_bindgen(js_namespace = process, js_name = cpuUsage)]
    fn usage() -> Usage;
    #[wasm_bindgen(method, getter)]
    fn user(this: &Usage) -> f64;
    #[wasm_bindgen(method, getter)]
    fn system(this: &Usage) -> f64;
}

#[wasm_bindgen_test]
fn measure() {
    let now = || {
        let usage = usage();
        Duration::from_secs_f64((usage.user() + usage.system()) / 1e6)
    };
    let place = queue::Place { runtime: browser::runtime(), now: &now, report: &|line| console_log!("{line}") };
    place.measure();
}
