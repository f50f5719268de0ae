//! How a request is built: its path, its parameters, its headers, and what is refused before anything is sent.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod replies;

use std::{cell::RefCell, rc::Rc, time::Duration};

use futures::FutureExt;
use masthead::{
    Error,
    rest::{Auth, Config, Headers, Impersonation, Method, PatchKind, Request, RestClient, WarningHandler},
    runtime::VirtualTime,
};
use replies::{Reply, Script};

const ORIGIN: &str = "http://localhost:8001";

fn client() -> RestClient {
    Script::new(&VirtualTime::new(), []).client()
}

fn client_below(path: &str) -> RestClient {
    let script = Script::new(&VirtualTime::new(), []);
    RestClient::new(Config { host: format!("{ORIGIN}{path}"), ..script.config() }).unwrap()
}

#[track_caller]
fn check_url(request: &Request, expected: &str) {
    assert!(request.error().is_none(), "{:?}", request.error());
    assert_eq!(request.url(), format!("{ORIGIN}{expected}"));
}

/// The request is refused with `expected`, and nothing is sent.
#[track_caller]
fn check_refused(build: impl Fn(&RestClient) -> Request, expected: &str) {
    let time = VirtualTime::new();
    let script = Script::new(&time, []);
    let request = build(&script.client());
    let mut refusals = vec![time.run(request.send()).map(drop).unwrap_err()];
    refusals.push(time.run(request.stream()).map(drop).unwrap_err());
    refusals.push(time.run(request.watch::<serde_json::Value>()).map(drop).unwrap_err());
    for error in refusals {
        assert!(error.is_invalid_request(), "{error}");
        assert!(error.to_string().ends_with(expected), "{error}");
    }
    assert_eq!(script.count(), 0);
}

#[test]
fn rq_01_an_absolute_path_lies_below_the_base_and_replaces_the_prefix() {
    for (base, prefix, path, expected) in [
        ("/", "", "", "/"),
        ("", "", "/", "/"),
        ("", "", "/api", "/api"),
        ("", "", "/api/", "/api/"),
        ("", "", "/apis", "/apis"),
        ("", "/foo", "/bar/foo", "/bar/foo"),
        ("", "/api/foo/123", "/bar/foo", "/bar/foo"),
        ("/p1", "", "", "/p1"),
        ("/p1", "", "/", "/p1/"),
        ("/p1", "", "/api", "/p1/api"),
        ("/p1", "", "/apis", "/p1/apis"),
        ("/p1", "/r1", "/apis", "/p1/apis"),
        ("/p1", "/api/r1", "/apis", "/p1/apis"),
        ("/p1/api/p2", "", "", "/p1/api/p2"),
        ("/p1/api/p2", "", "/", "/p1/api/p2/"),
        ("/p1/api/p2", "", "/api", "/p1/api/p2/api"),
        ("/p1/api/p2", "", "/api/", "/p1/api/p2/api/"),
        ("/p1/api/p2", "/r1", "/api/", "/p1/api/p2/api/"),
        ("/p1/api/p2", "/api/r1", "/api/", "/p1/api/p2/api/"),
    ] {
        let request = client_below(base).post().prefix([prefix]).abs_path([path]);
        assert_eq!(request.url(), format!("{ORIGIN}{expected}"), "({base:?}, {prefix:?}, {path:?})");
    }
    check_url(&client().get().abs_path(["/openapi", "v3", "/apis/"]), "/openapi/v3/apis");
}

#[test]
fn rq_02_a_segment_that_would_change_the_path_is_refused() {
    for (segment, why) in [
        (".", "may not be '.'"),
        ("..", "may not be '..'"),
        ("test/segment", "may not contain '/'"),
        ("test%2bsegment", "may not contain '%'"),
    ] {
        let refusal = |what: &str| format!("invalid {what} {segment:?}: [{why}]");
        check_refused(|client| client.get().resource("pods").name(segment), &refusal("resource name"));
        check_refused(|client| client.get().namespace(segment).resource("pods"), &refusal("namespace"));
        check_refused(|client| client.get().resource(segment), &refusal("resource"));
        check_refused(
            |client| client.get().resource("pods").name("a").sub_resource(["log", segment]),
            &refusal("subresource"),
        );
    }
    check_refused(|client| client.get().resource("pods").name(""), "resource name may not be empty");
}

#[test]
fn rq_03_the_namespace_stands_before_the_resource() {
    let request = client().get().name("bar").resource("BAZ").namespace("foo").prefix(["test/"]);
    check_url(&request, "/test/namespaces/foo/baz/bar");
}

#[test]
fn rq_04_the_subresource_stands_behind_the_name_and_before_the_suffix() {
    let request = client().get().suffix(["test"]).name("bar").resource("baz").namespace("foo").prefix(["test/"]);
    check_url(&request.sub_resource(["a", "b"]), "/test/namespaces/foo/baz/bar/a/b/test");
}

#[test]
fn rq_06_an_empty_namespace_is_refused_where_it_could_not_be_meant() {
    let creation = "an empty namespace may not be set during creation";
    let named = "an empty namespace may not be set when a resource name is provided";
    for method in [Method::Get, Method::Post, Method::Put, Method::Delete] {
        let time = VirtualTime::new();
        let script = Script::new(&time, [Reply::json(200, "{}"), Reply::json(200, "{}")]);
        let begin = |client: &RestClient| client.verb(method).resource("pods");
        time.run(begin(&script.client()).send()).unwrap();
        time.run(begin(&script.client()).name("a").send()).unwrap();
        if method == Method::Post {
            check_refused(|client| begin(client).namespace(""), creation);
            check_refused(|client| begin(client).namespace("").name("a"), creation);
        } else {
            let script = Script::new(&time, [Reply::json(200, "{}")]);
            time.run(begin(&script.client()).namespace("").send()).unwrap();
            check_refused(|client| begin(client).namespace("").name("a"), named);
        }
    }
}

#[test]
fn what_may_be_set_once_is_refused_the_second_time() {
    let again = |what: &str, first: &str| format!("{what} already set to {first:?}, cannot change to \"b\"");
    check_refused(|client| client.get().resource("a").resource("b"), &again("resource", "a"));
    check_refused(|client| client.get().resource("p").name("a").name("b"), &again("resource name", "a"));
    check_refused(|client| client.get().namespace("a").namespace("b"), &again("namespace", "a"));
    check_refused(|client| client.get().namespace("").namespace("b"), &again("namespace", ""));
    check_refused(|client| client.get().sub_resource(["a"]).sub_resource(["b"]), &again("subresource", "a"));
}

#[test]
fn the_first_mistake_stays_and_nothing_after_it_counts() {
    let request = client().get().resource("pods").name("..").name("").namespace("a/b").param("limit", "1").body("x");
    assert_eq!(request.error().unwrap().to_string(), "get pods: invalid resource name \"..\": [may not be '..']");
    assert_eq!(request.url(), format!("{ORIGIN}/pods"));
}

#[test]
fn parameters_add_up_and_a_uri_replaces_them() {
    let request = client().get().param("resourceVersion", "1").param("a", "x y&z").param("resourceVersion", "2");
    check_url(&request.abs_path(["/api"]), "/api?a=x+y%26z&resourceVersion=1&resourceVersion=2");
    let request = client().get().param("old", "1").resource("pods").request_uri("/api/v1?limit=5&continue=a%2Fb");
    check_url(&request, "/api/v1/pods?continue=a%2Fb&limit=5");
    check_url(&client().get().request_uri("/api/v1/a%20b%2Bc"), "/api/v1/a%20b+c");
    check_refused(|client| client.get().request_uri("api/v1"), "\"api/v1\" is not a path");
}

#[test]
fn a_timeout_is_told_to_the_server_and_none_is_none() {
    check_url(&client().get().abs_path(["/api"]).timeout(Duration::from_millis(1500)), "/api?timeout=1.5s");
    check_url(&client().get().abs_path(["/api"]).timeout(Duration::ZERO), "/api");
}

#[test]
fn a_group_version_and_a_base_precede_the_resource() {
    check_url(&client_below("/k-x/").group_version("", "v1").get().resource("pods"), "/k-x/api/v1/pods");
    check_url(&client_below("/k-x").group_version("apps", "v1").get().resource("pods"), "/k-x/apis/apps/v1/pods");
    let scoped = |scoped| client().get().namespace_if_scoped("ns", scoped).resource("pods");
    check_url(&scoped(true), "/namespaces/ns/pods");
    check_url(&scoped(false), "/pods");
}

#[test]
fn a_host_that_is_no_address_and_a_rate_without_burst_are_refused() {
    let script = Script::new(&VirtualTime::new(), []);
    for host in ["localhost:8001", "ftp://a", "http://", "http://user:pw@host", "http://a?b", "http://a b"] {
        let refused = RestClient::new(Config { host: host.to_owned(), ..script.config() });
        assert!(refused.is_err_and(|error| error.is_invalid_request() && !error.to_string().contains("pw")), "{host}");
    }
    for host in ["", "/k-x", "https://a:6443/b"] {
        assert!(RestClient::new(Config { host: host.to_owned(), ..script.config() }).is_ok(), "{host}");
    }
    let refused = RestClient::new(Config { qps: 3.0, burst: 0, ..script.config() }).unwrap_err();
    assert!(refused.to_string().ends_with("burst is required to be greater than 0 when qps is set to 3"));
}

/// Sends one request and gives its headers.
fn sent(change: impl FnOnce(&mut Config), build: impl FnOnce(&RestClient) -> Request) -> Headers {
    let time = VirtualTime::new();
    let script = Script::new(&time, [Reply::json(200, "{}")]);
    let mut config = script.config();
    change(&mut config);
    let request = build(&RestClient::new(config).unwrap());
    time.run(request.send()).unwrap();
    script.requests().remove(0).headers
}

#[test]
fn headers_name_what_is_accepted_sent_and_by_whom() {
    let headers = sent(|_| {}, |client| client.get().resource("pods"));
    assert_eq!(headers.iter().collect::<Vec<_>>(), [("Accept", "application/json, */*")]);
    let headers = sent(|_| {}, |client| client.get().set_header("accept", ["text/plain"]));
    assert_eq!(headers.all("Accept").collect::<Vec<_>>(), ["text/plain"]);
    for (kind, content_type) in [
        (PatchKind::Json, "application/json-patch+json"),
        (PatchKind::Merge, "application/merge-patch+json"),
        (PatchKind::StrategicMerge, "application/strategic-merge-patch+json"),
        (PatchKind::Apply, "application/apply-patch+yaml"),
    ] {
        let headers = sent(|_| {}, |client| client.patch(kind).json(&serde_json::json!({})));
        assert_eq!(headers.all("Content-Type").collect::<Vec<_>>(), [content_type]);
    }
    let headers = sent(|_| {}, |client| client.post().json(&serde_json::json!({})));
    assert_eq!(headers.get("Content-Type"), Some("application/json"));
    let agent = |config: &mut Config| {
        config.user_agent = Some("masthead/0.1".into());
        config.auth = Auth::Token("t0".into());
    };
    let headers = sent(agent, |client| client.get());
    assert_eq!((headers.get("User-Agent"), headers.get("Authorization")), (Some("masthead/0.1"), Some("Bearer t0")));
    let own =
        |client: &RestClient| client.get().set_header("Authorization", ["Basic x"]).set_header("user-agent", ["me"]);
    let headers = sent(agent, own);
    assert_eq!((headers.get("User-Agent"), headers.get("Authorization")), (Some("me"), Some("Basic x")));
}

#[test]
fn impersonation_is_four_kinds_of_headers() {
    let impersonate = Impersonation {
        user: "jane".into(),
        uid: "7".into(),
        groups: vec!["dev".into(), "ops".into()],
        extra: vec![("example.com/scopes".into(), vec!["a".into(), "b".into()])],
    };
    let headers = sent(|config| config.impersonate = Some(impersonate), |client| client.get());
    assert_eq!(headers.all("Impersonate-User").collect::<Vec<_>>(), ["jane"]);
    assert_eq!(headers.all("Impersonate-Uid").collect::<Vec<_>>(), ["7"]);
    assert_eq!(headers.all("Impersonate-Group").collect::<Vec<_>>(), ["dev", "ops"]);
    assert_eq!(headers.all("Impersonate-Extra-example.com%2Fscopes").collect::<Vec<_>>(), ["a", "b"]);
    let only_user = Impersonation { user: "jane".into(), ..Impersonation::default() };
    let headers = sent(|config| config.impersonate = Some(only_user), |client| client.get());
    assert_eq!(headers.iter().filter(|(name, _)| name.starts_with("Impersonate")).count(), 1);
}

#[test]
fn nothing_that_is_printed_shows_a_secret() {
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], Reply::json(200, "{}"));
    let config = Config { auth: Auth::Token("s3cret".into()), ..script.config() };
    let provider = Auth::Provider(Rc::new(|| async { Ok("s3cret".to_owned()) }.boxed_local()));
    let provided = Config { auth: provider, ..script.config() };
    let mut printed = format!("{config:?} {provided:?}");
    assert!(printed.contains("REDACTED") && printed.contains("Provider"));
    for config in [config, provided] {
        let client = RestClient::new(config).unwrap();
        let request = client.post().resource("secrets").set_header("Cookie", ["s3cret"]).body("s3cret");
        time.run(request.send()).unwrap();
        printed += &format!("{client:?} {request:?}");
    }
    assert!(script.requests().iter().all(|request| request.headers.get("Authorization") == Some("Bearer s3cret")));
    printed += &format!("{:?}", script.requests());
    let mut headers = Headers::default();
    for name in ["authorization", "Proxy-Authorization", "COOKIE", "Set-Cookie"] {
        headers.add(name, "s3cret");
    }
    printed += &format!("{headers:?}");
    assert!(!printed.contains("s3cret"), "{printed}");
    let bytes: Vec<String> = b"s3cret".iter().map(u8::to_string).collect();
    assert!(!printed.contains(&bytes.join(", ")), "the body, as numbers: {printed}");
}

#[test]
fn warnings_go_to_the_request_s_own_reader_or_to_the_client_s() {
    let time = VirtualTime::new();
    let warned = Reply::json(200, "{}").header("Warning", r#"299 - "a is old""#).header("Warning", r#"299 - "b""#);
    let script = Script::then_always(&time, [], warned);
    let [texts, own]: [Rc<RefCell<Vec<String>>>; 2] = Default::default();
    let collect = |into: &Rc<RefCell<Vec<String>>>| {
        let into = Rc::clone(into);
        move |text: &str| into.borrow_mut().push(text.to_owned())
    };
    let config = Config { warnings: WarningHandler::once(collect(&texts)), ..script.config() };
    let client = RestClient::new(config).unwrap();
    let response = time.run(client.get().send()).unwrap();
    assert_eq!(response.warnings(), ["a is old", "b"]);
    time.run(client.get().send()).unwrap();
    time.run(client.get().warnings(WarningHandler::each(collect(&own))).send()).unwrap();
    time.run(client.get().warnings(WarningHandler::Ignore).send()).unwrap();
    assert_eq!(*texts.borrow(), ["a is old", "b"], "once each");
    assert_eq!(*own.borrow(), ["a is old", "b"]);
}

#[test]
fn an_empty_body_decodes_to_nothing_but_an_error() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [Reply::json(200, ""), Reply::json(201, "{}"), Reply::text(500, "x".repeat(5000))]);
    let get = || time.run(script.client().get().resource("pods").max_retries(0).send());
    let error = get().unwrap().decode::<serde_json::Value>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "get pods: 0-length response with status code: 200 and content type: application/json"
    );
    assert!(get().unwrap().was_created());
    let error: Error = get().unwrap_err();
    assert_eq!(error.status().unwrap().message.len(), 2048, "what is shown of a text is bounded");
}
