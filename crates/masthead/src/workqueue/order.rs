//! In which order queued items are handed out.

use std::{cell::RefCell, collections::VecDeque};

/// Holds the items that wait for a worker and decides which one is next.
///
/// The queue sees to it that an item is in here once at most. It calls these while it holds nothing itself, so that an order
/// may use the queue it belongs to.
pub trait Order<T> {
    /// Takes an item that is not in here.
    fn push(&self, item: T);

    /// Gives the next item.
    fn pop(&self) -> Option<T>;

    /// How many items are in here.
    fn len(&self) -> usize;

    /// Whether none is.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An item that is in here was added again: a chance to move it.
    fn touch(&self, _item: &T) {}
}

/// First in, first out: what a queue does unless told otherwise.
#[derive(Debug)]
pub struct Fifo<T> {
    items: RefCell<VecDeque<T>>,
}

impl<T> Default for Fifo<T> {
    fn default() -> Fifo<T> {
        Fifo { items: RefCell::default() }
    }
}

impl<T> Order<T> for Fifo<T> {
    fn push(&self, item: T) {
        self.items.borrow_mut().push_back(item);
    }

    fn pop(&self) -> Option<T> {
        self.items.borrow_mut().pop_front()
    }

    fn len(&self) -> usize {
        self.items.borrow().len()
    }
}
