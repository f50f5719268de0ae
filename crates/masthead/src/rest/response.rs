//! A complete answer of the server, and what it means.

use serde::de::DeserializeOwned;

use crate::{Error, rest::Status};

/// Code, type and body of an answer that arrived whole.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// The HTTP status code.
    pub code: u16,
    /// The `Content-Type` header, empty when there was none.
    pub content_type: String,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

impl Response {
    /// Reads the body as `T`.
    ///
    /// Fails with the server's [`Status`] on any code outside 200–299, and on a success that is not JSON: development
    /// servers answer unknown paths with 200 and a page.
    pub fn decode<T: DeserializeOwned>(&self, operation: &str) -> Result<T, Error> {
        serde_json::from_slice(self.json(operation)?).map_err(|source| Error::undecodable(operation, source))
    }

    /// The body of a success that is JSON; fails as [`decode`](Self::decode) does.
    pub fn json(&self, operation: &str) -> Result<&[u8], Error> {
        if !self.is_success() {
            return Err(Error::refused(operation, self.status()));
        }
        if !is_json(&self.content_type) {
            return Err(Error::not_json(operation, &self.content_type));
        }
        Ok(&self.body)
    }

    /// Whether the code is in 200–299.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.code)
    }

    /// The body as a `Status`; a text body, as proxies send, becomes its message.
    fn status(&self) -> Status {
        let parsed = is_json(&self.content_type).then(|| serde_json::from_slice::<Status>(&self.body));
        let mut status = match parsed {
            Some(Ok(status)) => status,
            _ => Status { message: excerpt(&self.body), ..Status::default() },
        };
        // The response's own code is what happened; a body may leave it out.
        status.code = self.code;
        if status.reason.is_empty() {
            reason(self.code).clone_into(&mut status.reason);
        }
        status
    }
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

fn reason(code: u16) -> &'static str {
    match code {
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        406 => "NotAcceptable",
        409 => "Conflict",
        410 => "Gone",
        415 => "UnsupportedMediaType",
        422 => "Invalid",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        504 => "Timeout",
        500.. => "InternalError",
        _ => "Unknown",
    }
}

/// client-go's bound on the part of an unstructured error body that it shows.
const MAX_EXCERPT: usize = 2048;

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Version {
        #[serde(rename = "gitVersion")]
        git_version: String,
    }

    fn check(code: u16, content_type: &str, body: &str, expect: &str) {
        let response = Response { code, content_type: content_type.into(), body: body.into() };
        let got = match response.decode::<Version>("get version") {
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
    fn refuses_a_page_that_says_200() {
        let expect = "get version: expected JSON, got text/html: this address is not an API server";
        check(200, "text/html", "<html>", expect);
        check(200, "", "", "get version: expected JSON, got an answer without a type");
    }

    #[test]
    fn keeps_the_server_s_words() {
        let body = r#"{"kind":"Status","code":403,"reason":"Forbidden","message":"no list"}"#;
        check(403, "application/json", body, "get version: 403 Forbidden: no list");
        check(404, "text/plain", "404 page not found\n", "get version: 404 NotFound: 404 page not found");
        check(500, "text/plain", "dial tcp refused", "get version: 500 InternalError: dial tcp refused");
        check(502, "application/json", "not json", "get version: 502 InternalError: not json");
        check(429, "", "", "get version: 429 TooManyRequests");
    }

    #[test]
    fn cuts_a_long_body_even_inside_a_character() {
        let response = Response { code: 500, content_type: "text/plain".into(), body: "é".repeat(5000).into() };
        let error = response.decode::<Version>("get").expect_err("500 is an error");
        assert!(error.to_string().len() < MAX_EXCERPT + 64);
    }
}
