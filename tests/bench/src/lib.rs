//! Caches of pods for `cache.mjs`, which feeds them pages and measures. Only WebAssembly has anything in it.
#![cfg(target_family = "wasm")]

mod cache;
mod feed;
mod pod_row;
mod server;

use cap::Cap;

pub use cache::Cache;
pub use server::Server;

/// Counts what is allocated: the memory of WebAssembly never shrinks, so its size tells the most there ever was.
#[global_allocator]
static ALLOCATOR: Cap<std::alloc::System> = Cap::new(std::alloc::System, usize::MAX);

/// How many bytes are allocated now.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn allocated() -> usize {
    ALLOCATOR.allocated()
}
