//! Requests by `fetch`, with the body as a stream of chunks.
//!
//! Drop is cancel: whoever drops the pending request, the [`Answer`] or its [`Body`] closes the connection.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures::{Stream, StreamExt};
use gloo_net::http::RequestBuilder;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader};

use crate::{Error, rest::Response};

/// Sends a GET and waits for the head of the answer; `operation` names it in errors.
///
/// Any code is an answer, not an error: ask it. Node needs an absolute address.
pub async fn get(operation: &str, url: &str, accept: &str) -> Result<Answer, Error> {
    let abort = AbortOnDrop::new(operation)?;
    let signal = abort.controller.signal();
    let response = RequestBuilder::new(url)
        .header("Accept", accept)
        .abort_signal(Some(&signal))
        .send()
        .await
        .map_err(|error| failure(operation, &error))?;
    let reader = response.body().map(|stream| stream.get_reader().unchecked_into());
    Ok(Answer {
        code: response.status(),
        content_type: response.headers().get("Content-Type").unwrap_or_default(),
        body: Body { operation: operation.to_owned(), state: reader.map_or(State::Ended, State::Idle), _abort: abort },
    })
}

/// The head of an answer, and its body to come.
#[derive(Debug)]
#[must_use = "the request is aborted when dropped"]
pub struct Answer {
    /// The HTTP status code.
    pub code: u16,
    /// The `Content-Type` header, empty when there was none.
    pub content_type: String,
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
                return Err(Error::too_large(&self.body.operation, limit));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Response { code: self.code, content_type: self.content_type, body })
    }
}

/// The body of an answer: chunks as they arrive, each at most once, in order.
///
/// Ends after the last chunk or after the first error. Nothing is read ahead of what is polled for, beyond what the
/// browser itself buffers.
#[derive(Debug)]
#[must_use = "the request is aborted when dropped"]
pub struct Body {
    operation: String,
    state: State,
    _abort: AbortOnDrop,
}

impl Stream for Body {
    type Item = Result<Vec<u8>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match &mut self.state {
                State::Ended => return Poll::Ready(None),
                State::Idle(reader) => {
                    let read = JsFuture::from(reader.read());
                    self.state = State::Reading(reader.clone(), read);
                }
                State::Reading(reader, read) => {
                    let result = ready!(Pin::new(read).poll(context));
                    let idle = State::Idle(reader.clone());
                    self.state = State::Ended;
                    let chunk = result.map_err(|error| thrown(&self.operation, &error))?;
                    match next_chunk(&chunk) {
                        Some(chunk) if chunk.is_empty() => self.state = idle,
                        Some(chunk) => {
                            self.state = idle;
                            return Poll::Ready(Some(Ok(chunk)));
                        }
                        None => return Poll::Ready(None),
                    }
                }
            }
        }
    }
}

#[derive(Debug)]
enum State {
    Idle(ReadableStreamDefaultReader),
    Reading(ReadableStreamDefaultReader, JsFuture),
    Ended,
}

/// The bytes of a reader's `{ done, value }`; `None` when it is done.
fn next_chunk(result: &JsValue) -> Option<Vec<u8>> {
    let value = Reflect::get(result, &JsValue::from_str("value")).ok()?;
    value.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec)
}

#[derive(Debug)]
struct AbortOnDrop {
    controller: AbortController,
}

impl AbortOnDrop {
    fn new(operation: &str) -> Result<Self, Error> {
        let controller = AbortController::new().map_err(|error| thrown(operation, &error))?;
        Ok(Self { controller })
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.controller.abort();
    }
}

fn failure(operation: &str, error: &gloo_net::Error) -> Error {
    match error {
        gloo_net::Error::JsError(error) if error.name == ABORTED => Error::aborted(operation),
        other => Error::network(operation, other.to_string()),
    }
}

fn thrown(operation: &str, error: &JsValue) -> Error {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) if error.name() == ABORTED => Error::aborted(operation),
        Some(error) => Error::network(operation, String::from(error.message())),
        None => Error::network(operation, format!("{error:?}")),
    }
}

/// The name of what an aborted request throws.
const ABORTED: &str = "AbortError";
