//! Runs against a server of a few lines.

use std::rc::Rc;

use futures::{executor::block_on, future::LocalBoxFuture, stream};
use masthead::{
    Error,
    rest::{Answer, Body, Headers, HttpRequest, Method, Transport},
};

use super::{super::WallClock, Run, Script};

/// Answers by the path alone.
struct Server;

impl Transport for Server {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        let (code, body) = match (request.method, request.url.as_str()) {
            (Method::Post, "/api/v1/namespaces") => (201, "{}".to_owned()),
            (_, "/object") => (200, r#"{"metadata":{"uid":"u","resourceVersion":"7","namespace":"ns-1"}}"#.to_owned()),
            (_, "/watch") => (200, EVENTS.to_owned()),
            (_, path) => (404, format!("no {path}\n")),
        };
        let HttpRequest { operation, method, .. } = request;
        let mut headers = Headers::default();
        headers.add("Content-Type", "application/json");
        // Cut in the middle, as a network does.
        let (first, second) = body.as_bytes().split_at(body.len() / 2);
        let body = Body::new(stream::iter([Ok(first.to_vec()), Ok(second.to_vec())]));
        Box::pin(async move { Ok(Answer { operation, method, code, headers, body }) })
    }
}

const EVENTS: &str = r#"{"type":"ADDED","object":{"metadata":{"uid":"u","resourceVersion":"7"}}}
{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"8"}}}
{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"8","annotations":{"k8s.io/initial-events-end":"true"}}}}
"#;

fn check(script: &str, expected: &str) {
    let script = Script::parse("s", script).unwrap();
    let run = Run::script(&script, "ns-1", Rc::new(Server), Rc::new(WallClock::new()));
    assert_eq!(block_on(run).unwrap(), expected);
}

#[test]
fn answers_are_written_down_masked_and_numbered() {
    check(
        "GET /object\n\nSAVE rv /metadata/resourceVersion\n\nAWAIT 404 /none\n\nDELETE /other/${rv}",
        "== 1 GET /object\n200 application/json\n\
         {\"metadata\":{\"namespace\":\"${ns}\",\"resourceVersion\":\"<version 1>\",\"uid\":\"u\"}}\n\
         == 2 DELETE /other/${rv}\n404 application/json\nno /other/7\n",
    );
}

#[test]
fn bookmarks_that_only_tell_a_version_do_not_count() {
    check(
        "WATCH w /watch\n\nEVENTS w 1\n\nEVENTS w end",
        "== 1 WATCH w /watch\n200 application/json\n== 2 EVENTS w\n\
         {\"object\":{\"metadata\":{\"resourceVersion\":\"<version 1>\",\"uid\":\"u\"}},\"type\":\"ADDED\"}\n\
         == 3 EVENTS w\n{\n  \"object\": {\"metadata\":\
         {\"annotations\":{\"k8s.io/initial-events-end\":\"true\"},\"resourceVersion\":\"<version>\"}},\n  \
         \"type\": \"BOOKMARK\"\n}\nend of the stream\n",
    );
}

#[test]
fn a_step_that_cannot_go_on_is_named() {
    let script = Script::parse("s", "GET /object\n\nEVENTS w 1").unwrap();
    let run = Run::script(&script, "ns-1", Rc::new(Server), Rc::new(WallClock::new()));
    assert_eq!(format!("{:#}", block_on(run).unwrap_err()), "script s: step 2: no watch w is open");
}
