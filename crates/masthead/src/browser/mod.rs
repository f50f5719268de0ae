//! The browser's side: fetch and timers, in a page, a worker or Node.
//!
//! The only module of this crate that names `web-sys`, `js-sys` or `wasm-bindgen`.

pub mod fetch;
pub mod timer;
