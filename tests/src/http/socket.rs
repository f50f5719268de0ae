//! A watch over a WebSocket, as the real API server serves it: one text frame per event, whatever the client says.

use std::pin::pin;

use futures::{Sink, SinkExt, StreamExt, future::select};
use hyper::{
    Method, Request, Response, StatusCode,
    header::{
        CONNECTION, HeaderName, HeaderValue, ORIGIN, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
        SEC_WEBSOCKET_VERSION, UPGRADE,
    },
    upgrade::OnUpgrade,
};
use hyper_util::rt::TokioIo;
use masthead_serve::{Body, is_websocket};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message,
        handshake::derive_accept_key,
        protocol::{CloseFrame, Role, frame::coding::CloseCode},
    },
};

use super::{
    call::{Chunk, Content},
    exchange::whole,
};

/// What a client that wants a WebSocket offered.
pub(super) struct Handshake {
    key: HeaderValue,
    protocol: Option<HeaderValue>,
}

impl Handshake {
    /// `None` when the request is no watch or wants no WebSocket; the code of a refusal when it asks wrongly.
    pub(super) fn of<B>(request: &Request<B>) -> Option<Result<Handshake, StatusCode>> {
        if !is_websocket(request.headers()) || !is_watch(request) {
            return None;
        }
        // The real server asks for an origin, and that it be told one subprotocol at most.
        let header = |name: HeaderName| request.headers().get(name);
        if header(ORIGIN).is_none() {
            return Some(Err(StatusCode::FORBIDDEN));
        }
        let protocol = header(SEC_WEBSOCKET_PROTOCOL);
        let many = protocol.is_some_and(|names| names.as_bytes().contains(&b','));
        match header(SEC_WEBSOCKET_KEY) {
            Some(key) if header(SEC_WEBSOCKET_VERSION).is_some_and(|version| version == "13") && !many => {
                Some(Ok(Handshake { key: key.clone(), protocol: protocol.cloned() }))
            }
            _ => Some(Err(StatusCode::BAD_REQUEST)),
        }
    }

    pub(super) fn response(&self) -> Option<Response<Body>> {
        let mut response = Response::new(whole(Vec::new()));
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        headers.insert(SEC_WEBSOCKET_ACCEPT, derive_accept_key(self.key.as_bytes()).parse().ok()?);
        headers.extend(self.protocol.clone().map(|name| (SEC_WEBSOCKET_PROTOCOL, name)));
        Some(response)
    }
}

fn is_watch<B>(request: &Request<B>) -> bool {
    let mut pairs = request.uri().query().unwrap_or_default().split('&');
    let asked = pairs.any(|pair| matches!(pair, "watch" | "watch=1" | "watch=true"));
    request.method() == Method::GET && (asked || request.uri().path().split('/').any(|part| part == "watch"))
}

/// Sends events until they end or the client goes.
pub(super) async fn serve(upgraded: OnUpgrade, content: Content) {
    let Ok(upgraded) = upgraded.await else { return };
    let socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, None).await;
    let (mut frames, mut messages) = socket.split();
    let sending = pin!(async move {
        // After an error there is nobody to say goodbye to.
        if send_events(&mut frames, content).await.is_ok() {
            frames.send(Message::Close(Some(NORMAL))).await.ok();
        }
    });
    // Reading answers pings and a goodbye; what else the client says is not heard.
    let listening = pin!(async move { while let Some(Ok(_)) = messages.next().await {} });
    select(sending, listening).await;
}

/// With which the real server ends every watch.
const NORMAL: CloseFrame =
    CloseFrame { code: CloseCode::Normal, reason: tokio_tungstenite::tungstenite::Utf8Bytes::from_static("") };

/// Events that cannot be sent, or no longer.
struct Broken;

async fn send_events(frames: &mut (impl Sink<Message> + Unpin), content: Content) -> Result<(), Broken> {
    let mut chunks = match content {
        Content::Whole(events) => return send_lines(frames, &mut { events }).await,
        Content::Stream(chunks) => chunks,
    };
    let mut unsent = Vec::new();
    while let Some(chunk) = chunks.next().await {
        match chunk {
            Chunk::Broken => return Err(Broken),
            Chunk::Bytes(bytes) => unsent.extend_from_slice(&bytes),
        }
        send_lines(frames, &mut unsent).await?;
        if unsent.len() > MAX_EVENT {
            return Err(Broken);
        }
    }
    Ok(())
}

/// Sends each whole line, with its end as the real server does, and leaves the rest.
async fn send_lines(frames: &mut (impl Sink<Message> + Unpin), unsent: &mut Vec<u8>) -> Result<(), Broken> {
    let mut sent = 0;
    for line in unsent.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        let text = std::str::from_utf8(line).map_err(|_| Broken)?;
        frames.feed(Message::text(text)).await.map_err(|_| Broken)?;
        sent += line.len();
    }
    unsent.drain(..sent);
    frames.flush().await.map_err(|_| Broken)
}

/// An event that does not end within this is none.
const MAX_EVENT: usize = 64 << 20;
