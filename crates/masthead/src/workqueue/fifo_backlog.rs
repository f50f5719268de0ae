//! The backlog of a queue without priorities.

use std::{cell::RefCell, time::Duration};

use super::{
    Key, Order,
    backlog::Backlog,
    delays::Delays,
    desk::End,
    ledger::{Added, Ledger},
    metrics::{Change, MetricsBuffer},
};
use crate::runtime::Instant;

/// A ledger, the order of what is queued in it, and what is to be added later.
pub(super) struct FifoBacklog<T> {
    ledger: RefCell<Ledger<T>>,
    delays: RefCell<Delays<T>>,
    /// Asked only while nothing is borrowed: it may be somebody else's code.
    order: Box<dyn Order<T>>,
}

impl<T: Key> FifoBacklog<T> {
    pub(super) fn new(order: Box<dyn Order<T>>, timed: bool) -> FifoBacklog<T> {
        FifoBacklog { ledger: RefCell::new(Ledger::new(timed)), delays: RefCell::new(Delays::new()), order }
    }

    /// Marks `item` as to be worked on.
    pub(super) fn add(&self, item: T, now: Instant, changes: &mut MetricsBuffer) {
        let added = self.ledger.borrow_mut().add(&item, now, changes);
        match added {
            Added::Push => self.order.push(item),
            Added::Touch => self.order.touch(&item),
            Added::Later => {}
        }
    }

    /// Adds `item` at `at`, or now if there is no such time.
    pub(super) fn add_at(&self, item: T, at: Option<Instant>, now: Instant, changes: &mut MetricsBuffer) {
        changes.push(Change::Retried);
        match at {
            Some(at) => self.delays.borrow_mut().put(item, at),
            None => self.add(item, now, changes),
        }
    }

    pub(super) fn delayed(&self) -> usize {
        self.delays.borrow().len()
    }
}

impl<T: Key> Backlog for FifoBacklog<T> {
    type Item = T;

    const HANDS_OUT_TO_THE_END: bool = true;

    fn depends_on_time(&self) -> bool {
        self.delayed() > 0
    }

    fn next_due(&self) -> Option<Instant> {
        self.delays.borrow().next_due()
    }

    fn settle(&self, now: Instant, changes: &mut MetricsBuffer) {
        loop {
            let due = self.delays.borrow_mut().pop(now);
            let Some(item) = due else { return };
            self.add(item, now, changes);
        }
    }

    fn take(&self, now: Instant, changes: &mut MetricsBuffer) -> Option<(T, i32)> {
        loop {
            let item = self.order.pop()?;
            // An order that gives what it was not given is not followed: two workers would have the same item.
            if self.ledger.borrow_mut().begin(&item, now, changes) {
                return Some((item, 0));
            }
        }
    }

    fn finish(&self, item: &T, end: End, now: Instant, changes: &mut MetricsBuffer) {
        let again = self.ledger.borrow_mut().finish(item, end, now, changes);
        if again {
            self.order.push(item.clone());
        }
    }

    fn close(&self) {
        let delayed = self.delays.replace(Delays::new());
        drop(delayed);
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    fn ready(&self) -> usize {
        self.order.len()
    }

    fn working(&self) -> usize {
        self.ledger.borrow().working()
    }

    fn left(&self) -> usize {
        self.ledger.borrow().len()
    }

    fn unfinished(&self, now: Instant) -> (Duration, Duration) {
        self.ledger.borrow().unfinished(now)
    }
}
