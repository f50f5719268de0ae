//! The backlog of a queue with priorities.

use std::{cell::RefCell, time::Duration};

use super::{Key, backlog::Backlog, desk::End, metrics::MetricsBuffer, priorities::Priorities};
use crate::runtime::Instant;

/// Priorities, borrowed for one call at a time.
pub(super) struct PriorityBacklog<T> {
    pub(super) priorities: RefCell<Priorities<T>>,
}

impl<T: Key> Backlog for PriorityBacklog<T> {
    type Item = T;

    const HANDS_OUT_TO_THE_END: bool = false;

    fn depends_on_time(&self) -> bool {
        true
    }

    fn next_due(&self) -> Option<Instant> {
        self.priorities.borrow().next_due()
    }

    fn settle(&self, now: Instant, changes: &mut MetricsBuffer) {
        self.priorities.borrow_mut().settle(now, changes);
    }

    fn take(&self, now: Instant, changes: &mut MetricsBuffer) -> Option<(T, i32)> {
        self.priorities.borrow_mut().take(now, changes)
    }

    fn finish(&self, item: &T, end: End, now: Instant, changes: &mut MetricsBuffer) {
        self.priorities.borrow_mut().finish(item, end, now, changes);
    }

    fn close(&self) {
        self.priorities.borrow_mut().forget_delayed();
    }

    fn len(&self) -> usize {
        self.priorities.borrow().len()
    }

    fn ready(&self) -> usize {
        self.priorities.borrow().ready()
    }

    fn working(&self) -> usize {
        self.priorities.borrow().working()
    }

    fn left(&self) -> usize {
        self.working()
    }

    fn unfinished(&self, now: Instant) -> (Duration, Duration) {
        self.priorities.borrow().unfinished(now)
    }
}
