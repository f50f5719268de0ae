//! What the simulator costs as WebAssembly. `cargo xtask bench sim` runs it in Node.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

use js_sys::JSON;
use masthead::{browser, runtime::Instant};
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

mod measures;

#[wasm_bindgen_test]
fn measure() {
    let runtime = browser::runtime();
    let place = measures::Place {
        now: &|| runtime.now().since(Instant::ORIGIN),
        memory: &|| core::arch::wasm32::memory_size(0) << 16,
        floor: &parse,
        floor_name: "JSON.parse",
    };
    place.measure(&mut |line| console_log!("{line}"));
}

/// Reads a list as a page without this library would.
fn parse(bytes: &[u8]) {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    JSON::parse(&text).unwrap();
}
