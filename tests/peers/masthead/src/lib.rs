//! Informers of a real server's pods for `pods.mjs`, which measures them. Only WebAssembly has anything in it.
#![cfg(target_family = "wasm")]

#[path = "../../../bench/src/pod_row.rs"]
mod pod_row;
mod pods;

pub use pods::Pods;
