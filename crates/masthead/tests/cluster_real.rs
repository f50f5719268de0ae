//! The library on a real API server through `kubectl proxy`, in Node and in Chromium.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "cluster_real/clients.rs"]
mod clients;
#[path = "cluster_real/events.rs"]
mod events;
#[path = "cluster_real/remote.rs"]
mod remote;
#[path = "cluster_real/watches.rs"]
mod watches;
