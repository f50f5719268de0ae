//! A watch over many connections: where each begins, how long it waits, and what ends it.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod replies;

use std::{rc::Rc, time::Duration};

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    rest::WatchEvent,
    runtime::VirtualTime,
    watch::{RetryWatcher, Source},
};
use replies::{Part, Reply, Script};

const SECOND: Duration = Duration::from_secs(1);

fn event(kind: &str, name: &str, version: &str) -> Part {
    Part::Chunk(format!(
        r#"{{"type":"{kind}","object":{{"metadata":{{"name":"{name}","resourceVersion":"{version}"}}}}}}"#
    ))
}

fn failure(code: u16, extra: &str) -> Part {
    Part::Chunk(format!(r#"{{"type":"ERROR","object":{{"kind":"Status","code":{code}{extra}}}}}"#))
}

fn source(script: &Rc<Script>) -> Source<ConfigMap> {
    Source::new(script.client().group_version("", "v1").get().resource("configmaps").max_retries(0))
}

fn line(item: &Result<WatchEvent<ConfigMap>, Error>) -> String {
    let object = |object: &ConfigMap| object.metadata.name.clone().unwrap();
    match item {
        Ok(WatchEvent::Added(found)) => format!("+{}", object(found)),
        Ok(WatchEvent::Modified(found)) => format!("~{}", object(found)),
        Ok(WatchEvent::Deleted(found)) => format!("-{}", object(found)),
        Ok(other) => format!("{other:?}"),
        Err(error) => error.to_string(),
    }
}

/// Reads `count` items of a watch from version 1.
fn read(time: &VirtualTime, watcher: &mut RetryWatcher<ConfigMap>, count: usize) -> Vec<String> {
    time.run(watcher.by_ref().take(count).map(|item| line(&item)).collect())
}

/// The version each watch began at; `probe` for what is no watch.
fn begun(script: &Script) -> Vec<String> {
    let version = |url: &str| {
        let (_, query) = url.split_once('?').unwrap();
        let watched = query.contains("watch=true") && query.contains("allowWatchBookmarks=true");
        let version = query.split('&').find_map(|pair| pair.strip_prefix("resourceVersion="));
        if watched { version.unwrap().to_owned() } else { "probe".to_owned() }
    };
    script.requests().iter().map(|request| version(&request.url)).collect()
}

#[track_caller]
fn check_ends(reply: Reply, expected: &str) -> Error {
    let time = VirtualTime::new();
    let script = Script::new(&time, [reply]);
    let mut watcher = RetryWatcher::new(source(&script), "1").unwrap();
    let error = time.run(watcher.next()).unwrap().unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert!(time.run(watcher.next()).is_none(), "the error is the last item");
    assert_eq!((script.count(), script.open()), (1, 0), "and its connection is gone");
    error
}

#[track_caller]
fn check_goes_on(reply: Reply, expected_seconds: [f64; 2]) {
    let time = VirtualTime::new();
    let script = Script::new(&time, [reply, Reply::watch([event("ADDED", "b", "3")])]);
    let mut watcher = RetryWatcher::new(source(&script), "1").unwrap();
    assert_eq!(read(&time, &mut watcher, 1), ["+b"]);
    assert_eq!(begun(&script), ["1", "1"]);
    assert_eq!(script.seconds(), expected_seconds);
}

#[test]
fn rq_16_a_watch_must_begin_at_a_version_that_the_server_gave() {
    let time = VirtualTime::new();
    let script = Script::new(&time, []);
    for version in ["", "0"] {
        let error = RetryWatcher::new(source(&script), version).unwrap_err();
        assert!(error.is_invalid_request());
        assert!(error.to_string().contains(&format!("initial resource version {version:?} is not supported")));
    }
    assert!(RetryWatcher::new(source(&script), "1").is_ok());
}

#[test]
fn each_connection_begins_where_the_last_event_or_bookmark_ended() {
    let time = VirtualTime::new();
    let bookmark = event("BOOKMARK", "", "9");
    let script = Script::new(
        &time,
        [
            Reply::watch([event("ADDED", "a", "2"), event("MODIFIED", "a", "3")]),
            Reply::watch([bookmark, Part::Lost]),
            Reply::watch([event("DELETED", "a", "10"), Part::Chunk(r#"{"type":"ADD"#.into())]),
            Reply::watch([event("ADDED", "b", "11"), Part::Silence]),
        ],
    );
    let mut watcher = RetryWatcher::new(source(&script), "1").unwrap();
    assert_eq!(read(&time, &mut watcher, 4), ["+a", "~a", "-a", "+b"], "bookmarks are not for the user");
    assert_eq!(begun(&script), ["1", "3", "9", "10"]);
    assert_eq!(script.seconds(), [0.0, 1.0, 2.0, 3.0], "one a second at most");
    drop(watcher);
    assert_eq!(script.open(), 0, "dropping it ends the request");
}

#[test]
fn a_connection_that_lasted_is_followed_at_once() {
    let time = VirtualTime::new();
    let script = Script::new(
        &time,
        [
            Reply::watch([Part::Pause(60 * SECOND), event("BOOKMARK", "", "5"), Part::Pause(20 * SECOND)]),
            Reply::watch([event("ADDED", "a", "6")]),
        ],
    );
    let mut watcher = RetryWatcher::new(source(&script), "1").unwrap();
    assert_eq!(read(&time, &mut watcher, 1), ["+a"]);
    assert_eq!(script.seconds(), [0.0, 80.0]);
}

#[test]
fn an_expired_version_and_a_refusal_end_it_with_the_server_s_words() {
    let gone = check_ends(
        Reply::watch([failure(410, r#","reason":"Expired","message":"too old resource version: 1 (7)""#)]),
        "watch configmaps: 410 Expired: too old resource version: 1 (7)",
    );
    assert!(gone.is_gone());
    let status = r#"{"kind":"Status","status":"Failure","code":403,"reason":"Forbidden","message":"no"}"#;
    assert!(check_ends(Reply::json(403, status), "watch configmaps: 403 Forbidden: no").is_forbidden());
    let credentials = "watch configmaps: 401 Unauthorized: the server has asked for the client to provide credentials";
    assert!(check_ends(Reply::text(401, ""), credentials).is_unauthorized());
    let forbidden =
        check_ends(Reply::watch([failure(403, r#","reason":"Forbidden""#)]), "watch configmaps: 403 Forbidden");
    assert!(forbidden.is_forbidden());
}

#[test]
fn an_object_without_a_version_ends_it() {
    let nameless = Reply::watch([event("ADDED", "a", "")]);
    check_ends(nameless, "watch configmaps: an object came without a resource version");
}

#[test]
fn everything_else_is_tried_again_with_the_pause_the_server_asked_for() {
    check_goes_on(Reply::Lost, [0.0, 1.0]);
    check_goes_on(Reply::json(410, "{}"), [0.0, 1.0]);
    check_goes_on(Reply::json(404, "{}"), [0.0, 1.0]);
    check_goes_on(Reply::json(500, "{}"), [0.0, 1.0]);
    check_goes_on(Reply::text(200, "<html>"), [0.0, 1.0]);
    check_goes_on(Reply::json(503, "{}").header("Retry-After", "7"), [0.0, 7.0]);
    check_goes_on(Reply::watch([failure(500, "")]), [0.0, 1.0]);
    check_goes_on(Reply::watch([failure(504, r#","details":{"retryAfterSeconds":4}"#)]), [0.0, 4.0]);
    check_goes_on(Reply::watch([failure(400, "")]), [0.0, 1.0]);
}

#[test]
fn an_unreadable_object_is_told_and_the_watch_goes_on() {
    let time = VirtualTime::new();
    let broken = Part::Chunk(r#"{"type":"ADDED","object":{"metadata":7}}"#.into());
    let script = Script::new(&time, [Reply::watch([broken, event("ADDED", "b", "3")])]);
    let mut watcher = RetryWatcher::new(source(&script), "1").unwrap();
    assert!(time.run(watcher.next()).unwrap().unwrap_err().is_undecodable());
    assert_eq!(read(&time, &mut watcher, 1), ["+b"]);
}

#[test]
fn an_unreadable_object_that_says_its_version_does_not_come_again() {
    let time = VirtualTime::new();
    let broken = r#"{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"2","labels":7}}}"#;
    let script = Script::new(
        &time,
        [Reply::watch([Part::Chunk(broken.into())]), Reply::watch([event("ADDED", "b", "3"), Part::Silence])],
    );
    let mut watcher = RetryWatcher::new(source(&script), "1").unwrap();
    let error = time.run(watcher.next()).unwrap().unwrap_err();
    assert_eq!(error.undecodable_object().map(|object| object.key().to_string()).as_deref(), Some("a"), "{error}");
    assert_eq!(read(&time, &mut watcher, 1), ["+b"]);
    assert!(script.requests()[1].url.contains("resourceVersion=2&"), "{}", script.requests()[1].url);
}

#[test]
fn a_silent_watch_is_probed_and_opened_again_where_it_was() {
    let time = VirtualTime::new();
    let script = Script::new(
        &time,
        [
            Reply::watch([
                event("ADDED", "a", "2"),
                Part::Pause(60 * SECOND),
                event("BOOKMARK", "", "5"),
                Part::Silence,
            ]),
            Reply::Silence,
            Reply::Lost,
            Reply::text(403, "no list, but an answer"),
            Reply::watch([event("ADDED", "b", "6"), Part::Silence]),
        ],
    );
    let mut watcher = RetryWatcher::new(source(&script), "1").unwrap();
    assert_eq!(read(&time, &mut watcher, 2), ["+a", "+b"]);
    assert_eq!(begun(&script), ["1", "probe", "probe", "probe", "5"]);
    assert_eq!(script.seconds(), [0.0, 150.0, 161.0, 162.0, 162.0], "90 s after the bookmark; a probe has 10 s");
    assert_eq!(script.open(), 1, "the silent connection is gone");
    let probe = &script.requests()[1];
    assert_eq!(probe.url, "http://localhost:8001/api/v1/configmaps?limit=1&timeout=10s");
}

#[test]
fn a_watch_that_does_not_even_open_is_silent_too() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [Reply::Silence, Reply::json(200, "{}"), Reply::watch([event("ADDED", "a", "2")])]);
    let mut watcher = RetryWatcher::new(source(&script).idle_limit(5 * SECOND), "1").unwrap();
    assert_eq!(read(&time, &mut watcher, 1), ["+a"]);
    assert_eq!(begun(&script), ["1", "probe", "1"]);
    assert_eq!(script.seconds(), [0.0, 5.0, 5.0]);
}

#[test]
fn watches_end_at_different_times_unless_told() {
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], Reply::watch([]));
    let seconds = |url: &str| -> u64 {
        url.split(['?', '&']).find_map(|pair| pair.strip_prefix("timeoutSeconds=")).unwrap().parse().unwrap()
    };
    let _ends = time.run(time.runtime().within(100 * SECOND, RetryWatcher::new(source(&script), "1").unwrap().next()));
    let limits: Vec<u64> = script.requests().iter().map(|request| seconds(&request.url)).collect();
    assert!(limits.iter().all(|limit| (300..=600).contains(limit)), "{limits:?}");
    assert!(limits.iter().max().unwrap() - limits.iter().min().unwrap() > 100, "{limits:?}");

    let script = Script::new(&time, [Reply::watch([Part::Silence])]);
    let own = script.client().get().resource("configmaps").param("timeoutSeconds", "7");
    drop(time.run(Source::<ConfigMap>::new(own).watch("1")).unwrap());
    assert_eq!(seconds(&script.requests()[0].url), 7);
}
