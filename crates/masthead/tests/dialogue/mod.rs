//! A dialogue with a server: what it must be asked, in this order, and what it answers.
#![allow(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    reason = "each suite uses its part of it, and a test may panic"
)]

#[path = "../replies/mod.rs"]
mod replies;

use masthead::{
    rest::{HttpRequest, RestClient},
    runtime::VirtualTime,
};
pub(crate) use replies::{Part, Reply};

/// Runs `test` with a client of a server that expects these requests (`GET /api/v1/pods?limit=1`) and no others; gives what
/// the test gave, and the requests.
#[track_caller]
pub(crate) fn dialogue<S: AsRef<str>, T>(
    steps: impl IntoIterator<Item = (S, Reply)>,
    test: impl AsyncFnOnce(RestClient) -> T,
) -> (T, Vec<HttpRequest>) {
    let (expected, replies): (Vec<S>, Vec<Reply>) = steps.into_iter().unzip();
    let world = VirtualTime::new();
    let script = replies::Script::new(&world, replies);
    let output = world.run(test(script.client()));
    let requests = script.requests();
    let asked: Vec<String> = requests.iter().map(line).collect();
    let expected: Vec<&str> = expected.iter().map(AsRef::as_ref).collect();
    assert_eq!(asked, expected);
    (output, requests)
}

/// Runs `test`, which must not ask the server anything.
#[track_caller]
pub(crate) fn monologue<T>(test: impl AsyncFnOnce(RestClient) -> T) -> T {
    dialogue::<&str, T>([], test).0
}

fn line(request: &HttpRequest) -> String {
    let path = request.url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    format!("{} {}", request.method.as_str(), path.unwrap())
}

/// The body of a request, as text.
pub(crate) fn body(request: &HttpRequest) -> &str {
    request.body.as_deref().map_or("", |body| std::str::from_utf8(body).unwrap())
}

/// The value of a header, or nothing.
pub(crate) fn header<'a>(request: &'a HttpRequest, name: &str) -> &'a str {
    request.headers.get(name).unwrap_or_default()
}

/// A success.
pub(crate) fn ok(body: &str) -> Reply {
    Reply::json(200, body)
}

/// A failure as the API server words it, about the object `name` if there is one.
pub(crate) fn failure(code: u16, reason: &str, name: &str) -> Reply {
    let details = if name.is_empty() { "{}".to_owned() } else { format!(r#"{{"name":"{name}"}}"#) };
    let status = r#""kind":"Status","apiVersion":"v1","status":"Failure""#;
    Reply::json(code, format!(r#"{{{status},"reason":"{reason}","code":{code},"details":{details}}}"#))
}
