//! The one error of this crate: opaque, asked by predicate.

use std::{fmt, time::Duration};

use crate::rest::{FrameError, Status};

/// What went wrong, and during which operation.
///
/// Ask it by predicate (`is_gone`, `is_forbidden`, …); [`Display`](fmt::Display) names the operation first, as in
/// `list namespaces: 403 forbidden: …`.
#[derive(Debug)]
pub struct Error(Box<Inner>);

impl Error {
    /// The server answered with something other than success.
    pub fn refused(operation: &str, status: Status) -> Self {
        Self::new(operation, Kind::Refused(status))
    }

    /// The request did not reach the server, or its answer did not arrive whole. `detail` is the platform's own word.
    pub fn network(operation: &str, detail: impl Into<String>) -> Self {
        Self::new(operation, Kind::Network(detail.into()))
    }

    /// The caller cancelled the request.
    pub fn aborted(operation: &str) -> Self {
        Self::new(operation, Kind::Aborted)
    }

    /// No answer came within `limit`.
    pub fn timed_out(operation: &str, limit: Duration) -> Self {
        Self::new(operation, Kind::TimedOut(limit))
    }

    pub(crate) fn not_json(operation: &str, content_type: &str) -> Self {
        Self::new(operation, Kind::NotJson(content_type.to_owned()))
    }

    /// The answer is larger than the `limit` its reader set.
    pub fn too_large(operation: &str, limit: usize) -> Self {
        Self::new(operation, Kind::TooLarge(limit))
    }

    pub(crate) fn undecodable(operation: &str, source: serde_json::Error) -> Self {
        Self::new(operation, Kind::Undecodable(source))
    }

    pub(crate) fn unknown_event(operation: &str, name: &str) -> Self {
        Self::new(operation, Kind::UnknownEvent(name.chars().take(64).collect()))
    }

    fn new(operation: &str, kind: Kind) -> Self {
        Self(Box::new(Inner { operation: operation.to_owned(), kind }))
    }

    /// Names what was attempted, in place of what the error said before.
    #[must_use]
    pub fn during(mut self, operation: &str) -> Self {
        operation.clone_into(&mut self.0.operation);
        self
    }

    /// The server's own words, when it answered with an error.
    pub fn status(&self) -> Option<&Status> {
        match &self.0.kind {
            Kind::Refused(status) => Some(status),
            _ => None,
        }
    }

    /// How long the server asked to wait before the next attempt.
    pub fn retry_after(&self) -> Option<Duration> {
        self.status()?.details.as_ref()?.retry_after()
    }

    /// 401: the server does not know who asks.
    pub fn is_unauthorized(&self) -> bool {
        self.code() == Some(401)
    }

    /// 403: the server knows who asks, and says no.
    pub fn is_forbidden(&self) -> bool {
        self.code() == Some(403)
    }

    /// 404: no such object, resource or path.
    pub fn is_not_found(&self) -> bool {
        self.code() == Some(404)
    }

    /// 409: the object changed or exists already.
    pub fn is_conflict(&self) -> bool {
        self.code() == Some(409)
    }

    /// 410: the resource version or continue token is too old; list again.
    pub fn is_gone(&self) -> bool {
        self.status().is_some_and(Status::is_gone)
    }

    /// 429: the server asks for fewer requests.
    pub fn is_too_many_requests(&self) -> bool {
        self.code() == Some(429)
    }

    /// 5xx: the server, or the proxy before it, failed.
    pub fn is_server_failure(&self) -> bool {
        self.code().is_some_and(|code| code >= 500)
    }

    /// No whole answer came: the connection failed, was cut or took too long.
    pub fn is_network(&self) -> bool {
        matches!(self.0.kind, Kind::Network(_) | Kind::TimedOut(_) | Kind::Frame(FrameError::Cut { .. }))
    }

    /// The caller cancelled the request.
    pub fn is_aborted(&self) -> bool {
        matches!(self.0.kind, Kind::Aborted)
    }

    /// The answer was a success but not JSON: something other than an API server answers at this address.
    pub fn is_not_json(&self) -> bool {
        matches!(self.0.kind, Kind::NotJson(_))
    }

    /// One object or answer could not be read; the stream it came from goes on.
    pub fn is_undecodable(&self) -> bool {
        matches!(self.0.kind, Kind::Undecodable(_) | Kind::UnknownEvent(_))
    }

    fn code(&self) -> Option<u16> {
        self.status().map(|status| status.code)
    }
}

impl From<FrameError> for Error {
    fn from(error: FrameError) -> Self {
        Self::new("read stream", Kind::Frame(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.0.operation)?;
        match &self.0.kind {
            Kind::Refused(status) => status.fmt(f),
            Kind::Network(detail) => write!(f, "no answer from the server ({detail})"),
            Kind::TimedOut(limit) => write!(f, "no answer within {} s", limit.as_secs()),
            Kind::Aborted => f.write_str("cancelled"),
            Kind::NotJson(found) if found.is_empty() => f.write_str("expected JSON, got an answer without a type"),
            Kind::NotJson(found) => write!(f, "expected JSON, got {found}: this address is not an API server"),
            Kind::TooLarge(limit) => write!(f, "the answer is larger than {limit} bytes"),
            Kind::Undecodable(source) => write!(f, "undecodable: {source}"),
            Kind::UnknownEvent(name) => write!(f, "unknown watch event type {name:?}"),
            Kind::Frame(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            Kind::Undecodable(source) => Some(source),
            Kind::Frame(error) => Some(error),
            _ => None,
        }
    }
}

#[derive(Debug)]
struct Inner {
    operation: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Refused(Status),
    Network(String),
    TimedOut(Duration),
    Aborted,
    NotJson(String),
    TooLarge(usize),
    Undecodable(serde_json::Error),
    UnknownEvent(String),
    Frame(FrameError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(code: u16) -> Error {
        Error::refused("list pods", Status { code, ..Status::default() })
    }

    #[test]
    fn predicates_follow_the_code() {
        assert!(refused(401).is_unauthorized());
        assert!(refused(403).is_forbidden());
        assert!(refused(404).is_not_found());
        assert!(refused(409).is_conflict());
        assert!(refused(410).is_gone());
        assert!(refused(429).is_too_many_requests());
        assert!(refused(503).is_server_failure());
        assert!(!refused(403).is_network());
    }

    #[test]
    fn a_cut_stream_and_a_timeout_are_network_errors() {
        assert!(Error::from(FrameError::Cut { bytes: 3 }).is_network());
        assert!(Error::timed_out("get version", Duration::from_secs(10)).is_network());
        assert!(!Error::from(FrameError::TooLarge { limit: 9 }).is_network());
    }

    #[test]
    fn display_names_the_operation_first() {
        let status = Status { code: 403, reason: "Forbidden".into(), message: "no".into(), ..Status::default() };
        assert_eq!(Error::refused("list pods", status).to_string(), "list pods: 403 Forbidden: no");
        assert_eq!(Error::aborted("a").during("watch pods").to_string(), "watch pods: cancelled");
        assert_eq!(
            Error::not_json("get version", "text/html").to_string(),
            "get version: expected JSON, got text/html: this address is not an API server"
        );
    }
}
