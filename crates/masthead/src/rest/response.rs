//! A complete answer of the server, and what it means.

use std::rc::Rc;

use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    Error,
    rest::{Headers, Method, Status, warning},
};

/// An answer that arrived whole.
#[derive(Clone, Debug)]
pub struct Response {
    /// What was asked, for errors, as in `list pods`.
    pub operation: Rc<str>,
    /// The method it was asked with: what a conflict means depends on it.
    pub method: Method,
    /// The HTTP status code.
    pub code: u16,
    /// The headers that the server lets the page read.
    pub headers: Headers,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

impl Response {
    /// Reads the body as `T`.
    ///
    /// Fails with the server's [`Status`] where [`checked`](Self::checked) does, and on a success that is empty or not
    /// JSON: development servers answer unknown paths with 200 and a page.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_slice(self.json()?).map_err(|source| Error::undecodable(&self.operation, source))
    }

    /// The body of a success that is JSON; fails as [`decode`](Self::decode) does.
    pub fn json(&self) -> Result<&[u8], Error> {
        self.check()?;
        if self.body.is_empty() {
            return Err(Error::empty(&self.operation, self.code, self.content_type()));
        }
        if !is_json(self.content_type()) {
            return Err(Error::not_json(&self.operation, self.content_type()));
        }
        Ok(&self.body)
    }

    /// The response itself, if it is a success.
    pub fn checked(self) -> Result<Response, Error> {
        self.check().map(|()| self)
    }

    /// The `Content-Type` header, empty when there was none.
    pub fn content_type(&self) -> &str {
        self.headers.get("Content-Type").unwrap_or_default()
    }

    /// Whether the server made something new.
    pub fn was_created(&self) -> bool {
        self.code == 201
    }

    /// What the server warned of.
    pub fn warnings(&self) -> Vec<String> {
        self.headers.all("Warning").flat_map(warning::parse).collect()
    }

    /// Fails unless the code is in 200–206 and the body is no `Status` that tells of a failure.
    fn check(&self) -> Result<(), Error> {
        if !is_success(self.code) {
            return Err(Error::refused(&self.operation, self.status()));
        }
        let failed = |text: &str| serde_json::from_str::<Outcome>(text).is_ok_and(|outcome| outcome.is_failure());
        // Only a short body can be a `Status`; a list of pods is not worth a second look.
        let short = self.body.len() <= MAX_STATUS && is_json(self.content_type());
        if short && std::str::from_utf8(&self.body).is_ok_and(failed) {
            return Err(Error::refused(&self.operation, self.status()));
        }
        Ok(())
    }

    /// The body as a `Status`; a text body, as proxies send, becomes its message.
    fn status(&self) -> Status {
        let parsed = is_json(self.content_type()).then(|| serde_json::from_slice::<Status>(&self.body));
        let mut status = match parsed {
            Some(Ok(status)) => status,
            _ => Status { message: excerpt(&self.body), ..Status::default() },
        };
        if !is_success(self.code) {
            // The response's own code is what happened; a body may leave it out.
            status.code = self.code;
        }
        let (reason, message) = meaning(self.code, self.method);
        if status.reason.is_empty() {
            reason.clone_into(&mut status.reason);
        }
        if status.message.is_empty() {
            message.clone_into(&mut status.message);
        }
        let asked = self.headers.get("Retry-After").and_then(|seconds| seconds.trim().parse().ok());
        if let Some(seconds) = asked {
            status.details.get_or_insert_default().retry_after_seconds = seconds;
        }
        status
    }
}

/// The part of a `Status` that tells it from an object.
#[derive(Deserialize)]
struct Outcome {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    status: serde_json::Value,
}

impl Outcome {
    fn is_failure(&self) -> bool {
        self.kind == "Status" && self.status.as_str().is_some_and(|status| status != "Success")
    }
}

/// client-go's idea of success.
pub(crate) fn is_success(code: u16) -> bool {
    (200..=206).contains(&code)
}

/// Whether a `Content-Type` promises JSON, parameters and case aside.
pub(crate) fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(MAX_EXCERPT)]);
    text.trim().to_owned()
}

/// The reason and the sentence for an answer that gives none.
fn meaning(code: u16, method: Method) -> (&'static str, &'static str) {
    match code {
        400 => ("BadRequest", "the server rejected our request for an unknown reason"),
        401 => ("Unauthorized", "the server has asked for the client to provide credentials"),
        403 => ("Forbidden", "the server does not allow access to the requested resource"),
        404 => ("NotFound", "the server could not find the requested resource"),
        405 => ("MethodNotAllowed", "the server does not allow this method on the requested resource"),
        406 => ("NotAcceptable", "the server was unable to respond with a content type that the client supports"),
        409 if method == Method::Post => ("AlreadyExists", "the server reported a conflict"),
        409 => ("Conflict", "the server reported a conflict"),
        410 => ("Gone", "the resource is no longer available"),
        415 => ("UnsupportedMediaType", "the body of the request was in an unknown format"),
        422 => ("Invalid", "the server rejected our request due to an error in our request"),
        429 => ("TooManyRequests", "the server has received too many requests and has asked us to try again later"),
        503 => ("ServiceUnavailable", "the server is currently unable to handle the request"),
        504 => ("Timeout", "the server was unable to return a response in the time allotted"),
        500.. => ("InternalError", "an error on the server has prevented the request from succeeding"),
        _ => ("Unknown", "the server responded with a status code that tells nothing more"),
    }
}

/// Far more than a `Status` needs.
const MAX_STATUS: usize = 64 << 10;

/// client-go's bound on the part of an unstructured error body that it shows.
const MAX_EXCERPT: usize = 2048;

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Version {
        #[serde(rename = "gitVersion")]
        git_version: String,
    }

    fn response(method: Method, code: u16, content_type: &str, body: &str) -> Response {
        let mut headers = Headers::default();
        headers.add("Content-Type", content_type);
        Response { operation: "get version".into(), method, code, headers, body: body.into() }
    }

    #[track_caller]
    fn check(code: u16, content_type: &str, body: &str, expect: &str) {
        let got = match response(Method::Get, code, content_type, body).decode::<Version>() {
            Ok(version) => version.git_version,
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expect);
    }

    #[test]
    fn reads_a_success() {
        check(200, "application/json", r#"{"gitVersion":"v1"}"#, "v1");
        check(200, "Application/JSON; charset=utf-8", r#"{"gitVersion":"v1"}"#, "v1");
    }

    #[test]
    fn refuses_a_page_that_says_200_and_an_empty_body() {
        let expect = "get version: expected JSON, got text/html: this address is not an API server";
        check(200, "text/html", "<html>", expect);
        check(
            200,
            "application/json",
            "",
            "get version: 0-length response with status code: 200 and content type: application/json",
        );
    }

    #[test]
    fn refuses_a_success_that_tells_of_a_failure() {
        let body = r#"{"kind":"Status","status":"Failure","code":404,"reason":"NotFound","message":"no"}"#;
        check(200, "application/json", body, "get version: 404 NotFound: no");
        check(
            207,
            "application/json",
            "{}",
            "get version: 207 Unknown: the server responded with a status code that tells nothing more",
        );
        let deleted = response(Method::Delete, 200, "application/json", r#"{"kind":"Status","status":"Success"}"#);
        assert!(deleted.checked().is_ok());
        let pod = response(Method::Get, 200, "application/json", r#"{"kind":"Pod","status":{"phase":"Failed"}}"#);
        assert!(pod.checked().is_ok());
    }

    #[test]
    fn keeps_the_server_s_words() {
        let body = r#"{"kind":"Status","code":403,"reason":"Forbidden","message":"no list"}"#;
        check(403, "application/json", body, "get version: 403 Forbidden: no list");
        check(404, "text/plain", "404 page not found\n", "get version: 404 NotFound: 404 page not found");
        check(500, "text/plain", "dial tcp refused", "get version: 500 InternalError: dial tcp refused");
        check(502, "application/json", "not json", "get version: 502 InternalError: not json");
        let words = "get version: 401 Unauthorized: the server has asked for the client to provide credentials";
        check(401, "", "", words);
    }

    #[test]
    fn a_conflict_means_what_its_verb_makes_of_it() {
        let reason = |method| {
            let error = response(method, 409, "", "").checked().expect_err("409 is an error");
            error.status().map(|status| status.reason.clone())
        };
        assert_eq!(reason(Method::Post).as_deref(), Some("AlreadyExists"));
        assert_eq!(reason(Method::Put).as_deref(), Some("Conflict"));
    }

    #[test]
    fn the_retry_after_header_is_part_of_the_error() {
        let mut busy = response(Method::Get, 429, "", "");
        busy.headers.add("Retry-After", "7");
        let error = busy.checked().expect_err("429 is an error");
        assert_eq!(error.retry_after(), Some(std::time::Duration::from_secs(7)));
    }

    #[test]
    fn cuts_a_long_body_even_inside_a_character() {
        let long = response(Method::Get, 500, "text/plain", &"é".repeat(5000));
        let error = long.checked().expect_err("500 is an error");
        assert!(error.to_string().len() < MAX_EXCERPT + 64);
    }
}
