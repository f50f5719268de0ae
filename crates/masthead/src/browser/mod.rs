//! The browser's side: the network, timers and tasks, in a page, a worker or Node.
//!
//! [`config`] is the way in. The only module of this crate that names `web-sys`, `js-sys` or `wasm-bindgen`; what of it is
//! plain Rust is tested natively.

mod address;
mod budget;
#[cfg(target_family = "wasm")]
mod clock;
#[cfg(target_family = "wasm")]
mod departure;
#[cfg(target_family = "wasm")]
mod fetch;
mod health;
mod inbox;
#[cfg(target_family = "wasm")]
mod page;
mod places;
mod policy;
#[cfg(target_family = "wasm")]
mod runtime;
mod steady;
#[cfg(target_family = "wasm")]
pub mod timer;
#[cfg(target_family = "wasm")]
mod transport;
#[cfg(target_family = "wasm")]
mod turn;
#[cfg(target_family = "wasm")]
mod websocket;

pub use budget::{Budget, Permit};
#[cfg(target_family = "wasm")]
pub use fetch::Fetch;
pub use policy::{Carrier, WatchPolicy};
#[cfg(target_family = "wasm")]
pub use runtime::runtime;
#[cfg(target_family = "wasm")]
pub use transport::Browser;

/// The server at `host` as this page reaches it: by fetch and WebSocket, with the browser's time.
///
/// `host` is an address as `http://127.0.0.1:8001`, a path on the page's own origin, or empty for its root; Node has no
/// origin. Change the fields of the result for anything else, as `transport` for a [`Browser`] with another policy.
#[cfg(target_family = "wasm")]
pub fn config(host: impl Into<String>) -> crate::rest::Config {
    let runtime = runtime();
    crate::rest::Config::new(host, std::rc::Rc::new(Browser::new(runtime.clone())), runtime)
}
