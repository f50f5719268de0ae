//! The one error of this crate: opaque, asked by predicate.

use std::{fmt, sync::Arc, time::Duration};

use crate::{
    cache::ObjectKey,
    rest::{EventType, FrameError, Status, UndecodableObject, field_of},
};

/// What went wrong, and during which operation.
///
/// Ask it by predicate (`is_gone`, `is_forbidden`, …); [`Display`](fmt::Display) names the operation first, as in
/// `list namespaces: 403 forbidden: …`.
#[derive(Clone, Debug)]
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

    /// The request could not be made as it was asked for; nothing was sent.
    pub fn invalid(operation: &str, why: impl Into<String>) -> Self {
        Self::new(operation, Kind::Invalid(why.into()))
    }

    /// What was to be used was stopped, or ended before it gave what was asked of it.
    pub(crate) fn closed(operation: &str, what: &'static str) -> Self {
        Self::new(operation, Kind::Closed(what))
    }

    pub(crate) fn empty(operation: &str, code: u16, content_type: &str) -> Self {
        Self::new(operation, Kind::Empty { code, content_type: content_type.to_owned() })
    }

    pub(crate) fn not_json(operation: &str, content_type: &str) -> Self {
        Self::new(operation, Kind::NotJson(content_type.to_owned()))
    }

    /// The answer is larger than the `limit` its reader set.
    pub fn too_large(operation: &str, limit: usize) -> Self {
        Self::new(operation, Kind::TooLarge(limit))
    }

    pub(crate) fn undecodable(operation: &str, source: serde_json::Error) -> Self {
        Self::new(operation, Kind::Undecodable(Arc::new(source)))
    }

    /// Adds which object it was that could not be decoded, and which of its fields is wrong.
    #[must_use]
    pub(crate) fn in_object(mut self, object: &[u8], event: Option<EventType>) -> Self {
        if let Kind::Undecodable(source) = &self.0.kind {
            self.0.field = field_of(source, object);
        }
        self.0.object = UndecodableObject::identify(object, event).map(Arc::new);
        self
    }

    pub(crate) fn unknown_event(operation: &str, name: &str) -> Self {
        Self::new(operation, Kind::UnknownEvent(name.chars().take(64).collect()))
    }

    pub(crate) fn no_match(operation: &str, what: impl Into<String>) -> Self {
        Self::new(operation, Kind::NoMatch(what.into()))
    }

    pub(crate) fn ambiguous(operation: &str, what: impl Into<String>) -> Self {
        Self::new(operation, Kind::Ambiguous(what.into()))
    }

    pub(crate) fn stale(operation: &str, group_version: impl Into<String>) -> Self {
        Self::new(operation, Kind::Stale(group_version.into()))
    }

    pub(crate) fn incomplete(operation: &str, failures: impl Into<String>) -> Self {
        Self::new(operation, Kind::Incomplete(failures.into()))
    }

    fn new(operation: &str, kind: Kind) -> Self {
        Self(Box::new(Inner {
            operation: operation.to_owned(),
            kind,
            previous: None,
            object: None,
            field: String::new(),
        }))
    }

    /// Names what was attempted, in place of what the error said before.
    #[must_use]
    pub fn during(mut self, operation: &str) -> Self {
        operation.clone_into(&mut self.0.operation);
        self
    }

    /// Adds which object it is about.
    #[must_use]
    pub(crate) fn of_object(mut self, key: &ObjectKey) -> Self {
        self.0.operation = format!("{}: {key}", self.0.operation);
        self
    }

    /// Adds what an earlier attempt of the same request ended with.
    #[must_use]
    pub(crate) fn after(mut self, previous: &Error) -> Self {
        self.0.previous = Some(previous.to_string());
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

    /// 409 for a creation: an object of this name is there already.
    pub fn is_already_exists(&self) -> bool {
        self.status().is_some_and(|status| status.reason == "AlreadyExists")
    }

    /// 422: the server understood the object and refused it.
    pub fn is_invalid(&self) -> bool {
        self.code() == Some(422)
    }

    /// 405: the resource does not have this verb.
    pub fn is_method_not_allowed(&self) -> bool {
        self.code() == Some(405)
    }

    /// The server does not have the version that was asked for yet.
    pub fn is_too_large_resource_version(&self) -> bool {
        self.status().is_some_and(Status::is_too_large_resource_version)
    }

    /// The request was wrong before it was sent.
    pub fn is_invalid_request(&self) -> bool {
        matches!(self.0.kind, Kind::Invalid(_))
    }

    /// No answer came in time.
    pub fn is_timeout(&self) -> bool {
        matches!(self.0.kind, Kind::TimedOut(_))
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

    /// 500 with the reason `InternalError`: the server failed and says so itself.
    pub fn is_internal_error(&self) -> bool {
        self.status().is_some_and(|status| status.reason == "InternalError")
    }

    /// No whole answer came: the connection failed, was cut or took too long.
    pub fn is_network(&self) -> bool {
        matches!(self.0.kind, Kind::Network(_) | Kind::TimedOut(_) | Kind::Frame(FrameError::Cut { .. }))
    }

    /// The answer, or one value of a stream, is larger than its reader's limit.
    pub fn is_too_large(&self) -> bool {
        matches!(self.0.kind, Kind::TooLarge(_) | Kind::Frame(FrameError::TooLarge { .. }))
    }

    /// The caller cancelled the request.
    pub fn is_aborted(&self) -> bool {
        matches!(self.0.kind, Kind::Aborted)
    }

    /// What was to be used was stopped before, or ended before it gave what was asked of it.
    pub fn is_closed(&self) -> bool {
        matches!(self.0.kind, Kind::Closed(_))
    }

    /// The answer was a success but not JSON: something other than an API server answers at this address.
    pub fn is_not_json(&self) -> bool {
        matches!(self.0.kind, Kind::NotJson(_))
    }

    /// One object or answer could not be read; the stream it came from goes on.
    pub fn is_undecodable(&self) -> bool {
        matches!(self.0.kind, Kind::Undecodable(_) | Kind::UnknownEvent(_))
    }

    /// Which object could not be decoded, where its name could be read.
    pub fn undecodable_object(&self) -> Option<&UndecodableObject> {
        self.0.object.as_deref()
    }

    /// The server has no resource or kind of this name, as far as discovery tells.
    pub fn is_no_match(&self) -> bool {
        matches!(self.0.kind, Kind::NoMatch(_))
    }

    /// Several resources or kinds have this name, and none comes before the others.
    pub fn is_ambiguous(&self) -> bool {
        matches!(self.0.kind, Kind::Ambiguous(_))
    }

    /// The server's word on this group-version is old: whoever serves it does not answer.
    pub fn is_stale(&self) -> bool {
        matches!(self.0.kind, Kind::Stale(_))
    }

    /// Discovery of one or more group-versions failed.
    pub fn is_incomplete(&self) -> bool {
        matches!(self.0.kind, Kind::Incomplete(_))
    }

    /// The status code of the answer, when the server answered with an error.
    pub fn code(&self) -> Option<u16> {
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
        if let Some(object) = &self.0.object {
            write!(f, "{}: ", object.key())?;
        }
        if !self.0.field.is_empty() {
            write!(f, "{}: ", self.0.field)?;
        }
        match &self.0.kind {
            Kind::Invalid(why) => f.write_str(why),
            Kind::Empty { code, content_type } => {
                write!(f, "0-length response with status code: {code} and content type: {content_type}")
            }
            Kind::Refused(status) => status.fmt(f),
            Kind::Network(detail) => write!(f, "no answer from the server ({detail})"),
            Kind::TimedOut(limit) => write!(f, "no answer within {} s", limit.as_secs()),
            Kind::Aborted => f.write_str("cancelled"),
            Kind::Closed(what) => f.write_str(what),
            Kind::NotJson(found) if found.is_empty() => f.write_str("expected JSON, got an answer without a type"),
            Kind::NotJson(found) => write!(f, "expected JSON, got {found}: this address is not an API server"),
            Kind::TooLarge(limit) => write!(f, "the answer is larger than {limit} bytes"),
            Kind::Undecodable(source) => write!(f, "undecodable: {source}"),
            Kind::UnknownEvent(name) => write!(f, "unknown watch event type {name:?}"),
            Kind::Frame(error) => error.fmt(f),
            Kind::NoMatch(what) => write!(f, "no matches for {what}"),
            Kind::Ambiguous(what) => write!(f, "{what}"),
            Kind::Stale(group_version) => write!(f, "stale GroupVersion discovery: {group_version}"),
            Kind::Incomplete(failures) => {
                write!(f, "unable to retrieve the complete list of server APIs: {failures}")
            }
        }?;
        match &self.0.previous {
            Some(previous) => write!(f, " - error from a previous attempt: {previous}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            Kind::Undecodable(source) => Some(&**source),
            Kind::Frame(error) => Some(error),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
struct Inner {
    operation: String,
    kind: Kind,
    /// What the attempt before the last ended with, in words.
    previous: Option<String>,
    /// What could not be decoded, where it could be identified.
    object: Option<Arc<UndecodableObject>>,
    /// The path of the field that could not be decoded; empty where that is not known, or where `kind` says it.
    field: String,
}

#[derive(Clone, Debug)]
enum Kind {
    Invalid(String),
    Empty { code: u16, content_type: String },
    Refused(Status),
    Network(String),
    TimedOut(Duration),
    Aborted,
    Closed(&'static str),
    NotJson(String),
    TooLarge(usize),
    Undecodable(Arc<serde_json::Error>),
    UnknownEvent(String),
    Frame(FrameError),
    NoMatch(String),
    Ambiguous(String),
    Stale(String),
    Incomplete(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(code: u16) -> Error {
        Error::refused("list pods", Status { code, ..Status::default() })
    }

    /// An error goes wherever its caller sends it: `anyhow` wants this.
    const fn is_send_and_sync<T: Send + Sync>() {}
    const _: () = is_send_and_sync::<Error>();

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
