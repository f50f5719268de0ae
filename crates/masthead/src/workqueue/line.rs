//! The workers that wait for items. Wakes nobody itself: whom to wake is an output.

use std::task::Waker;

use crate::ordered::Ordered;

/// Who waits, in the order they came, and how many were called and have not come yet.
#[derive(Debug, Default)]
pub(super) struct Line {
    waiting: Ordered<u64, Waker>,
    /// Workers that were woken for an item and have neither asked for it nor left.
    called: usize,
    next: u64,
    /// Who waits for the queue to have nothing to do.
    draining: Vec<Waker>,
}

impl Line {
    /// Puts a worker into the line, at its old place if it has a ticket.
    pub(super) fn wait(&mut self, ticket: &mut Option<u64>, waker: &Waker) {
        let ticket = *ticket.get_or_insert_with(|| {
            self.next += 1;
            self.next
        });
        self.waiting.insert(ticket, waker.clone());
    }

    /// Takes a worker out of the line: it asks, or it goes.
    pub(super) fn step_out(&mut self, ticket: u64) {
        if self.waiting.remove(&ticket).is_none() {
            self.called -= 1;
        }
    }

    /// Whom to wake so that each of `ready` items has a worker on its way.
    pub(super) fn call(&mut self, ready: usize) -> Option<Waker> {
        if self.called >= ready {
            return None;
        }
        let (_, waker) = self.waiting.pop_first()?;
        self.called += 1;
        Some(waker)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whom to wake when the queue shuts down: every worker.
    pub(super) fn call_all(&mut self) -> Vec<Waker> {
        self.called += self.waiting.len();
        std::mem::take(&mut self.waiting).into_values().collect()
    }

    /// Waits for the queue to have nothing to do.
    pub(super) fn drain(&mut self, waker: &Waker) {
        if !self.draining.iter().any(|known| known.will_wake(waker)) {
            self.draining.push(waker.clone());
        }
    }

    /// Whom to wake when there may be nothing to do any more.
    pub(super) fn drained(&mut self) -> Vec<Waker> {
        std::mem::take(&mut self.draining)
    }
}
