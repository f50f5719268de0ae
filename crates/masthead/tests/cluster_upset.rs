//! The library on a real API server that is killed, frozen and compacted, in Node and in Chromium. Apart from the tests that
//! count on a server that answers at once.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "cluster_upset/informers.rs"]
mod informers;
#[path = "cluster_real/remote.rs"]
mod remote;
