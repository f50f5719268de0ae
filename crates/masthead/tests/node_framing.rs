//! Framing and decoding on wasm32, in Node.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use masthead::rest::{Framer, WatchEvent};
use serde::Deserialize;
use wasm_bindgen_test::wasm_bindgen_test;

#[derive(Debug, Deserialize, PartialEq)]
struct Named {
    name: String,
}

#[wasm_bindgen_test]
fn any_single_cut_gives_the_same_events() {
    let stream =
        "{\"type\":\"ADDED\",\"object\":{\"name\":\"}é\\\"\"}}\n{\"type\":\"DELETED\",\"object\":{\"name\":\"b\"}}";
    for cut in 0..=stream.len() {
        let mut framer = Framer::default();
        let mut events = Vec::new();
        for chunk in [&stream.as_bytes()[..cut], &stream.as_bytes()[cut..]] {
            framer.push(chunk);
            while let Some(frame) = framer.next_frame().unwrap() {
                events.push(WatchEvent::<Named>::decode(frame).unwrap());
            }
        }
        assert_eq!(framer.finish(), Ok(None));
        let expect =
            [WatchEvent::Added(Named { name: "}é\"".into() }), WatchEvent::Deleted(Named { name: "b".into() })];
        assert_eq!(events, expect, "cut at {cut}");
    }
}

#[wasm_bindgen_test]
fn an_undecodable_object_leaves_the_stream_alive() {
    let mut framer = Framer::default();
    framer.push(br#"{"type":"ADDED","object":{"name":1}}{"type":"ADDED","object":{"name":"b"}}"#);
    let first = WatchEvent::<Named>::decode(framer.next_frame().unwrap().unwrap());
    assert!(first.unwrap_err().is_undecodable());
    let second = WatchEvent::<Named>::decode(framer.next_frame().unwrap().unwrap()).unwrap();
    assert_eq!(second, WatchEvent::Added(Named { name: "b".into() }));
}
