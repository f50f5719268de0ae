//! Fetch and timers in Node, against a server on loopback in the same process.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::Duration;

use futures::{
    StreamExt,
    future::{Either, select},
};
use masthead::{
    browser::{fetch, timer::sleep},
    rest::{Framer, WatchEvent},
};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen(module = "/tests/node_server.js")]
extern "C" {
    /// Starts a server and gives its address.
    #[wasm_bindgen(js_name = startServer)]
    async fn start_server() -> wasm_bindgen::JsValue;
    /// Completes when the server has seen the client of `/endless` leave.
    #[wasm_bindgen(js_name = endlessClosed)]
    async fn endless_closed();
}

async fn address(path: &str) -> String {
    format!("{}{path}", start_server().await.as_string().unwrap())
}

#[derive(Debug, Deserialize)]
struct Version {
    #[serde(rename = "gitVersion")]
    git_version: String,
}

#[wasm_bindgen_test]
async fn reads_a_complete_answer() {
    let answer = fetch::get("get version", &address("/version").await, "application/json").await.unwrap();
    let version: Version = answer.collect(1 << 10).await.unwrap().decode("get version").unwrap();
    assert_eq!(version.git_version, "v1.36.3");
}

#[wasm_bindgen_test]
async fn an_answer_over_its_limit_is_an_error() {
    let answer = fetch::get("get version", &address("/version").await, "application/json").await.unwrap();
    let error = answer.collect(4).await.unwrap_err();
    assert_eq!(error.to_string(), "get version: the answer is larger than 4 bytes");
}

#[wasm_bindgen_test]
async fn a_refusal_carries_the_server_s_status() {
    let answer = fetch::get("list pods", &address("/forbidden").await, "application/json").await.unwrap();
    assert_eq!(answer.code, 403);
    let error = answer.collect(1 << 10).await.unwrap().decode::<Version>("list pods").unwrap_err();
    assert!(error.is_forbidden(), "{error}");
}

#[wasm_bindgen_test]
async fn nobody_at_the_address_is_a_network_error() {
    let error = fetch::get("get version", "http://127.0.0.1:1/version", "application/json").await.unwrap_err();
    assert!(error.is_network(), "{error}");
}

#[wasm_bindgen_test]
async fn a_watch_streams_events_and_then_breaks() {
    let mut body = fetch::get("watch", &address("/cut").await, "application/json").await.unwrap().body;
    let (mut framer, mut events) = (Framer::default(), 0);
    let error = loop {
        match body.next().await.unwrap() {
            Ok(chunk) => framer.push(&chunk),
            Err(error) => break error,
        }
        while let Some(frame) = framer.next_frame().unwrap() {
            WatchEvent::<serde_json::Value>::decode(frame).unwrap();
            events += 1;
        }
    };
    assert!(error.is_network(), "{error}");
    assert_eq!(events, 2);
    assert!(body.next().await.is_none(), "nothing follows an error");
}

#[wasm_bindgen_test]
async fn dropping_the_body_closes_the_connection() {
    let mut body = fetch::get("watch", &address("/endless").await, "application/json").await.unwrap().body;
    body.next().await.unwrap().unwrap();
    drop(body);
    let closed = std::pin::pin!(endless_closed());
    assert!(matches!(select(closed, sleep(Duration::from_secs(5))).await, Either::Left(_)), "still open after 5 s");
}
