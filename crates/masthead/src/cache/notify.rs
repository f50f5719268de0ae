//! Wakes tasks that wait for a condition.

use std::{
    cell::RefCell,
    future::poll_fn,
    task::{Poll, Waker},
};

/// Wakes all waiting tasks whenever a condition may have become true. Like `tokio::sync::Notify`, for one thread.
#[derive(Debug, Default)]
pub(crate) struct Notify {
    /// One waker per waiting task, as far as `Waker::will_wake` can tell them apart.
    waiters: RefCell<Vec<Waker>>,
}

impl Notify {
    /// Makes every waiting task check its condition again.
    pub(crate) fn notify_all(&self) {
        let waiters = std::mem::take(&mut *self.waiters.borrow_mut());
        waiters.into_iter().for_each(Waker::wake);
    }

    /// Waits until `is_true` returns true. Checks now and after each [`notify_all`](Self::notify_all).
    pub(crate) async fn until(&self, is_true: impl Fn() -> bool) {
        poll_fn(|context| {
            if is_true() {
                return Poll::Ready(());
            }
            let mut waiters = self.waiters.borrow_mut();
            if !waiters.iter().any(|waker| waker.will_wake(context.waker())) {
                waiters.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}
