//! What runs in pages that are measured or killed: informers of a real server's pods for `pods.mjs`, and a candidate for a
//! lease. Only WebAssembly has anything in it.
#![cfg(target_family = "wasm")]

mod candidate;
#[path = "../../../bench/src/pod_row.rs"]
mod pod_row;
mod pods;

pub use candidate::Candidate;
pub use pods::Pods;
