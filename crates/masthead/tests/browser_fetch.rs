//! Fetch in a page: streams, aborts and what a page's own origin answers.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::Duration;

use futures::{
    StreamExt,
    future::{Either, select},
};
use masthead::browser::{fetch, timer::sleep};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

mod page;

wasm_bindgen_test_configure!(run_in_browser);

const JSON: &str = "application/json";

#[wasm_bindgen_test]
async fn reads_a_body_to_its_end() {
    let url = page::blob(br#"{"gitVersion":"v1.36.3"}"#, JSON);
    let response = fetch::get("get version", &url, JSON).await.unwrap().collect(1 << 10).await.unwrap();
    assert_eq!((response.code, response.content_type.as_str()), (200, JSON));
    assert_eq!(response.body, br#"{"gitVersion":"v1.36.3"}"#);
}

#[wasm_bindgen_test]
async fn a_large_body_arrives_in_chunks_and_whole() {
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|i| i.to_le_bytes()[0]).collect();
    let mut body = fetch::get("get", &page::blob(&bytes, JSON), JSON).await.unwrap().body;
    let (mut found, mut chunks) = (Vec::new(), 0);
    while let Some(chunk) = body.next().await {
        found.extend(chunk.unwrap());
        chunks += 1;
    }
    assert!(found == bytes, "{} of {} bytes", found.len(), bytes.len());
    assert!(chunks > 1, "in one piece");
}

#[wasm_bindgen_test]
async fn an_empty_body_ends_at_once() {
    let mut body = fetch::get("get", &page::blob(b"", JSON), JSON).await.unwrap().body;
    assert!(body.next().await.is_none());
    assert!(body.next().await.is_none());
}

#[wasm_bindgen_test]
async fn a_page_where_an_api_should_be_is_a_clear_error() {
    let answer = fetch::get("get version", "/", JSON).await.unwrap();
    let error = answer.collect(1 << 20).await.unwrap().decode::<serde_json::Value>("get version").unwrap_err();
    assert!(error.is_not_json(), "{error}");
}

#[wasm_bindgen_test]
async fn nobody_at_the_address_is_a_network_error() {
    let error = fetch::get("get version", "http://127.0.0.1:1/version", JSON).await.unwrap_err();
    assert!(error.is_network(), "{error}");
}

#[wasm_bindgen_test]
async fn chunks_arrive_before_the_body_ends() {
    let stream = page::Served::new(&["{\"a\":1}\n", "{\"b\""]);
    let mut body = fetch::get("watch", stream.url(), JSON).await.unwrap().body;
    let mut found = Vec::new();
    while found.len() < 12 {
        found.extend(body.next().await.unwrap().unwrap());
    }
    assert_eq!(found, b"{\"a\":1}\n{\"b\"");
    assert!(matches!(select(body.next(), sleep(Duration::from_millis(50))).await, Either::Right(_)), "still open");
    assert_eq!(stream.aborted(), 0);
}

#[wasm_bindgen_test]
async fn dropping_the_body_aborts_the_request() {
    let stream = page::Served::new(&["{}"]);
    let mut body = fetch::get("watch", stream.url(), JSON).await.unwrap().body;
    body.next().await.unwrap().unwrap();
    drop(body);
    assert_eq!(stream.aborted(), 1);
}

#[wasm_bindgen_test]
async fn dropping_a_request_without_an_answer_aborts_it() {
    let stream = page::Served::never();
    let request = fetch::get("watch", stream.url(), JSON);
    match select(Box::pin(request), sleep(Duration::from_millis(20))).await {
        Either::Left(_) => panic!("answered"),
        Either::Right((_, request)) => drop(request),
    }
    assert_eq!(stream.aborted(), 1);
}
