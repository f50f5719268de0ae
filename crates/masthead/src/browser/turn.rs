//! A turn for everyone else.

use std::time::Duration;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageChannel, MessagePort};

use crate::browser::timer;

/// Completes after whatever waits for the thread had a turn: input, frames, other tasks.
///
/// By a message to itself: a timer of no time takes four milliseconds in a page, and a second in one that nobody sees. Node
/// has a way of its own, which costs a hundredth of that.
pub(super) async fn give_way() {
    if immediate::is_available() {
        // The promise is never rejected.
        return drop(JsFuture::from(Promise::new(&mut |resolve, _| immediate::set(&resolve))).await);
    }
    let Ok(channel) = MessageChannel::new() else { return timer::sleep(Duration::ZERO).await };
    let port = Port(channel.port1());
    let heard = Promise::new(&mut |resolve, _| port.0.set_onmessage(Some(&resolve)));
    match channel.port2().post_message(&JsValue::NULL) {
        // The promise is never rejected.
        Ok(()) => drop(JsFuture::from(heard).await),
        Err(_) => timer::sleep(Duration::ZERO).await,
    }
}

mod immediate {
    use js_sys::Function;
    use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = setImmediate)]
        pub(super) fn set(callback: &Function);
    }

    pub(super) fn is_available() -> bool {
        js_sys::Reflect::has(&js_sys::global(), &JsValue::from_str("setImmediate")).unwrap_or(false)
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
