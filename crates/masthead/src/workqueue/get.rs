//! A worker that waits for an item.

use std::{
    fmt,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use super::{Item, desk::Desk};

/// Completes with the next item, or with `None` once the queue is shut down and has nothing left for workers.
///
/// Those who wait are served in the order they came. Dropping one takes it out of the line; no item is lost by that.
#[must_use = "futures do nothing unless polled"]
pub struct Get<T> {
    desk: Rc<dyn Desk<T>>,
    /// Its place in the line, once it had to wait.
    ticket: Option<u64>,
}

impl<T> Get<T> {
    pub(super) fn new(desk: Rc<dyn Desk<T>>) -> Get<T> {
        Get { desk, ticket: None }
    }
}

impl<T> Future for Get<T> {
    type Output = Option<Item<T>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Item<T>>> {
        let Get { desk, ticket } = &mut *self;
        let taken = desk.poll_take(ticket, context.waker());
        taken.map(|taken| taken.map(|taken| Item::new(Rc::clone(desk), taken)))
    }
}

impl<T> Drop for Get<T> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            self.desk.leave(ticket);
        }
    }
}

impl<T> fmt::Debug for Get<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Get").field("waits", &self.ticket.is_some()).finish()
    }
}
