//! Leaving the page: browsers keep left pages frozen, and a frozen page must hold no connection.

use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::EventTarget;

/// Calls back when the page is left, until dropped.
#[derive(Debug)]
#[must_use = "stops listening when dropped"]
pub(super) struct Departure {
    target: EventTarget,
    closure: Closure<dyn FnMut()>,
}

impl Departure {
    /// Listens; `None` where there is no page to leave.
    pub(super) fn listen(react: impl FnMut() + 'static) -> Option<Departure> {
        let global = js_sys::global();
        if !js_sys::Reflect::has(&global, &JsValue::from_str("addEventListener")).unwrap_or(false) {
            return None;
        }
        let target: EventTarget = global.unchecked_into();
        let closure = Closure::<dyn FnMut()>::new(react);
        target.add_event_listener_with_callback(LEFT, closure.as_ref().unchecked_ref()).ok()?;
        Some(Departure { target, closure })
    }
}

impl Drop for Departure {
    fn drop(&mut self) {
        // It was added, so that it can be removed; the closure ends either way.
        self.target.remove_event_listener_with_callback(LEFT, self.closure.as_ref().unchecked_ref()).ok();
    }
}

const LEFT: &str = "pagehide";

/// What a request that the departure ended reports.
pub(super) const WHY: &str = "the page was left";
