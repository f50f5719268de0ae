//! Fetch in a page: streams, aborts and what a page's own origin answers.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::Duration;

use futures::{
    StreamExt,
    future::{Either, select},
};
use masthead::{
    browser::{Fetch, timer::sleep},
    rest::{Answer, HttpRequest, Transport},
};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use crate::page::Served;

mod page;

wasm_bindgen_test_configure!(run_in_browser);

const JSON: &str = "application/json";

async fn get(served: &Served) -> Answer {
    Fetch.send(served.get()).await.unwrap()
}

#[wasm_bindgen_test]
async fn reads_a_body_to_its_end() {
    let served = Served::bytes(200, br#"{"gitVersion":"v1.36.3"}"#, JSON);
    let response = get(&served).await.collect(1 << 10).await.unwrap();
    assert_eq!((response.code, response.content_type()), (200, JSON));
    assert_eq!(response.body, br#"{"gitVersion":"v1.36.3"}"#);
    assert_eq!(served.requests(), ["?pretty=false"]);
}

#[wasm_bindgen_test]
async fn a_large_body_arrives_in_chunks_and_whole() {
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|i| i.to_le_bytes()[0]).collect();
    let mut body = get(&Served::bytes(200, &bytes, JSON)).await.body;
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
    let mut body = get(&Served::bytes(200, b"", JSON)).await.body;
    assert!(body.next().await.is_none());
    assert!(body.next().await.is_none());
}

#[wasm_bindgen_test]
async fn a_page_where_an_api_should_be_is_a_clear_error() {
    let root = HttpRequest { url: "/".into(), ..Served::never().get() };
    let answer = Fetch.send(root).await.unwrap();
    let error = answer.collect(1 << 20).await.unwrap().decode::<serde_json::Value>().unwrap_err();
    assert!(error.is_not_json(), "{error}");
}

#[wasm_bindgen_test]
async fn nobody_at_the_address_is_a_network_error() {
    let nobody = HttpRequest { url: "http://127.0.0.1:1/version".into(), ..Served::never().get() };
    let error = Fetch.send(nobody).await.unwrap_err();
    assert!(error.is_network(), "{error}");
}

#[wasm_bindgen_test]
async fn headers_that_browsers_keep_to_themselves_do_no_harm() {
    let served = Served::bytes(200, b"{}", JSON);
    let mut request = served.get();
    for name in ["User-Agent", "Host", "Connection", "Cookie", "Accept-Encoding"] {
        request.headers.add(name, "masthead");
    }
    assert_eq!(Fetch.send(request).await.unwrap().code, 200);
}

#[wasm_bindgen_test]
async fn chunks_arrive_before_the_body_ends() {
    let stream = Served::new(&["{\"a\":1}\n", "{\"b\""]);
    let mut body = get(&stream).await.body;
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
    let stream = Served::new(&["{}"]);
    let mut body = get(&stream).await.body;
    body.next().await.unwrap().unwrap();
    drop(body);
    assert_eq!(stream.aborted(), 1);
}

#[wasm_bindgen_test]
async fn dropping_a_request_without_an_answer_aborts_it() {
    let stream = Served::never();
    match select(Fetch.send(stream.get()), sleep(Duration::from_millis(20))).await {
        Either::Left(_) => panic!("answered"),
        Either::Right((_, request)) => drop(request),
    }
    assert_eq!(stream.aborted(), 1);
}

#[wasm_bindgen_test]
async fn leaving_the_page_ends_what_is_open_with_an_error_that_may_be_tried_again() {
    let (stream, silent) = (Served::new(&["{}"]), Served::never());
    let mut body = get(&stream).await.body;
    body.next().await.unwrap().unwrap();
    let waiting = match select(Fetch.send(silent.get()), sleep(Duration::from_millis(20))).await {
        Either::Left(_) => panic!("answered"),
        Either::Right((_, waiting)) => waiting,
    };
    page::leave();
    for error in [body.next().await.unwrap().unwrap_err(), waiting.await.unwrap_err()] {
        assert!(error.is_network() && error.to_string().contains("the page was left"), "{error}");
    }
    assert_eq!((stream.aborted(), silent.aborted()), (1, 1));
}
