//! Which way a watch goes, and how many may go each way.

use std::{fmt, rc::Rc, time::Duration};

use crate::rest::{HttpRequest, Method};

/// What carries a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The body of a fetch: any header, a readable status, but one of the six connections that an HTTP/1.1 origin gets.
    Stream,
    /// A WebSocket: no header, no status, but connections of their own and many of them.
    Socket,
}

/// Decides how watches travel. Replace any part of it.
///
/// The default sends a watch over a WebSocket unless it needs a header that a socket cannot send: an `Accept` for tables,
/// metadata or another encoding, a token, another user's name. Those are streams, as are all watches where sockets turn out
/// not to work. Streams beyond the limit wait until one ends, in the order they were asked for.
#[derive(Clone)]
pub struct WatchPolicy {
    /// What should carry a watch. A stream is used all the same where sockets do not work.
    pub choose: Rc<dyn Fn(&HttpRequest) -> Carrier>,
    /// How many streams one origin may have open in this page, followed logs included. Tabs share the browser's limit of six
    /// but do not know of each other.
    pub max_streams: usize,
    /// The same where sockets do not work, so that every watch is a stream.
    pub max_streams_without_sockets: usize,
    /// How many sockets may be opening at once: browsers open them slowly, and slower after failures.
    pub max_opening: usize,
    /// How long a socket may take to open. Beyond the browser's own limit it would try for ever, in silence.
    pub open_limit: Duration,
}

impl WatchPolicy {
    /// The policy for a page or a worker.
    pub fn new() -> WatchPolicy {
        WatchPolicy {
            choose: Rc::new(carrier),
            max_streams: 2,
            max_streams_without_sockets: 4,
            max_opening: 8,
            open_limit: Duration::from_secs(5),
        }
    }

    /// The policy where connections are plenty: in Node, or to a server that is known to speak HTTP/2.
    pub fn unlimited() -> WatchPolicy {
        WatchPolicy { max_streams: usize::MAX, max_streams_without_sockets: usize::MAX, ..WatchPolicy::new() }
    }
}

impl Default for WatchPolicy {
    fn default() -> WatchPolicy {
        WatchPolicy::new()
    }
}

impl fmt::Debug for WatchPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatchPolicy")
            .field("max_streams", &self.max_streams)
            .field("max_streams_without_sockets", &self.max_streams_without_sockets)
            .field("max_opening", &self.max_opening)
            .field("open_limit", &self.open_limit)
            .finish_non_exhaustive()
    }
}

/// A socket, unless something of the request would be lost on it.
fn carrier(request: &HttpRequest) -> Carrier {
    let lost = |(name, value): (&str, &str)| match name {
        _ if name.eq_ignore_ascii_case("accept") => !is_plain_json(value),
        // A browser sends its own either way.
        _ => !name.eq_ignore_ascii_case("user-agent"),
    };
    let sends_more = request.method != Method::Get || request.body.is_some() || request.headers.iter().any(lost);
    if sends_more { Carrier::Stream } else { Carrier::Socket }
}

/// Whether JSON without any transformation is what is wanted most.
fn is_plain_json(accept: &str) -> bool {
    let first = accept.split(',').next().unwrap_or_default().trim();
    let (essence, parameters) = first.split_once(';').unwrap_or((first, ""));
    let as_it_is = !parameters.split(';').any(|parameter| parameter.trim_start().starts_with("as="));
    as_it_is && matches!(essence.trim().to_ascii_lowercase().as_str(), "application/json" | "*/*")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rest::Headers;

    fn check(headers: &[(&str, &str)], expected: Carrier) {
        let mut request = HttpRequest {
            operation: "watch pods".into(),
            method: Method::Get,
            url: "/api/v1/pods?watch=1".into(),
            headers: Headers::default(),
            body: None,
        };
        for (name, value) in headers {
            request.headers.add(*name, *value);
        }
        assert_eq!((WatchPolicy::new().choose)(&request), expected, "{headers:?}");
    }

    #[test]
    fn a_plain_watch_takes_a_socket() {
        check(&[], Carrier::Socket);
        check(&[("Accept", "application/json, */*")], Carrier::Socket);
        check(&[("accept", "Application/JSON;charset=utf-8"), ("user-agent", "x")], Carrier::Socket);
        check(&[("Accept", "*/*")], Carrier::Socket);
    }

    #[test]
    fn what_a_socket_cannot_say_takes_a_stream() {
        check(&[("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")], Carrier::Stream);
        check(&[("Accept", "application/json; v=v1; as=PartialObjectMetadata, application/json")], Carrier::Stream);
        check(&[("Accept", "application/vnd.kubernetes.protobuf, application/json")], Carrier::Stream);
        check(&[("Accept", "application/json"), ("Authorization", "Bearer x")], Carrier::Stream);
        check(&[("Impersonate-User", "jane")], Carrier::Stream);
    }
}
