//! Waiting for a condition: with one connection, with many, and from a list on.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod replies;

use std::{cell::RefCell, rc::Rc, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    rest::WatchEvent,
    runtime::VirtualTime,
    watch::{Source, until, until_with_sync, until_without_retry},
};
use replies::{Part, Reply, Script};

const MINUTE: Duration = Duration::from_secs(60);

fn object(name: &str, version: &str) -> String {
    format!(r#"{{"metadata":{{"name":"{name}","resourceVersion":"{version}"}}}}"#)
}

fn event(kind: &str, name: &str, version: &str) -> Part {
    Part::Chunk(format!(r#"{{"type":"{kind}","object":{}}}"#, object(name, version)))
}

fn list(version: &str, token: &str, items: &[(&str, &str)]) -> Reply {
    let items: Vec<String> = items.iter().map(|(name, version)| object(name, version)).collect();
    let meta = format!(r#"{{"resourceVersion":"{version}","continue":"{token}"}}"#);
    Reply::json(200, format!(r#"{{"metadata":{meta},"items":[{}]}}"#, items.join(",")))
}

fn source(script: &Rc<Script>) -> Source<ConfigMap> {
    Source::new(script.client().group_version("", "v1").get().resource("configmaps").max_retries(0))
}

fn line(event: &WatchEvent<ConfigMap>) -> String {
    let name = |object: &ConfigMap| object.metadata.name.clone().unwrap();
    match event {
        WatchEvent::Added(object) => format!("+{}", name(object)),
        WatchEvent::Modified(object) => format!("~{}", name(object)),
        WatchEvent::Deleted(object) => format!("-{}", name(object)),
        other => format!("{other:?}"),
    }
}

fn is(wanted: &str) -> impl FnMut(&WatchEvent<ConfigMap>) -> Result<bool, Error> {
    move |event| Ok(line(event) == wanted)
}

fn never(_: &WatchEvent<ConfigMap>) -> Result<bool, Error> {
    Ok(false)
}

#[test]
fn until_goes_on_over_connections_and_gives_the_event() {
    let time = VirtualTime::new();
    let script = Script::new(
        &time,
        [
            Reply::watch([event("ADDED", "a", "2"), event("BOOKMARK", "", "4"), Part::Lost]),
            Reply::watch([event("ADDED", "b", "5"), event("DELETED", "a", "6"), event("ADDED", "c", "7")]),
        ],
    );
    let found = time.run(until(&source(&script), "1", MINUTE, is("-a"))).unwrap();
    assert_eq!(line(&found), "-a");
    assert!(script.requests()[1].url.contains("resourceVersion=4&"));
    assert_eq!(script.open(), 0, "what is not waited for is closed");
}

#[test]
fn until_fails_with_what_the_condition_fails_with() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [Reply::watch([event("DELETED", "a", "2"), Part::Silence])]);
    let failing = |_: &WatchEvent<ConfigMap>| Err(Error::invalid("wait for a", "it was deleted"));
    let error = time.run(until(&source(&script), "1", MINUTE, failing)).unwrap_err();
    assert_eq!(error.to_string(), "wait for a: it was deleted");
    assert!(time.run(until(&source(&script), "0", MINUTE, never)).unwrap_err().is_invalid_request());
}

#[test]
fn until_is_over_at_its_limit_and_names_what_it_could_not_read() {
    let time = VirtualTime::new();
    let broken = Part::Chunk(r#"{"type":"ADDED","object":{"metadata":7}}"#.into());
    let script = Script::new(&time, [Reply::watch([broken, Part::Silence])]);
    let error = time.run(until(&source(&script), "1", MINUTE, never)).unwrap_err();
    assert!(error.is_timeout());
    assert!(
        error.to_string().starts_with("wait for a condition: no answer within 60 s - error from a previous attempt")
    );
    assert_eq!(time.now() - masthead::runtime::Instant::ORIGIN, MINUTE);
    assert_eq!(script.open(), 0);
}

#[test]
fn until_without_retry_ends_with_its_watch() {
    let time = VirtualTime::new();
    let gone = Part::Chunk(r#"{"type":"ERROR","object":{"code":410}}"#.into());
    let script = Script::new(
        &time,
        [
            Reply::watch([event("ADDED", "a", "2"), event("BOOKMARK", "", "3"), event("ADDED", "b", "4")]),
            Reply::watch([event("ADDED", "a", "2")]),
            Reply::watch([gone]),
            Reply::watch([Part::Lost]),
        ],
    );
    let wait = || async {
        let watch = source(&script).watch("1").await.unwrap();
        until_without_retry(watch, &time.runtime(), MINUTE, is("+b")).await
    };
    assert_eq!(line(&time.run(wait()).unwrap()), "+b");
    assert!(time.run(wait()).unwrap_err().is_closed());
    assert!(time.run(wait()).unwrap_err().is_gone());
    assert!(time.run(wait()).unwrap_err().is_network());
}

#[test]
fn until_with_sync_is_over_before_it_began_when_the_list_is_right() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [list("5", "next", &[("a", "2")]), list("5", "", &[("b", "3")])]);
    let precondition = |items: &[ConfigMap]| Ok(items.len() == 2);
    assert!(time.run(until_with_sync(&source(&script), MINUTE, precondition, never)).unwrap().is_none());
    let urls: Vec<String> = script.requests().into_iter().map(|request| request.url).collect();
    assert!(urls[0].ends_with("/configmaps?limit=500"), "{}", urls[0]);
    assert!(urls[1].ends_with("/configmaps?continue=next&limit=500"), "{}", urls[1]);
}

#[test]
fn until_with_sync_lists_again_when_its_version_expires_and_sees_what_differs() {
    let time = VirtualTime::new();
    let gone = Part::Chunk(r#"{"type":"ERROR","object":{"code":410}}"#.into());
    let script = Script::new(
        &time,
        [
            list("5", "", &[("a", "2"), ("b", "3"), ("c", "4")]),
            Reply::watch([event("ADDED", "d", "6"), gone]),
            list("9", "", &[("a", "2"), ("b", "8"), ("d", "6"), ("e", "9")]),
            Reply::watch([event("MODIFIED", "e", "10"), Part::Silence]),
        ],
    );
    let seen = RefCell::new(Vec::new());
    let condition = |event: &WatchEvent<ConfigMap>| {
        seen.borrow_mut().push(line(event));
        Ok(line(event) == "~e")
    };
    let found = time.run(until_with_sync(&source(&script), MINUTE, |_| Ok(false), condition)).unwrap().unwrap();
    assert_eq!(line(&found), "~e");
    assert_eq!(*seen.borrow(), ["+a", "+b", "+c", "+d", "~b", "+e", "-c", "~e"]);
    assert!(script.requests()[3].url.contains("resourceVersion=9&"));
}

#[test]
fn until_with_sync_is_told_of_a_deletion_that_cannot_be_decoded() {
    let time = VirtualTime::new();
    let undecodable = |kind: &str, name: &str, version: &str| {
        let metadata = format!(r#"{{"name":"{name}","resourceVersion":"{version}","labels":7}}"#);
        format!(r#"{{"type":"{kind}","object":{{"metadata":{metadata}}}}}"#)
    };
    let gone = Part::Chunk(r#"{"type":"ERROR","object":{"code":410}}"#.into());
    let damaged = r#"{"metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"b","labels":7}}]}"#;
    let script = Script::new(
        &time,
        [
            list("5", "", &[("a", "2"), ("b", "3"), ("c", "4")]),
            Reply::watch([Part::Chunk(undecodable("MODIFIED", "a", "6")), gone]),
            Reply::json(200, damaged),
            Reply::watch([Part::Chunk(undecodable("DELETED", "b", "10")), Part::Silence]),
        ],
    );
    let seen = RefCell::new(Vec::new());
    let condition = |event: &WatchEvent<ConfigMap>| {
        seen.borrow_mut().push(line(event));
        Ok(line(event) == "-b")
    };
    let found = time.run(until_with_sync(&source(&script), MINUTE, |_| Ok(false), condition)).unwrap().unwrap();
    assert_eq!(line(&found), "-b");
    assert_eq!(*seen.borrow(), ["+a", "+b", "+c", "-a", "-c", "-b"]);
}

#[test]
fn a_list_whose_continue_token_expired_is_read_in_one_piece() {
    let time = VirtualTime::new();
    let expired = r#"{"kind":"Status","status":"Failure","code":410,"reason":"Expired","message":"old"}"#;
    let whole = list("9", "", &[("a", "2"), ("b", "3")]);
    let script = Script::new(&time, [list("5", "next", &[("a", "2")]), Reply::json(410, expired), whole]);
    let found = time.run(source(&script).list()).unwrap();
    assert_eq!((found.items.len(), found.resource_version.as_str()), (2, "9"));
    assert_eq!(script.requests()[2].url, "http://localhost:8001/api/v1/configmaps");
}

#[test]
fn a_failing_list_ends_the_wait() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [Reply::text(403, "no")]);
    let error = time.run(until_with_sync(&source(&script), MINUTE, |_| Ok(false), never)).unwrap_err();
    assert!(error.is_forbidden());
}
