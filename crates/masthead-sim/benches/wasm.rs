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

/// Reads a list as a page without this library would, in as many parts as the longest string of Node asks for.
fn parse(bytes: &[u8]) {
    let mut rest = bytes;
    while rest.len() > LONGEST {
        let end = rest[..LONGEST].windows(BETWEEN.len()).rposition(|part| part == BETWEEN).unwrap() + 1;
        let start = rest.iter().position(|byte| *byte == b'[').filter(|_| rest.len() == bytes.len());
        parse_text(&[b"[", &rest[start.map_or(0, |at| at + 1)..end], b"]"].concat());
        rest = &rest[end + 1..];
    }
    match rest.len() == bytes.len() {
        true => parse_text(rest),
        false => parse_text(&[b"{\"items\":[", rest].concat()),
    }
}

fn parse_text(bytes: &[u8]) {
    JSON::parse(str::from_utf8(bytes).unwrap()).unwrap();
}

/// Less than what V8 allows.
const LONGEST: usize = 400 << 20;

/// Where one item of a list ends and the next begins.
const BETWEEN: &[u8] = b"},{\"metadata\"";
