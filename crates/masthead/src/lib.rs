//! client-go for the browser: Kubernetes clients and informers on `fetch`, on one thread.
//!
//! Modules are named as in client-go. Everything outside `browser` is plain Rust that also builds and is tested
//! natively: machines take bytes and time as arguments and do no I/O of their own.

#[cfg(any(test, target_family = "wasm"))]
pub mod browser;
pub mod cache;
pub mod controller;
pub mod discovery;
pub mod dynamic;
mod error;
pub mod events;
pub mod fields;
pub mod flowcontrol;
pub mod informers;
pub mod jsonpath;
pub mod kubernetes;
pub mod labels;
pub mod leaderelection;
pub mod lean;
pub mod listers;
pub mod metadata;
mod ordered;
pub mod packed;
pub mod pager;
pub mod quantity;
pub mod record;
pub mod rest;
pub mod retry;
pub mod runtime;
pub mod scale;
pub mod table;
pub mod timestamp;
pub mod typed;
pub mod watch;
pub mod workqueue;

pub use error::Error;

/// The examples of the project's README, which must compile.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
