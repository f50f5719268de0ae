//! Time, tasks and chance of the browser.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::clock::PageClock,
    runtime::{Runtime, Spawn},
};

/// The runtime of this page, worker or Node program.
///
/// Its time goes on while the page is frozen or the machine sleeps, and its sleeps are late at worst; see
/// [`Clock`](crate::runtime::Clock).
pub fn runtime() -> Runtime {
    // Jitter needs no more than this; 53 bits are as many as the number has.
    let seed = (js_sys::Math::random() * (1u64 << 53) as f64) as u64;
    Runtime::new(PageClock::shared(), Rc::new(EventLoop), seed)
}

/// Runs tasks on the event loop.
struct EventLoop;

impl Spawn for EventLoop {
    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        spawn_local(task);
    }
}
