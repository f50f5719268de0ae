//! An item in the hands of a worker.

use std::{fmt, ops::Deref, rc::Rc};

use super::desk::{Desk, End};

/// An item that nobody else works on for as long as this lives.
///
/// Say [`done`](Self::done) when the work is done, whether it succeeded or failed. An item that is dropped without that,
/// because its worker was cancelled half-way, goes back to the end of the queue and is counted as abandoned.
#[must_use = "an item that is dropped goes back to the queue"]
pub struct Item<T> {
    desk: Rc<dyn Desk<T>>,
    item: T,
    priority: i32,
    end: End,
}

impl<T> Item<T> {
    pub(super) fn new(desk: Rc<dyn Desk<T>>, (item, priority): (T, i32)) -> Item<T> {
        Item { desk, item, priority, end: End::Abandoned }
    }

    /// The work on the item is done. If it was added meanwhile it is queued now.
    pub fn done(mut self) {
        self.end = End::Done;
    }

    /// The priority it was handed out with; 0 in a queue without priorities.
    pub fn priority(&self) -> i32 {
        self.priority
    }
}

impl<T> Deref for Item<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.item
    }
}

impl<T> Drop for Item<T> {
    fn drop(&mut self) {
        self.desk.finish(&self.item, self.end);
    }
}

impl<T: fmt::Debug> fmt::Debug for Item<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Item").field(&self.item).finish()
    }
}
