//! What a worker and the item in its hands see of a queue, whatever kind it is.

use std::task::{Poll, Waker};

/// Hands out items and takes them back.
pub(super) trait Desk<T> {
    /// The next item and its priority; `None` when there will be none. Who has to wait gets a `ticket`, by which it keeps its
    /// place in the line.
    fn poll_take(&self, ticket: &mut Option<u64>, waker: &Waker) -> Poll<Option<(T, i32)>>;

    /// The owner of this ticket waits no longer.
    fn leave(&self, ticket: u64);

    /// Takes an item back.
    fn finish(&self, item: &T, end: End);
}

/// How a worker is through with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// It was dropped: nobody knows whether the work was done.
    Abandoned,
}
