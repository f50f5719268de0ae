//! Requests by `fetch`, with the body as a stream of chunks.

use std::{
    future::Future,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, ready},
};

use futures::{Stream, future::LocalBoxFuture};
use js_sys::{Array, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, ReadableStreamDefaultReader, RequestCache, RequestInit};

use crate::{
    Error,
    browser::{
        address,
        departure::{self, Departure},
    },
    rest::{Answer, Body, Headers, HttpRequest, Method, Transport},
};

#[wasm_bindgen]
extern "C" {
    // The global one, which pages, workers and Node all have.
    #[wasm_bindgen(js_name = fetch)]
    fn fetch(request: &web_sys::Request) -> Promise;
}

/// Sends every request by `fetch`, in a page, a worker or Node; Node needs an absolute address.
///
/// Leaving the page ends what is under way with a network error, so that the browser may keep the page and its owner may
/// go on when it is back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fetch;

impl Transport for Fetch {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        Box::pin(send(request))
    }
}

async fn send(request: HttpRequest) -> Result<Answer, Error> {
    let operation = Rc::clone(&request.operation);
    let connection = Connection::new(&operation)?;
    let wire = wire(&request, &connection)?;
    let response = JsFuture::from(fetch(&wire)).await.map_err(|error| thrown(&operation, &error))?;
    let response: web_sys::Response = response.unchecked_into();
    let reader = response.body().map(|stream| stream.get_reader().unchecked_into());
    let chunks = Chunks {
        operation: Rc::clone(&operation),
        state: reader.map_or(State::Ended, State::Idle),
        _connection: connection,
    };
    Ok(Answer {
        operation,
        method: request.method,
        code: response.status(),
        headers: headers(&response.headers()),
        body: Body::new(chunks),
    })
}

/// The platform's own form of a request. What it cannot express is refused here, before anything is sent.
fn wire(request: &HttpRequest, connection: &Connection) -> Result<web_sys::Request, Error> {
    let operation = &request.operation;
    let refuse = |error: JsValue| Error::invalid(operation, words(&error));
    let init = RequestInit::new();
    init.set_method(request.method.as_str());
    init.set_signal(Some(&connection.controller.signal()));
    let cached = request.method == Method::Get && address::is_document(&request.url);
    init.set_cache(if cached { RequestCache::Default } else { RequestCache::NoStore });
    if let Some(body) = &request.body {
        init.set_body_opt_u8_array(Some(&Uint8Array::from(body.as_ref())));
    }
    let headers = web_sys::Headers::new().map_err(refuse)?;
    for (name, value) in request.headers.iter() {
        if is_joined_wrongly(name) && headers.has(name).map_err(refuse)? {
            return Err(Error::invalid(operation, format!("a browser cannot send {name} twice")));
        }
        headers.append(name, value).map_err(refuse)?;
    }
    init.set_headers_headers(&headers);
    web_sys::Request::new_with_str_and_init(&address::unindented(&request.url), &init).map_err(refuse)
}

/// `fetch` writes the values of a header as one, with commas between, which the server takes for one value here.
fn is_joined_wrongly(name: &str) -> bool {
    name.get(.."impersonate-".len()).is_some_and(|start| start.eq_ignore_ascii_case("impersonate-"))
}

fn headers(found: &web_sys::Headers) -> Headers {
    let mut headers = Headers::default();
    // Iterating the platform's own headers cannot fail.
    for pair in found.entries().into_iter().flatten() {
        let pair: Array = pair.unchecked_into();
        if let (Some(name), Some(value)) = (pair.get(0).as_string(), pair.get(1).as_string()) {
            headers.add(name, value);
        }
    }
    headers
}

/// The chunks of a body. Nothing is read ahead of what is polled for, beyond what the browser itself buffers.
#[derive(Debug)]
struct Chunks {
    operation: Rc<str>,
    state: State,
    _connection: Connection,
}

#[derive(Debug)]
enum State {
    Idle(ReadableStreamDefaultReader),
    Reading(ReadableStreamDefaultReader, JsFuture),
    Ended,
}

impl Stream for Chunks {
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

/// Node's fetch follows a signal by a weak reference and forgets it with the next collection of garbage, so that aborting
/// alone would leave the connection open.
impl Drop for Chunks {
    fn drop(&mut self) {
        let (State::Idle(reader) | State::Reading(reader, _)) = &self.state else { return };
        let cancelled = JsFuture::from(reader.cancel());
        // A stream that failed meanwhile says so once more, to nobody.
        spawn_local(async move { drop(cancelled.await) });
    }
}

/// The bytes of a reader's `{ done, value }`; `None` when it is done.
fn next_chunk(result: &JsValue) -> Option<Vec<u8>> {
    let value = Reflect::get(result, &JsValue::from_str("value")).ok()?;
    value.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec)
}

/// Ends a request when dropped, or when the page is left.
#[derive(Debug)]
struct Connection {
    controller: AbortController,
    _departure: Option<Departure>,
}

impl Connection {
    fn new(operation: &str) -> Result<Connection, Error> {
        let controller = AbortController::new().map_err(|error| thrown(operation, &error))?;
        let left = controller.clone();
        Ok(Connection { controller, _departure: Departure::listen(move || left.abort()) })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.controller.abort();
    }
}

fn thrown(operation: &str, error: &JsValue) -> Error {
    // Whoever dropped the request does not see this: only the departure is left.
    let aborted = error.dyn_ref::<js_sys::Error>().is_some_and(|error| error.name() == "AbortError");
    Error::network(operation, if aborted { departure::WHY.to_owned() } else { words(error) })
}

fn words(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => format!("{error:?}"),
    }
}
