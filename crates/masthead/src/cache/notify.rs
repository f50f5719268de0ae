//! Wakes those who wait for something to become true.

use std::{
    cell::RefCell,
    future::poll_fn,
    task::{Poll, Waker},
};

/// Rung by whoever may have made true what others wait for.
#[derive(Debug, Default)]
pub(crate) struct Notify {
    /// One for each task that waits, as far as they can be told apart.
    waiting: RefCell<Vec<Waker>>,
}

impl Notify {
    pub(crate) fn notify_all(&self) {
        let waiting = std::mem::take(&mut *self.waiting.borrow_mut());
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Completes when `is_true`; asked again at every ring.
    pub(crate) async fn until(&self, is_true: impl Fn() -> bool) {
        poll_fn(|context| {
            if is_true() {
                return Poll::Ready(());
            }
            let mut waiting = self.waiting.borrow_mut();
            if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}
