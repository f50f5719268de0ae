//! Generated clients and informers on a real API server, in Node and in Chromium: the library's own, and those of a package
//! that uses every tag.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(missing_docs, dead_code, unreachable_pub, unused_imports, reason = "the package is generated for a library")]

#[path = "../../masthead-gen/tests/shop/src/api/mod.rs"]
mod api;
#[path = "cluster_generated/clientset.rs"]
mod clientset;
#[path = "../../masthead-gen/tests/shop/src/generated/mod.rs"]
mod generated;
#[path = "cluster_real/remote.rs"]
mod remote;
#[path = "cluster_generated/shop.rs"]
mod shop;
