//! Listening to the window and the document.

use leptos::{ev, prelude::*};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{EventTarget, Node, window};

/// Calls `react` at every `event` of the window, for as long as the page lives.
pub(crate) fn on_window(event: &str, react: impl FnMut() + 'static) {
    listen(window().map(EventTarget::from), event, react);
}

/// Calls `react` at every `event` of the document, for as long as the page lives.
pub(crate) fn on_document(event: &str, react: impl FnMut() + 'static) {
    listen(window().and_then(|window| window.document()).map(EventTarget::from), event, react);
}

/// Calls `react` when the pointer is pressed outside of `element`, for as long as the component lives that asks.
pub(crate) fn on_press_outside(element: impl Fn() -> Option<Node> + 'static, react: impl Fn() + 'static) {
    let listener = window_event_listener(ev::pointerdown, move |event| {
        let pressed = event.target().and_then(|target| target.dyn_into::<Node>().ok());
        if !element().is_some_and(|element| element.contains(pressed.as_ref())) {
            react();
        }
    });
    on_cleanup(move || listener.remove());
}

fn listen(target: Option<EventTarget>, event: &str, react: impl FnMut() + 'static) {
    let closure = Closure::<dyn FnMut()>::new(react);
    let added = target.map(|target| target.add_event_listener_with_callback(event, closure.as_ref().unchecked_ref()));
    debug_assert!(matches!(added, Some(Ok(()))), "a page has a window and a document that take listeners");
    closure.forget();
}
