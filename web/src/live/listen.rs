//! Listening to the window.

use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::window;

/// Calls `react` at every `event` of the window, for as long as the page lives.
pub(crate) fn on_window(event: &str, react: impl FnMut() + 'static) {
    let closure = Closure::<dyn FnMut()>::new(react);
    let added = window().map(|window| window.add_event_listener_with_callback(event, closure.as_ref().unchecked_ref()));
    debug_assert!(matches!(added, Some(Ok(()))), "a page has a window that takes listeners");
    closure.forget();
}
