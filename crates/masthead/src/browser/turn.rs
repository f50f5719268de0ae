//! A turn for everyone else.

use std::time::Duration;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageChannel, MessagePort};

use crate::browser::timer;

/// Completes after whatever waits for the thread had a turn: input, frames, other tasks.
///
/// By a message to itself: a timer of no time takes four milliseconds in a page, and a second in one that nobody sees.
pub(super) async fn give_way() {
    let Ok(channel) = MessageChannel::new() else { return timer::sleep(Duration::ZERO).await };
    let port = Port(channel.port1());
    let heard = Promise::new(&mut |resolve, _| port.0.set_onmessage(Some(&resolve)));
    match channel.port2().post_message(&JsValue::NULL) {
        // The promise is never rejected.
        Ok(()) => drop(JsFuture::from(heard).await),
        Err(_) => timer::sleep(Duration::ZERO).await,
    }
}

/// Closed when dropped: an open port keeps Node alive.
struct Port(MessagePort);

impl Drop for Port {
    fn drop(&mut self) {
        self.0.set_onmessage(None);
        self.0.close();
    }
}
