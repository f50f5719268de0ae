//! The writes that wait for a sink: in order for each event, and no event waits for another.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use super::{EventKind, EventWrite};
use crate::{cache::ObjectKey, runtime::Instant};

/// The writes of at most `limit` events: a state machine without a clock.
///
/// Each event has at most two writes: the current one and one more. Later writes are merged into the second, since the
/// last count covers all counts before it. The current write is ready, being sent, or waiting for a retry.
#[derive(Debug)]
pub(super) struct SinkQueue<K> {
    limit: usize,
    events: FxHashMap<ObjectKey, EventWrites<K>>,
    /// Events whose current write can be sent, in the order in which they became ready.
    ready: VecDeque<ObjectKey>,
    /// Events whose current write waits for a retry, by the time of the retry. The number keeps equal times apart.
    retries: BTreeMap<(Instant, u64), ObjectKey>,
    next_retry_number: u64,
    /// How many writes are queued or being sent.
    len: usize,
}

/// The writes of one event.
#[derive(Debug)]
struct EventWrites<K> {
    /// The current write and how often it was tried. `None` while it is being sent.
    current: Option<(EventWrite<K>, u32)>,
    next: Option<EventWrite<K>>,
}

/// A write that [`SinkQueue::pop`] handed out to be sent.
#[derive(Debug)]
pub(super) struct PendingEvent<K> {
    pub(super) key: ObjectKey,
    pub(super) write: EventWrite<K>,
    /// How often it was tried.
    pub(super) tries: u32,
}

/// The result of [`SinkQueue::push`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pushed {
    /// The write is queued.
    Queued,
    /// The write was merged into a queued write of the same event.
    Merged,
    /// The queue is full, and the write is dropped.
    Full,
}

impl<K: EventKind> SinkQueue<K> {
    /// An empty queue. A limit of zero is one.
    pub(super) fn new(limit: usize) -> SinkQueue<K> {
        SinkQueue {
            limit: limit.max(1),
            events: FxHashMap::default(),
            ready: VecDeque::new(),
            retries: BTreeMap::new(),
            next_retry_number: 0,
            len: 0,
        }
    }

    /// Adds a write behind the other writes of its event.
    pub(super) fn push(&mut self, write: EventWrite<K>) -> Pushed {
        let key = write.key();
        let has_room = self.has_room();
        match self.events.get_mut(&key) {
            Some(EventWrites { next: Some(next), .. }) => {
                next.merge(write);
                Pushed::Merged
            }
            Some(writes) => {
                writes.next = Some(write);
                self.len += 1;
                Pushed::Queued
            }
            None if has_room => {
                self.len += 1;
                self.ready.push_back(key.clone());
                self.events.insert(key, EventWrites { current: Some((write, 0)), next: None });
                Pushed::Queued
            }
            None => Pushed::Full,
        }
    }

    /// Takes the next write to send. The caller must hand it back by [`done`](Self::done) or
    /// [`retry_at`](Self::retry_at).
    pub(super) fn pop(&mut self, now: Instant) -> Option<PendingEvent<K>> {
        while let Some(due) = self.retries.first_entry().filter(|entry| entry.key().0 <= now) {
            self.ready.push_back(due.remove());
        }
        let key = self.ready.pop_front()?;
        self.take_current(key)
    }

    /// Ends the current write of an event, written or given up. The event's next write becomes ready.
    pub(super) fn done(&mut self, key: ObjectKey) {
        let Some(writes) = self.events.get_mut(&key) else { return };
        self.len -= 1;
        match writes.next.take() {
            Some(next) => {
                writes.current = Some((next, 0));
                self.ready.push_back(key);
            }
            None => drop(self.events.remove(&key)),
        }
    }

    /// Queues a failed write again, to be sent not before `at`.
    pub(super) fn retry_at(&mut self, pending: PendingEvent<K>, at: Instant) {
        let Some(writes) = self.events.get_mut(&pending.key) else { return };
        writes.current = Some((pending.write, pending.tries));
        self.next_retry_number += 1;
        self.retries.insert((at, self.next_retry_number), pending.key);
    }

    /// Removes every write that waits for a retry.
    pub(super) fn remove_retries(&mut self) -> Vec<PendingEvent<K>> {
        let keys: Vec<ObjectKey> = std::mem::take(&mut self.retries).into_values().collect();
        let removed = keys.into_iter().filter_map(|key| {
            let pending = self.take_current(key.clone())?;
            self.done(key);
            Some(pending)
        });
        removed.collect()
    }

    /// Returns when the first retry is due.
    pub(super) fn next_retry(&self) -> Option<Instant> {
        self.retries.first_key_value().map(|((at, _), _)| *at)
    }

    /// Returns whether the queue takes a write of one more event.
    pub(super) fn has_room(&self) -> bool {
        self.events.len() < self.limit
    }

    /// Returns how many writes are queued or being sent.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn take_current(&mut self, key: ObjectKey) -> Option<PendingEvent<K>> {
        let (write, tries) = self.events.get_mut(&key)?.current.take()?;
        Some(PendingEvent { key, write, tries })
    }
}

#[cfg(test)]
mod tests;
