//! The queue that adds items later: [`DelayingQueue`], and the items that wait for their time.

use std::{
    collections::{BTreeMap, hash_map::Entry},
    fmt,
    ops::Deref,
    time::Duration,
};

use rustc_hash::FxHashMap;

use super::{Key, QueueConfig, WorkQueue};
use crate::runtime::{Instant, Runtime};

/// A [`WorkQueue`] that can also add an item after a delay, so that a failure is not retried at once.
///
/// Clones share the same queue, and every method of [`WorkQueue`] is available. Delays follow the clock: an item whose
/// time came while the page's timers stood still is there at the next call.
///
/// ```
/// use std::time::Duration;
/// use masthead::{runtime::VirtualTime, workqueue::DelayingQueue};
///
/// let time = VirtualTime::new();
/// let queue = DelayingQueue::new(&time.runtime(), Default::default());
/// queue.add_after("a", Duration::from_secs(60));
/// assert_eq!((queue.len(), queue.delayed()), (0, 1));
/// time.advance(Duration::from_secs(60));
/// assert_eq!((queue.len(), queue.delayed()), (1, 0));
/// ```
pub struct DelayingQueue<T: Key> {
    queue: WorkQueue<T>,
}

impl<T: Key> DelayingQueue<T> {
    /// Creates an empty queue.
    pub fn new(runtime: &Runtime, config: QueueConfig<T>) -> DelayingQueue<T> {
        DelayingQueue { queue: WorkQueue::new(runtime, config) }
    }

    /// Adds `item` when `delay` has passed, or at once if `delay` is zero. Does nothing if the queue is shut down.
    ///
    /// An item that is delayed twice is added once, at the earlier time. A delayed item may be added, processed and
    /// done in the meantime; it is still added when its time comes.
    pub fn add_after(&self, item: T, delay: Duration) {
        if self.is_shutting_down() {
            return;
        }
        let shared = &self.queue.shared;
        let at = (!delay.is_zero()).then(|| shared.runtime.now() + delay);
        shared.update(|items, now, metrics| items.add_at(item, at, now, metrics));
    }

    /// How many items wait for their delay to pass.
    pub fn delayed(&self) -> usize {
        self.queue.shared.update(|items, _, _| items.delayed())
    }
}

impl<T: Key> Deref for DelayingQueue<T> {
    type Target = WorkQueue<T>;

    fn deref(&self) -> &WorkQueue<T> {
        &self.queue
    }
}

impl<T: Key> Clone for DelayingQueue<T> {
    fn clone(&self) -> DelayingQueue<T> {
        DelayingQueue { queue: self.queue.clone() }
    }
}

impl<T: Key> fmt::Debug for DelayingQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DelayingQueue").field("queue", &self.queue).finish()
    }
}

/// Delayed items by the time they are due: client-go's `waitForPriorityQueue`. Time is an argument.
///
/// Holds each item once, with the earliest time that was asked for. Items that are due at the same time come in the
/// order in which they were inserted.
#[derive(Debug)]
pub(super) struct WaitingForQueue<T> {
    by_due_time: BTreeMap<(Instant, u64), T>,
    /// The key of each item in `by_due_time`.
    entries: FxHashMap<T, (Instant, u64)>,
    /// Numbers the entries, so that equal times keep their order.
    next_number: u64,
}

impl<T: Key> WaitingForQueue<T> {
    pub(super) fn new() -> WaitingForQueue<T> {
        WaitingForQueue { by_due_time: BTreeMap::new(), entries: FxHashMap::default(), next_number: 0 }
    }

    /// Inserts `item`, due at `at`. Does nothing if it is due earlier or at the same time already.
    pub(super) fn insert(&mut self, item: T, at: Instant) {
        let key = (at, self.next_number);
        match self.entries.entry(item.clone()) {
            Entry::Occupied(known) if known.get().0 <= at => return,
            Entry::Occupied(mut known) => {
                self.by_due_time.remove(&known.insert(key));
            }
            Entry::Vacant(entry) => {
                entry.insert(key);
            }
        }
        self.next_number += 1;
        self.by_due_time.insert(key, item);
    }

    /// Removes and returns the next item that is due at `now`.
    pub(super) fn pop(&mut self, now: Instant) -> Option<T> {
        let first = self.by_due_time.first_entry().filter(|entry| entry.key().0 <= now)?;
        let item = first.remove();
        self.entries.remove(&item);
        Some(item)
    }

    /// Returns when the next item is due.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.by_due_time.first_key_value().map(|((at, _), _)| *at)
    }

    pub(super) fn len(&self) -> usize {
        self.by_due_time.len()
    }
}
