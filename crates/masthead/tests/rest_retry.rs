//! What is sent again, after how long, and what the caller is told in the end.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod replies;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use futures::{FutureExt, StreamExt, future::join};
use masthead::{
    Error,
    rest::{Attempt, Auth, Config, Method, Request, RestClient, UrlBackoff},
    runtime::{Instant, VirtualTime},
};
use replies::{Part, Reply, Script};
use serde_json::Value;

const SECOND: Duration = Duration::from_secs(1);
const VERBS: [Method; 5] = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];

/// What is done with the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Send,
    Stream,
    Watch,
}

const WAYS: [Way; 3] = [Way::Send, Way::Stream, Way::Watch];

/// Sends a request; the error of a watch may be its first item.
fn outcome(time: &VirtualTime, request: &Request, way: Way) -> Result<(), Error> {
    match way {
        Way::Send => time.run(request.send()).map(drop),
        Way::Stream => time.run(request.stream()).map(drop),
        Way::Watch => time.run(request.watch::<Value>()).and_then(|mut watch| match time.run(watch.next()) {
            Some(Err(error)) => Err(error),
            _ => Ok(()),
        }),
    }
}

/// How many attempts a request with two retries makes when every one gets `reply`.
fn attempts(reply: &Reply, method: Method, way: Way) -> usize {
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], reply.clone());
    let request = script.client().verb(method).resource("pods").max_retries(2);
    // Which outcome it is, other tests say.
    drop(outcome(&time, &request, way));
    script.count()
}

#[track_caller]
fn check(reply: Reply, retried: impl Fn(Method, Way) -> bool) {
    for method in VERBS {
        for way in WAYS {
            let expected = if retried(method, way) { 3 } else { 1 };
            assert_eq!(attempts(&reply, method, way), expected, "{method:?} {way:?} {reply:?}");
        }
    }
}

fn busy(code: u16) -> Reply {
    Reply::json(code, "{}").header("Retry-After", "0")
}

#[test]
fn rq_08_only_what_asks_for_it_or_lost_its_connection_is_sent_again() {
    for code in [429, 500, 503, 599] {
        check(busy(code), |_, _| true);
        check(Reply::json(code, "{}"), |_, _| false);
        check(Reply::json(code, "{}").header("Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT"), |_, _| false);
    }
    for code in [200, 301, 404, 409] {
        check(busy(code), |_, _| false);
    }
    // A browser tells a reset from a refusal by nothing, so both are tried again where that does no harm.
    check(Reply::Lost, |method, way| way == Way::Watch || (way == Way::Send && method == Method::Get));
    check(Reply::TimedOut, |_, way| way == Way::Watch);
    check(Reply::Aborted, |_, _| false);
}

#[test]
fn rq_09_a_retry_sends_the_whole_body_again() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [busy(429), busy(500), busy(501), busy(504), Reply::json(200, "{}")]);
    let body = "0123456789".repeat(400);
    time.run(script.client().post().resource("pods").body(body.clone()).send()).unwrap();
    let sent = script.requests();
    assert_eq!(sent.len(), 5);
    assert!(sent.iter().all(|request| request.body.as_deref() == Some(body.as_bytes())));
}

/// A client with a backoff of 1 s to 200 s, whose answers have these codes.
fn backing_off(time: &VirtualTime, codes: &[u16]) -> (Rc<Script>, RestClient) {
    let script = Script::new(time, codes.iter().map(|code| Reply::json(*code, "{}")));
    let backoff = Some(UrlBackoff { base: SECOND, max: 200 * SECOND });
    let client = RestClient::new(Config { backoff, ..script.config() }).unwrap();
    (script, client)
}

/// How long each of the requests waited, in seconds.
fn waits(codes: &[u16]) -> Vec<f64> {
    let time = VirtualTime::new();
    let (script, client) = backing_off(&time, codes);
    for code in codes {
        assert_eq!(time.run(client.get().send()).is_ok(), *code == 200);
    }
    let seconds = script.seconds();
    seconds.iter().zip(std::iter::once(&0.0).chain(&seconds)).map(|(at, before)| at - before).collect()
}

#[test]
fn rq_10_a_failing_host_is_asked_less_and_less_often() {
    let lifecycle = waits(&[504, 504, 504, 504, 200, 504, 504, 504, 200, 504]);
    assert_eq!(lifecycle, [0.0, 1.0, 2.0, 4.0, 8.0, 0.0, 1.0, 2.0, 4.0, 0.0]);
    assert_eq!(waits(&[429, 500, 501, 502, 300, 500, 501, 502]), [0.0, 1.0, 2.0, 4.0, 8.0, 0.0, 1.0, 2.0]);

    let time = VirtualTime::new();
    let (_, failing) = backing_off(&time, &[500]);
    assert!(time.run(failing.get().send()).is_err());
    let (other, client) = backing_off(&time, &[200]);
    let elsewhere = Config { host: "http://localhost:9001".to_owned(), ..client.config().clone() };
    time.run(RestClient::new(elsewhere).unwrap().get().send()).unwrap();
    assert_eq!(other.seconds(), [0.0], "another port is another host");
}

#[test]
fn a_retry_waits_for_the_longer_of_backoff_and_retry_after() {
    let time = VirtualTime::new();
    let asked = |seconds: &str| Reply::json(503, "{}").header("Retry-After", seconds);
    let script = Script::new(&time, [asked("5"), asked("0"), asked("1"), Reply::json(200, "{}")]);
    let backoff = Some(UrlBackoff { base: SECOND, max: 200 * SECOND });
    let client = RestClient::new(Config { backoff, ..script.config() }).unwrap();
    time.run(client.get().send()).unwrap();
    assert_eq!(script.seconds(), [0.0, 5.0, 7.0, 11.0]);
}

#[test]
fn rq_11_the_number_of_retries_is_a_bound() {
    for (retries, succeeds) in [(0, false), (1, true), (5, true)] {
        let time = VirtualTime::new();
        let script = Script::new(&time, [busy(429), Reply::json(200, "{}")]);
        let sent = time.run(script.client().get().max_retries(retries).send());
        assert_eq!(sent.is_ok(), succeeds, "{retries}");
    }
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], busy(429));
    assert!(time.run(script.client().get().send()).unwrap_err().is_too_many_requests());
    assert_eq!(script.count(), 11, "ten unless told otherwise");
}

/// What an observer hears of one request.
fn observed(
    replies: Vec<Reply>,
    change: impl FnOnce(&mut Config),
    build: impl Fn(&RestClient) -> Request,
) -> Vec<Attempt> {
    let (time, heard): (VirtualTime, Rc<RefCell<Vec<Attempt>>>) = Default::default();
    let script = Script::new(&time, replies);
    let mut config = script.config();
    let sink = Rc::clone(&heard);
    config.observer = Some(Rc::new(move |attempt| sink.borrow_mut().push(attempt.clone())));
    change(&mut config);
    drop(time.run(build(&RestClient::new(config).unwrap()).send()));
    heard.take()
}

#[test]
fn rq_12_metrics_are_labelled_by_an_address_without_names() {
    let template = |path: &str| {
        let build = |client: &RestClient| client.get().abs_path([path]).param("p0", "v0");
        observed(vec![Reply::json(200, "{}")], |config| config.host = "http://localhost".into(), build)
            .remove(0)
            .template
    };
    for (path, expected) in [
        ("/api/v1/namespaces/ns/r1/nm", "/api/v1/namespaces/%7Bnamespace%7D/r1/%7Bname%7D?p0=%7Bvalue%7D"),
        ("/api/v1/namespaces/ns/r1", "/api/v1/namespaces/%7Bnamespace%7D/r1?p0=%7Bvalue%7D"),
        ("/api/v1/namespaces/ns/finalize", "/api/v1/namespaces/%7Bname%7D/finalize?p0=%7Bvalue%7D"),
        ("/api/v1/nodes/nm/status", "/api/v1/nodes/%7Bname%7D/status?p0=%7Bvalue%7D"),
        ("/api/v1/r1/nm", "/api/v1/r1/%7Bname%7D?p0=%7Bvalue%7D"),
        ("/api/v1/r1", "/api/v1/r1?p0=%7Bvalue%7D"),
        (
            "/apis/g/v1/namespaces/ns/r1/nm/scale",
            "/apis/g/v1/namespaces/%7Bnamespace%7D/r1/%7Bname%7D/scale?p0=%7Bvalue%7D",
        ),
        ("/pre1/pre2/r1", "/%7Bprefix%7D"),
        ("/version", "/version?p0=%7Bvalue%7D"),
    ] {
        assert_eq!(template(path), format!("http://localhost{expected}"), "{path}");
    }
}

#[test]
fn an_observer_hears_of_every_attempt() {
    let replies = vec![Reply::Lost, busy(503), Reply::json(200, "{}")];
    let heard = observed(replies, |config| (config.qps, config.burst) = (0.5, 1), |client| client.get().resource("r"));
    let told: Vec<_> = heard.iter().map(|attempt| (attempt.method, attempt.code, attempt.retry)).collect();
    assert_eq!(told, [("GET", None, 0), ("GET", Some(503), 1), ("GET", Some(200), 2)]);
    let throttled: Vec<_> = heard.iter().map(|attempt| attempt.throttled.as_millis()).collect();
    assert_eq!(throttled, [0, 1000, 2000], "the second of waiting for the connection counts for the limit");
}

#[test]
fn an_observer_hears_why_a_request_is_sent_again_before_it_is() {
    let throttled = busy(429).header("X-Kubernetes-PF-FlowSchema-UID", "the-uid");
    let replies = vec![Reply::Lost, throttled, busy(429), busy(503), Reply::json(200, "{}")];
    let heard = observed(replies, |_| (), |client| client.get().resource("r"));
    let uids: Vec<_> =
        heard.iter().filter_map(|attempt| attempt.retry_after.as_ref()?.flow_schema_uid.clone()).collect();
    assert_eq!(uids, ["the-uid"]);
    let reasons: Vec<_> = heard.iter().map(|attempt| attempt.retry_after.clone().map(|after| after.reason)).collect();
    let told: Vec<_> = reasons.iter().map(|reason| reason.as_deref().unwrap_or("none")).collect();
    let lost = "retries: 1, retry-after: 1s - retry-reason: due to retryable error, error: ";
    assert!(told[0].starts_with(lost), "{told:?}");
    let throttling = "retry-after: 0s - retry-reason: due to server-side throttling, FlowSchema UID";
    assert_eq!(told[1], format!("retries: 2, {throttling}: \"the-uid\""));
    assert_eq!(told[2], format!("retries: 3, {throttling}: \"\""));
    assert_eq!(told[3..], ["retries: 4, retry-after: 0s - retry-reason: 503", "none"]);
}

#[test]
fn rq_13_a_watch_that_cannot_begin_is_empty_or_an_error() {
    let run = |reply: Reply, retries: u32| {
        let time = VirtualTime::new();
        let script = Script::then_always(&time, [], reply);
        let opened = time.run(script.client().get().resource("secrets").max_retries(retries).watch::<Value>());
        let items = opened.map(|watch| time.run(watch.collect::<Vec<_>>()));
        (items, script.count())
    };
    let (refused, count) = run(Reply::Aborted, 2);
    assert!(refused.unwrap_err().is_aborted());
    assert_eq!(count, 1);
    for retries in [0, 2] {
        let (items, count) = run(Reply::Lost, retries);
        let items = items.unwrap();
        assert_eq!((items.len(), count), (1, retries as usize + 1));
        assert!(items[0].as_ref().is_err_and(Error::is_network), "no event, and the reason of its end");
    }
    let (refused, count) = run(busy(500), 2);
    let error = refused.unwrap_err();
    assert!(error.is_server_failure() && error.status().unwrap().reason == "InternalError");
    assert_eq!(count, 3);

    let status =
        r#"{"kind":"Status","status":"Failure","code":403,"reason":"Forbidden","message":"secrets is forbidden"}"#;
    let error = run(Reply::json(403, status), 2).0.unwrap_err();
    assert!(error.is_forbidden() && error.to_string().contains("secrets is forbidden"), "{error}");
    assert!(run(Reply::text(403, ""), 2).0.unwrap_err().is_forbidden());
    assert!(run(Reply::text(401, ""), 2).0.unwrap_err().is_unauthorized());
    assert!(run(Reply::text(200, "<html>"), 2).0.unwrap_err().is_not_json());
}

#[test]
fn the_rate_limit_holds_for_requests_and_retries_but_not_for_the_first_attempt_of_a_watch() {
    let limited = |replies: Vec<Reply>| {
        let time = VirtualTime::new();
        let script = Script::new(&time, replies);
        let client = RestClient::new(Config { qps: 1.0, burst: 1, ..script.config() }).unwrap();
        (time, script, client)
    };
    let (time, script, client) = limited(vec![Reply::json(200, "{}"), Reply::json(200, "{}"), busy(503), busy(503)]);
    for _ in 0..2 {
        time.run(client.get().send()).unwrap();
    }
    assert!(time.run(client.get().max_retries(1).send()).is_err());
    assert_eq!(script.seconds(), [0.0, 1.0, 2.0, 3.0]);

    let (time, script, client) =
        limited(vec![Reply::json(200, "{}"), Reply::watch([Part::Silence]), busy(503), Reply::watch([Part::Silence])]);
    time.run(client.get().send()).unwrap();
    for _ in 0..2 {
        time.run(client.get().watch::<Value>()).map(drop).unwrap();
    }
    assert_eq!(script.seconds(), [0.0, 0.0, 0.0, 1.0], "only the retry of the second watch waits");
}

#[test]
fn the_limit_is_shared_by_the_clients_of_all_groups() {
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], Reply::json(200, "{}"));
    let client = RestClient::new(Config { qps: 0.0, ..script.config() }).unwrap();
    for index in 0..12 {
        let group = if index % 2 == 0 { "" } else { "apps" };
        time.run(client.group_version(group, "v1").get().send()).unwrap();
    }
    assert_eq!(script.seconds()[9..], [0.0, 0.2, 0.4], "five a second after ten, unless told otherwise");
}

/// A client whose provider counts: `t1`, `t2`, …
fn renewing(script: &Rc<Script>) -> (RestClient, Rc<Cell<u32>>) {
    let asked = Rc::new(Cell::new(0));
    let count = Rc::clone(&asked);
    let provider = Auth::Provider(Rc::new(move || {
        count.set(count.get() + 1);
        let token = format!("t{}", count.get());
        async move { Ok(token) }.boxed_local()
    }));
    (RestClient::new(Config { auth: provider, ..script.config() }).unwrap(), asked)
}

fn tokens(script: &Script) -> Vec<String> {
    let token = |headers: &masthead::rest::Headers| headers.get("Authorization").unwrap().to_owned();
    script.requests().iter().map(|request| token(&request.headers)).collect()
}

#[test]
fn a_refused_token_is_renewed_once_per_request() {
    let time = VirtualTime::new();
    let refused = || Reply::text(401, "");
    let ok = || Reply::json(200, "{}");
    let script = Script::new(&time, [ok(), ok(), refused(), ok(), refused(), refused(), ok()]);
    let (client, asked) = renewing(&script);
    for _ in 0..3 {
        time.run(client.get().send()).unwrap();
    }
    assert_eq!(asked.get(), 2, "asked at first and when refused");
    assert!(time.run(client.get().send()).unwrap_err().is_unauthorized());
    time.run(client.get().send()).unwrap();
    let expected = ["t1", "t1", "t1", "t2", "t2", "t3", "t4"].map(|token| format!("Bearer {token}"));
    assert_eq!(tokens(&script), expected, "a token refused twice is not used again");
}

#[test]
fn a_token_that_another_request_renewed_is_kept() {
    let time = VirtualTime::new();
    let late = |seconds| Reply::text(401, "").after(seconds * SECOND);
    let ok = || Reply::json(200, "{}");
    let script = Script::new(&time, [ok(), late(1), late(2), ok(), ok()]);
    let (client, asked) = renewing(&script);
    time.run(client.get().send()).unwrap();
    // Both go out with the first token; the one that hears of it last must not throw away the second.
    let (first, second) = time.run(async { join(client.get().send(), client.get().send()).await });
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(asked.get(), 2);
    assert_eq!(tokens(&script), ["t1", "t1", "t1", "t2", "t2"].map(|token| format!("Bearer {token}")));
}

#[test]
fn a_fixed_token_that_is_refused_is_not_tried_again() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [Reply::text(401, "")]);
    let client = RestClient::new(Config { auth: Auth::Token("t".into()), ..script.config() }).unwrap();
    assert!(time.run(client.get().send()).unwrap_err().is_unauthorized());
    let failing = Auth::Provider(Rc::new(|| async { Err(Error::network("get token", "offline")) }.boxed_local()));
    let client = RestClient::new(Config { auth: failing, ..script.config() }).unwrap();
    assert_eq!(
        time.run(client.get().send()).unwrap_err().to_string(),
        "get token: no answer from the server (offline)"
    );
    assert_eq!(script.count(), 1);
}

#[test]
fn a_request_is_over_at_its_limit_wherever_it_stands() {
    let body = Reply::watch([Part::Chunk("{".into()), Part::Silence]);
    for reply in [Reply::Silence, body] {
        let time = VirtualTime::new();
        let script = Script::new(&time, [reply]);
        let error = time.run(script.client().get().resource("pods").timeout(3 * SECOND).send()).unwrap_err();
        assert!(error.is_timeout());
        assert_eq!(error.to_string(), "get pods: no answer within 3 s");
        assert_eq!((time.now() - Instant::ORIGIN, script.open()), (3 * SECOND, 0), "and its connection is closed");
    }
    let time = VirtualTime::new();
    let script = Script::new(&time, [Reply::watch([Part::Pause(60 * SECOND), Part::Chunk("log".into())])]);
    let client = RestClient::new(Config { timeout: Some(SECOND), ..script.config() }).unwrap();
    let mut log = time.run(client.get().stream()).unwrap();
    assert_eq!(time.run(log.next()).unwrap().unwrap(), b"log", "what streams is not bound by it");
}

#[test]
fn the_last_error_names_the_one_before() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [busy(503), Reply::Lost, Reply::json(403, "{}")]);
    let error = time.run(script.client().get().resource("pods").send()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "get pods: 403 Forbidden: the server does not allow access to the requested resource - error from a previous \
         attempt: get pods: no answer from the server (Failed to fetch)"
    );
    assert!(error.is_forbidden());
    let script = Script::then_always(&time, [], busy(503));
    let error = time.run(script.client().get().resource("pods").max_retries(1).send()).unwrap_err();
    let once = "get pods: 503 ServiceUnavailable: the server is currently unable to handle the request";
    assert_eq!(error.to_string(), format!("{once} - error from a previous attempt: {once}"));
    let script = Script::new(&time, [Reply::json(404, "{}")]);
    assert!(!time.run(script.client().get().send()).unwrap_err().to_string().contains("previous"));
}

#[test]
fn dropping_a_request_in_any_state_leaves_nothing_open() {
    let time = VirtualTime::new();
    let replies = [Reply::Silence, Reply::watch([Part::Silence]), Reply::json(503, "{}").header("Retry-After", "60")];
    for reply in replies {
        let script = Script::new(&time, [reply]);
        let request = script.client().get().resource("pods");
        let task = time.runtime().spawn(async move { drop(request.send().await) });
        time.settle();
        assert_eq!(script.count(), 1);
        drop(task);
        time.advance(3600 * SECOND);
        assert_eq!((script.count(), script.open()), (1, 0));
    }
    let script = Script::new(&time, [Reply::watch([Part::Silence]), Reply::watch([Part::Silence])]);
    let watch = time.run(script.client().get().watch::<Value>()).unwrap();
    let body = time.run(script.client().get().stream()).unwrap();
    assert_eq!(script.open(), 2);
    drop((watch, body));
    assert_eq!(script.open(), 0);
}
