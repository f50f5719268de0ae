//! A watch over a WebSocket: one event per message.

use std::{
    future::poll_fn,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use futures::Stream;
use js_sys::{ArrayBuffer, JsString, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::{BinaryType, CloseEvent, MessageEvent, WebSocket};

use crate::{
    Error,
    browser::{
        departure::{self, Departure},
        inbox::Inbox,
    },
};

/// Whether this platform has WebSockets: pages and workers do, Node since version 22.
pub(super) fn is_available() -> bool {
    js_sys::Reflect::has(&js_sys::global(), &JsValue::from_str("WebSocket")).unwrap_or(false)
}

/// An open or opening socket, as the stream of its messages. Dropping it closes it, as does leaving the page.
///
/// A WebSocket does not notice that the other side is gone: whoever reads must have a limit for silence.
#[derive(Debug)]
#[must_use = "the socket closes when dropped"]
pub(super) struct Socket {
    socket: WebSocket,
    inbox: Rc<Inbox>,
    _callbacks: Callbacks,
    _departure: Option<Departure>,
}

#[derive(Debug)]
struct Callbacks {
    _opened: Closure<dyn FnMut()>,
    _received: Closure<dyn FnMut(MessageEvent)>,
    _closed: Closure<dyn FnMut(CloseEvent)>,
}

impl Socket {
    /// Starts to open a socket. No subprotocol is offered: the server then sends text, and knows no other way to fail.
    pub(super) fn connect(operation: &Rc<str>, url: &str) -> Result<Socket, Error> {
        let refused = |error: JsValue| Error::invalid(operation, format!("no WebSocket to this address: {error:?}"));
        let socket = WebSocket::new(url).map_err(refused)?;
        socket.set_binary_type(BinaryType::Arraybuffer);
        let inbox = Rc::new(Inbox::new(Rc::clone(operation), MAX_UNREAD));
        let callbacks = Callbacks::set(&socket, &inbox);
        let (left, unread) = (socket.clone(), Rc::clone(&inbox));
        let departure = Departure::listen(move || {
            unread.lost(departure::WHY);
            close(&left);
        });
        Ok(Socket { socket, inbox, _callbacks: callbacks, _departure: departure })
    }

    /// Completes once the socket is open. A failure tells nothing of its reason: browsers keep it to themselves.
    pub(super) async fn opened(&self) -> Result<(), Error> {
        poll_fn(|context| self.inbox.poll_opened(context)).await
    }
}

impl Callbacks {
    fn set(socket: &WebSocket, inbox: &Rc<Inbox>) -> Callbacks {
        let to = Rc::clone(inbox);
        let opened = Closure::<dyn FnMut()>::new(move || to.opened());
        let (to, from) = (Rc::clone(inbox), socket.clone());
        let received = Closure::<dyn FnMut(_)>::new(move |event: MessageEvent| {
            let kept = text(&event.data()).is_none_or(|message| to.received(message));
            if !kept {
                close(&from);
            }
        });
        let to = Rc::clone(inbox);
        let closed = Closure::<dyn FnMut(_)>::new(move |event: CloseEvent| to.closed(event.code(), &event.reason()));
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(received.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        Callbacks { _opened: opened, _received: received, _closed: closed }
    }
}

impl Stream for Socket {
    type Item = Result<Vec<u8>, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.inbox.poll_message(context)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        close(&self.socket);
    }
}

fn close(socket: &WebSocket) {
    // Closing without a code cannot fail, and closing twice is allowed.
    socket.close().ok();
}

#[wasm_bindgen]
extern "C" {
    type TextEncoder;
    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsString) -> Uint8Array;
}

thread_local! {
    static ENCODER: TextEncoder = TextEncoder::new();
}

/// The bytes of a message; `None` for what is neither text nor bytes, which no server sends.
///
/// A text is written by the browser itself: the usual way into WebAssembly goes letter by letter in JavaScript, which was a
/// tenth of what a change cost.
fn text(message: &JsValue) -> Option<Vec<u8>> {
    if let Some(text) = message.dyn_ref::<JsString>() {
        return Some(ENCODER.with(|encoder| encoder.encode(text).to_vec()));
    }
    message.dyn_ref::<ArrayBuffer>().map(|buffer| Uint8Array::new(buffer).to_vec())
}

/// A page that does not read for this long a list of events is better off with a new list.
const MAX_UNREAD: usize = 64 << 20;
