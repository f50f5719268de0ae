//! The library in a dedicated worker, which has no window.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::Duration;

use futures::StreamExt;
use masthead::{
    browser::{self, Browser, Fetch},
    rest::{Transport, WatchEvent},
};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use crate::page::Served;

mod page;

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
async fn fetches_and_aborts() {
    let served = Served::new(&["{}"]);
    let mut body = Fetch.send(served.get()).await.unwrap().body;
    assert_eq!(body.next().await.unwrap().unwrap(), b"{}");
    drop(body);
    assert_eq!(served.aborted(), 1);
}

#[wasm_bindgen_test]
async fn watches_over_a_socket() {
    let event = r#"{"type":"ADDED","object":{}}"#;
    let served = Served::never().sockets("finish", &[event]);
    let answer = Browser::new(browser::runtime()).watch(served.watch()).await.unwrap();
    let body = answer.collect(1 << 10).await.unwrap().body;
    assert!(matches!(WatchEvent::<serde_json::Value>::decode(&body), Ok(WatchEvent::Added(_))));
}

#[wasm_bindgen_test]
async fn time_passes() {
    let runtime = browser::runtime();
    let before = runtime.now();
    runtime.sleep(Duration::from_millis(20)).await;
    assert!(runtime.now() - before >= Duration::from_millis(20));
}
