//! The network's edge: one request out, one answer back, its body as a stream.

use std::{fmt, rc::Rc};

use futures::{Stream, StreamExt, future::LocalBoxFuture, stream::LocalBoxStream};

use crate::{
    Error,
    rest::{Response, response},
};

/// Carries requests to a server.
///
/// Dropping the returned future, the answer or its body ends the request. Any code is an answer; an error means that no
/// answer came, and is a network error or an abort.
pub trait Transport {
    /// Sends a request and waits for the head of its answer.
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>>;

    /// Sends a request whose answer stays open: a watch.
    ///
    /// A transport may carry it by another way than [`send`](Self::send), as long as the body is the same series of events.
    fn watch(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        self.send(request)
    }
}

/// A request as it goes over the wire.
///
/// `Debug` shows no secret, and so only the size of the body.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// What it does, for errors, as in `list pods`.
    pub operation: Rc<str>,
    /// The HTTP method.
    pub method: Method,
    /// The address with its query; relative to the page's origin when the configuration names no server.
    pub url: String,
    /// The headers that this request needs beyond the transport's own.
    pub headers: Headers,
    /// The body, resent as it is by a retry.
    pub body: Option<Rc<[u8]>>,
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.body.as_ref().map(|body| body.len());
        f.debug_struct("HttpRequest")
            .field("operation", &self.operation)
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &self.headers)
            .field("body_size", &size)
            .finish()
    }
}

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// GET.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// PATCH.
    Patch,
    /// DELETE.
    Delete,
}

impl Method {
    /// As it stands in a request line.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }
}

/// Headers in the order they were added; names compare without case.
///
/// `Debug` shows no value of a header that may carry a secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers {
    entries: Vec<(String, String)>,
}

impl Headers {
    /// The first value of `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Every value of `name`.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.iter().filter(move |(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Adds a value beside those that `name` has.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.entries.push((name.into(), value.into()));
    }

    /// Replaces the values of `name`.
    pub fn set(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        self.entries.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        self.entries.extend(values.into_iter().map(|value| (name.to_owned(), value)));
    }

    /// Name and value of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.iter().map(|(name, value)| {
            let secret = SECRET.iter().any(|secret| name.eq_ignore_ascii_case(secret));
            (name, if secret { "--- REDACTED ---" } else { value })
        });
        f.debug_map().entries(shown).finish()
    }
}

const SECRET: &[&str] = &["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"];

/// The head of an answer, and its body to come.
#[derive(Debug)]
#[must_use = "the request ends when dropped"]
pub struct Answer {
    /// What was asked, for errors.
    pub operation: Rc<str>,
    /// The method it was asked with.
    pub method: Method,
    /// The HTTP status code.
    pub code: u16,
    /// The headers that the server lets the page read.
    pub headers: Headers,
    /// The body.
    pub body: Body,
}

impl Answer {
    /// Reads the body to its end; more than `limit` bytes is an error.
    pub async fn collect(mut self, limit: usize) -> Result<Response, Error> {
        let mut body = Vec::new();
        while let Some(chunk) = self.body.next().await {
            let chunk = chunk?;
            if body.len() + chunk.len() > limit {
                return Err(Error::too_large(&self.operation, limit));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Response { operation: self.operation, method: self.method, code: self.code, headers: self.headers, body })
    }
}

impl Answer {
    /// Whether the code is in 200–206.
    pub fn is_success(&self) -> bool {
        response::is_success(self.code)
    }

    /// Whether the body is JSON, as far as its type says.
    pub fn is_json(&self) -> bool {
        response::is_json(self.headers.get("Content-Type").unwrap_or_default())
    }
}

/// The body of an answer: chunks as they arrive, cut anywhere.
///
/// Ends after the last chunk or after the first error.
#[must_use = "the request ends when dropped"]
pub struct Body(LocalBoxStream<'static, Result<Vec<u8>, Error>>);

impl Body {
    /// A body of these chunks.
    pub fn new(chunks: impl Stream<Item = Result<Vec<u8>, Error>> + 'static) -> Body {
        Body(chunks.boxed_local())
    }
}

impl Stream for Body {
    type Item = Result<Vec<u8>, Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Body")
    }
}
