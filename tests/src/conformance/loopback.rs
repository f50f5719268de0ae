//! A transport over plain HTTP on loopback.

use std::{io::Read, rc::Rc, thread, time::Duration};

use futures::{SinkExt, channel::mpsc, executor::block_on, future::LocalBoxFuture};
use masthead::{
    Error,
    rest::{Answer, Body, Headers, HttpRequest, Transport},
};
use ureq::{Agent, http};

/// Carries requests to one address, such as that of a `kubectl proxy`; paths are relative to it.
///
/// Waiting for the head of an answer blocks the thread, reading its body does not. A body whose reader is gone is let go
/// with its next chunk, or after half a minute.
#[derive(Clone, Debug)]
pub struct Loopback {
    address: Rc<str>,
    agent: Agent,
}

/// How long an exchange may take, to the end of its body. No script keeps a watch open longer.
const LIMIT: Duration = Duration::from_secs(30);

/// How many chunks wait for a reader; the server waits beyond that.
const WAITING: usize = 16;

impl Loopback {
    /// A transport to `address`, such as `http://127.0.0.1:8001`.
    pub fn new(address: &str) -> Loopback {
        let config = Agent::config_builder().http_status_as_error(false).timeout_global(Some(LIMIT)).build();
        Loopback { address: address.into(), agent: config.into() }
    }

    fn exchange(&self, request: &HttpRequest) -> Result<Answer, Error> {
        let failed = |detail: String| Error::network(&request.operation, detail);
        let response = self.ask(request).map_err(|error| failed(error.to_string()))?;
        let mut headers = Headers::default();
        for (name, value) in response.headers() {
            headers.add(name.as_str(), String::from_utf8_lossy(value.as_bytes()));
        }
        let code = response.status().as_u16();
        let body = stream(request.operation.clone(), response.into_body().into_reader());
        Ok(Answer { operation: request.operation.clone(), method: request.method, code, headers, body })
    }

    fn ask(&self, request: &HttpRequest) -> Result<http::Response<ureq::Body>, ureq::Error> {
        let mut builder =
            http::Request::builder().method(request.method.as_str()).uri(format!("{}{}", self.address, request.url));
        for (name, value) in request.headers.iter() {
            builder = builder.header(name, value);
        }
        match &request.body {
            None => self.agent.run(builder.body(())?),
            Some(body) => self.agent.run(builder.body(body.to_vec())?),
        }
    }
}

impl Transport for Loopback {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        let transport = self.clone();
        Box::pin(async move { transport.exchange(&request) })
    }
}

/// Reads on a thread of its own, so that a watch is read while other requests go on.
fn stream(operation: Rc<str>, mut reader: impl Read + Send + 'static) -> Body {
    let (mut chunks, body) = mpsc::channel::<Result<Vec<u8>, String>>(WAITING);
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let chunk = match reader.read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => Ok(buffer[..length].to_vec()),
                Err(error) => Err(error.to_string()),
            };
            let is_last = chunk.is_err();
            if block_on(chunks.send(chunk)).is_err() || is_last {
                return;
            }
        }
    });
    let failed = move |detail: String| Error::network(&operation, detail);
    Body::new(futures::StreamExt::map(body, move |chunk| chunk.map_err(&failed)))
}
