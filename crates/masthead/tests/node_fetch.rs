//! Fetch, timers and the runtime in Node, against a server on loopback in the same process.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{collections::BTreeMap, rc::Rc, time::Duration};

use futures::{
    StreamExt,
    future::{Either, join_all, select},
};
use masthead::{
    browser::{self, Browser, Fetch, timer::sleep},
    rest::{Answer, Headers, HttpRequest, Method, PatchKind, RestClient, Transport, WatchEvent},
};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen(module = "/tests/node_server.js")]
extern "C" {
    /// Starts a server and gives its address.
    #[wasm_bindgen(js_name = startServer)]
    async fn start_server() -> wasm_bindgen::JsValue;
    /// Completes when the server has seen the client of this path leave.
    #[wasm_bindgen(js_name = left)]
    async fn left(path: &str);
}

async fn host() -> String {
    start_server().await.as_string().unwrap()
}

async fn client() -> RestClient {
    RestClient::new(browser::config(host().await)).unwrap()
}

async fn request(method: Method, path: &str) -> HttpRequest {
    let url = host().await + path;
    HttpRequest { operation: "test".into(), method, url, headers: Headers::default(), body: None }
}

async fn get(path: &str) -> Answer {
    Fetch.send(request(Method::Get, path).await).await.unwrap()
}

/// What the server was asked.
#[derive(Debug, Deserialize)]
struct Echo {
    method: String,
    url: String,
    headers: BTreeMap<String, String>,
    body: String,
}

#[wasm_bindgen_test]
async fn every_verb_carries_its_body_and_headers() {
    let client = client().await;
    let sent = [
        (client.post().json(&7), "POST", "7", Some("application/json")),
        (client.put().json(&"é"), "PUT", "\"é\"", Some("application/json")),
        (client.patch(PatchKind::Apply).body("a: 1"), "PATCH", "a: 1", Some("application/apply-patch+yaml")),
        (client.delete().json(&[1]), "DELETE", "[1]", Some("application/json")),
        (client.delete(), "DELETE", "", None),
        (client.get(), "GET", "", None),
    ];
    for (request, method, body, content_type) in sent {
        let request = request.abs_path(["/echo"]).param("a", "b&c").set_header("X-Test", ["1", "2"]);
        let echo: Echo = request.send().await.unwrap().decode().unwrap();
        assert_eq!((echo.method.as_str(), echo.body.as_str()), (method, body));
        assert_eq!(echo.headers.get("content-type").map(String::as_str), content_type, "{method}");
        assert_eq!(echo.headers["x-test"], "1, 2");
        assert_eq!(echo.headers["accept"], "application/json, */*");
        assert_eq!(echo.url, "/echo?a=b%26c&pretty=false");
    }
}

#[wasm_bindgen_test]
async fn a_request_that_says_how_to_print_is_left_alone() {
    let echo: Echo = get("/echo?pretty=true").await.collect(1 << 10).await.unwrap().decode().unwrap();
    assert_eq!(echo.url, "/echo?pretty=true");
}

#[wasm_bindgen_test]
async fn a_user_agent_does_no_harm() {
    let mut config = browser::config(host().await);
    config.user_agent = Some("masthead/1".into());
    let client = RestClient::new(config).unwrap();
    let echo: Echo = client.get().abs_path(["/echo"]).send().await.unwrap().decode().unwrap();
    assert_eq!(echo.method, "GET");
}

#[wasm_bindgen_test]
async fn what_fetch_cannot_say_is_refused_before_it_is_sent() {
    for (name, values) in [("X-Test", &["a\nb"][..]), ("not a name", &["a"]), ("Impersonate-Group", &["a", "b"])] {
        let mut request = request(Method::Get, "/echo").await;
        request.headers.set(name, values.iter().map(|value| (*value).to_owned()));
        let error = Fetch.send(request).await.unwrap_err();
        assert!(error.is_invalid_request(), "{name}: {error}");
    }
    let relative = HttpRequest { url: "/echo".into(), ..request(Method::Get, "").await };
    assert!(Fetch.send(relative).await.unwrap_err().is_invalid_request(), "Node has no origin");
}

#[wasm_bindgen_test]
async fn the_answer_s_headers_are_read() {
    let answer = get("/headers").await;
    assert_eq!(answer.code, 429);
    assert_eq!(answer.headers.get("retry-after"), Some("7"));
    let response = answer.collect(1 << 10).await.unwrap();
    assert_eq!(response.warnings(), ["one", "two, three"]);
    assert_eq!(response.checked().unwrap_err().retry_after(), Some(Duration::from_secs(7)));
}

#[wasm_bindgen_test]
async fn an_answer_over_its_limit_is_an_error() {
    let error = get("/version").await.collect(4).await.unwrap_err();
    assert_eq!(error.to_string(), "test: the answer is larger than 4 bytes");
}

#[wasm_bindgen_test]
async fn a_refusal_carries_the_server_s_status() {
    let answer = get("/forbidden").await;
    assert_eq!(answer.code, 403);
    let error = answer.collect(1 << 10).await.unwrap().checked().unwrap_err();
    assert!(error.is_forbidden(), "{error}");
}

#[wasm_bindgen_test]
async fn nobody_at_the_address_is_a_network_error() {
    let nobody = HttpRequest { url: "http://127.0.0.1:1/version".into(), ..request(Method::Get, "").await };
    let error = Fetch.send(nobody).await.unwrap_err();
    assert!(error.is_network(), "{error}");
}

#[wasm_bindgen_test]
async fn a_watch_streams_events_and_then_breaks() {
    let client = client().await;
    let mut watch = client.get().abs_path(["/cut"]).watch::<serde_json::Value>().await.unwrap();
    for _ in 0..2 {
        assert!(matches!(watch.next().await, Some(Ok(WatchEvent::Added(_)))));
    }
    let error = watch.next().await.unwrap().unwrap_err();
    assert!(error.is_network(), "{error}");
    assert!(watch.next().await.is_none(), "nothing follows an error");
}

#[wasm_bindgen_test]
async fn dropping_the_body_closes_the_connection() {
    let mut body = get("/endless?body").await.body;
    body.next().await.unwrap().unwrap();
    drop(body);
    assert_left("/endless?body").await;
}

#[wasm_bindgen_test]
async fn dropping_a_request_without_an_answer_closes_the_connection() {
    let request = client().await.get().abs_path(["/silent"]);
    match select(Box::pin(request.send()), sleep(Duration::from_millis(100))).await {
        Either::Left(_) => panic!("answered"),
        Either::Right((_, request)) => drop(request),
    }
    assert_left("/silent").await;
}

#[wasm_bindgen_test]
async fn node_has_connections_for_many_watches() {
    let transport: Rc<dyn Transport> = Rc::new(Browser::new(browser::runtime()));
    let opened = (0..12).map(|_| async {
        let mut request = request(Method::Get, "/endless").await;
        request.headers.add("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
        let mut answer = transport.watch(request).await.unwrap();
        answer.body.next().await.unwrap().unwrap();
        answer
    });
    let opened = select(Box::pin(join_all(opened)), sleep(Duration::from_secs(5))).await;
    assert!(matches!(opened, Either::Left((answers, _)) if answers.len() == 12));
}

#[wasm_bindgen_test]
async fn the_runtime_s_time_passes_and_its_tasks_run() {
    let runtime = browser::runtime();
    let (before, wall) = (runtime.now(), runtime.wall());
    let (done, woken) = futures::channel::oneshot::channel();
    let clock = runtime.clone();
    let task = runtime.spawn(async move {
        clock.sleep(Duration::from_millis(30)).await;
        done.send(()).ok();
    });
    woken.await.unwrap();
    let passed = runtime.now() - before;
    assert!((Duration::from_millis(30)..Duration::from_secs(5)).contains(&passed), "{passed:?}");
    assert!(runtime.wall() - wall >= Duration::from_millis(28), "the wall clock shows whole milliseconds");
    drop(task);
    assert_ne!(browser::runtime().random(), browser::runtime().random(), "each has a seed of its own");
}

async fn assert_left(path: &str) {
    let left = std::pin::pin!(left(path));
    assert!(matches!(select(left, sleep(Duration::from_secs(5))).await, Either::Left(_)), "still open after 5 s");
}
