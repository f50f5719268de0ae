//! The Masthead dashboard: a page that shows a live cluster through `kubectl proxy`, with no server of its own.
//!
//! Three layers: [`model`] is what the page knows (pure), `live` keeps it true (requests, timers, storage) and `view`
//! draws it. The last two exist in a browser only.

#[cfg(target_family = "wasm")]
mod live;
pub mod model;
#[cfg(target_family = "wasm")]
#[expect(clippy::too_many_lines, reason = "a component is one tree of markup, and the limit for files holds for it")]
mod view;

/// Draws the page and connects it.
#[cfg(target_family = "wasm")]
pub fn start() {
    wasm_bindgen_futures::spawn_local(async {
        let place = live::place::take().await;
        leptos::mount::mount_to_body(move || view::App(view::AppProps { place }));
    });
}
