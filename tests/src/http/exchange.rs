//! One request: from its client to the transport's thread, and the answer back.

use std::{error::Error, time::Duration};

use futures::{
    SinkExt, StreamExt,
    channel::{mpsc, oneshot},
};
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::{
    Request, Response, StatusCode,
    body::{Body as _, Bytes, Frame, Incoming},
    header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HeaderMap, TRANSFER_ENCODING},
    upgrade,
};
use masthead::rest::Method;
use masthead_serve::{Body, Permit, names_loopback};
use serde_json::json;
use tokio::{task::yield_now, time::timeout};

use super::{
    call::{Call, Chunk, Content, Reply},
    socket::{self, Handshake},
};

/// Answers a request by the transport behind `calls`; `None` when that gives no answer.
pub(super) async fn answer(
    mut request: Request<Incoming>,
    permit: Permit,
    mut calls: mpsc::Sender<Call>,
) -> Option<Response<Body>> {
    if !names_loopback(&request) {
        return Some(refusal(StatusCode::FORBIDDEN, "text/plain", "this address is for this machine only\n"));
    }
    let Some(method) = method(&request) else { return Some(method_not_allowed()) };
    let handshake = match Handshake::of(&request) {
        Some(Err(code)) => return Some(refusal(code, "text/plain", "")),
        Some(Ok(handshake)) => Some((handshake, upgrade::on(&mut request))),
        None => None,
    };
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str()).to_owned();
    let headers = texts(request.headers());
    let body = match read(request).await {
        Ok(body) => body,
        Err(refusal) => return Some(refusal),
    };
    let (reply_to, reply) = oneshot::channel();
    let (here, gone) = oneshot::channel();
    calls.send(Call { method, target, headers, body, reply: reply_to, gone }).await.ok()?;
    let reply = reply.await.ok()?;
    match handshake {
        Some((handshake, upgraded)) if reply.code == 200 => {
            let response = handshake.response();
            tokio::spawn(async move {
                socket::serve(upgraded, reply.content).await;
                drop((here, permit));
            });
            response
        }
        _ => response(reply, here),
    }
}

/// What a request does; a health check may do without the body of its answer.
fn method(request: &Request<Incoming>) -> Option<Method> {
    let all = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];
    let health = ["/healthz", "/livez", "/readyz"].iter().any(|path| request.uri().path().starts_with(path));
    match request.method().as_str() {
        "HEAD" if health => Some(Method::Get),
        name => all.into_iter().find(|method| method.as_str() == name),
    }
}

fn texts(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &hyper::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

/// The whole body, `None` when the head announces none, or how it is refused.
async fn read(request: Request<Incoming>) -> Result<Option<Vec<u8>>, Response<Body>> {
    let (head, mut body) = request.into_parts();
    if !head.headers.contains_key(CONTENT_LENGTH) && !head.headers.contains_key(TRANSFER_ENCODING) {
        return Ok(None);
    }
    if body.size_hint().lower() > MAX_BODY as u64 && head.headers.contains_key(EXPECT) {
        // The client has not begun to send it.
        return Err(too_large());
    }
    match timeout(BODY_WITHIN, collect(&mut body)).await {
        Ok(Ok(Some(bytes))) => Ok(Some(bytes)),
        Ok(Ok(None)) => {
            // To answer and close while the client still writes would reset the connection, and the answer with it.
            timeout(LINGER, discard(&mut body)).await.ok();
            Err(too_large())
        }
        Ok(Err(_)) | Err(_) => Err(refusal(StatusCode::BAD_REQUEST, "text/plain", "400 Bad Request")),
    }
}

/// All bytes of a body, or `None` after the first that are too many.
async fn collect(body: &mut Incoming) -> hyper::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        if data.len() > MAX_BODY - bytes.len() {
            return Ok(None);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(Some(bytes))
}

async fn discard(body: &mut Incoming) {
    let mut left = MAX_LINGER;
    while let Some(Ok(frame)) = body.frame().await {
        let Some(rest) = left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) else { return };
        left = rest;
    }
}

/// The answer for the client. A body that is dropped half-way drops `here` too, and so ends the call.
fn response(reply: Reply, here: oneshot::Sender<()>) -> Option<Response<Body>> {
    let Reply { code, headers, content } = reply;
    let body = match content {
        Content::Whole(bytes) => whole(bytes),
        Content::Stream(chunks) => {
            let frames = chunks.then(move |chunk| {
                let _lives_as_long = &here;
                frame(chunk)
            });
            StreamBody::new(frames).boxed_unsync()
        }
    };
    let mut response = Response::builder().status(code);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response.body(body).ok()
}

async fn frame(chunk: Chunk) -> Result<Frame<Bytes>, Box<dyn Error + Send + Sync>> {
    match chunk {
        Chunk::Bytes(bytes) => Ok(Frame::data(Bytes::from(bytes))),
        Chunk::Broken => {
            // An error drops what is not written yet: what came before it goes first.
            yield_now().await;
            Err("the body broke off".into())
        }
    }
}

/// An answer that the server gives without asking anybody. It ends the connection.
fn refusal(code: StatusCode, content_type: &str, text: impl Into<Vec<u8>>) -> Response<Body> {
    let mut response = Response::new(whole(text.into()));
    *response.status_mut() = code;
    for (name, value) in [(CONTENT_TYPE, content_type), (CONNECTION, "close")] {
        response.headers_mut().extend(value.parse().ok().map(|value| (name, value)));
    }
    response
}

/// As the real API server refuses a method that nothing has.
fn method_not_allowed() -> Response<Body> {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": "the server does not allow this method on the requested resource",
        "reason": "MethodNotAllowed", "details": {}, "code": 405,
    });
    refusal(StatusCode::METHOD_NOT_ALLOWED, "application/json", status.to_string())
}

/// As the real API server refuses a body that is longer than it takes them.
fn too_large() -> Response<Body> {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": format!("Request entity too large: limit is {MAX_BODY}"),
        "reason": "RequestEntityTooLarge", "code": 413,
    });
    refusal(StatusCode::PAYLOAD_TOO_LARGE, "application/json", status.to_string())
}

pub(super) fn whole(bytes: Vec<u8>) -> Body {
    Full::new(Bytes::from(bytes)).map_err(|never| match never {}).boxed_unsync()
}

/// As large as the real API server takes them.
const MAX_BODY: usize = 3 << 20;

/// How long a client may take to send a body that it announced.
const BODY_WITHIN: Duration = Duration::from_secs(30);

/// How long, and how much of it, a body that was refused half-way is still read.
const LINGER: Duration = Duration::from_secs(2);
const MAX_LINGER: usize = 64 << 20;
