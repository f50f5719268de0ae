//! The items of a [`PriorityQueue`](super::PriorityQueue): which are ready, delayed or in processing, and which is
//! next.

use std::{cell::RefCell, cmp::Reverse, collections::BTreeMap, time::Duration};

use rustc_hash::FxHashMap;

use super::{
    Key,
    get::Completion,
    metrics::{Change, MetricsBuffer, total_and_longest},
    queue_core::PendingItems,
};
use crate::runtime::Instant;

/// Items by priority, each once. Time is an argument.
///
/// Every item of `entries` is either delayed or due. A due item is in `ready`, unless it is in `processing`: then it
/// becomes ready when its worker is done.
#[derive(Debug)]
pub(super) struct PriorityItems<T> {
    entries: FxHashMap<T, ItemEntry>,
    /// The items that a worker could get now, in the order in which they are handed out.
    ready: BTreeMap<Rank, T>,
    /// The ranks of the items in `ready`, by the sequence number of becoming due, so the oldest is first.
    ready_by_age: BTreeMap<u64, (Instant, Rank)>,
    /// The items that are not due yet.
    delayed: BTreeMap<(Instant, Rank), T>,
    /// How many items are due and in `processing`.
    due_in_processing: usize,
    /// The items that workers have. None of them is in `ready`.
    processing: FxHashMap<T, Processing>,
    last_sequence: u64,
    /// How long an item is ready before it is overdue.
    overdue_after: Duration,
    /// How many items were handed out by priority in a row while others were overdue.
    passed_over: u32,
}

/// The position of an item: higher priorities first, and the lower sequence number first within a priority.
type Rank = (Reverse<i32>, u64);

#[derive(Clone, Copy, Debug)]
struct ItemEntry {
    rank: Rank,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Delayed { until: Instant },
    Due { since: Instant, sequence: u64 },
}

#[derive(Clone, Copy, Debug)]
struct Processing {
    started: Instant,
    priority: i32,
}

/// While items are overdue, one of this many is handed out by age.
const OVERDUE_SHARE: u32 = 4;

impl<T: Key> PriorityItems<T> {
    pub(super) fn new(overdue_after: Duration) -> PriorityItems<T> {
        PriorityItems {
            entries: FxHashMap::default(),
            ready: BTreeMap::new(),
            ready_by_age: BTreeMap::new(),
            delayed: BTreeMap::new(),
            due_in_processing: 0,
            processing: FxHashMap::default(),
            last_sequence: 0,
            overdue_after,
            passed_over: 0,
        }
    }

    /// Adds `item` with a priority, at a time or now without one. An item that is in here already keeps the higher
    /// priority and the earlier time; if its priority rises, it goes behind all others of the new priority.
    pub(super) fn add(
        &mut self,
        item: T,
        (priority, at): (i32, Option<Instant>),
        now: Instant,
        metrics: &mut MetricsBuffer,
    ) {
        let known = self.remove(&item);
        let mut rank = known.map_or_else(|| (Reverse(priority), self.next_sequence()), |known| known.rank);
        let Reverse(before) = rank.0;
        if priority > before {
            rank = (Reverse(priority), self.next_sequence());
        }
        let Reverse(priority) = rank.0;
        let state = match (known.map(|known| known.state), at) {
            (Some(due @ State::Due { .. }), _) => {
                if priority > before {
                    metrics.push(Change::PriorityRaised { from: before, to: priority });
                }
                due
            }
            (Some(State::Delayed { until }), Some(at)) => State::Delayed { until: until.min(at) },
            (None, Some(at)) => State::Delayed { until: at },
            (_, None) => {
                metrics.push(Change::Added { priority });
                State::Due { since: now, sequence: self.next_sequence() }
            }
        };
        self.insert(item, ItemEntry { rank, state });
    }

    pub(super) fn delayed(&self) -> usize {
        self.delayed.len()
    }

    /// Makes the items ready that are due at `now`, in the order in which they became due.
    fn add_due(&mut self, now: Instant, metrics: &mut MetricsBuffer) {
        while let Some(first) = self.delayed.first_entry().filter(|first| first.key().0 <= now) {
            let ((_, (priority, _)), item) = first.remove_entry();
            self.entries.remove(&item);
            let rank = (priority, self.next_sequence());
            let state = State::Due { since: now, sequence: self.next_sequence() };
            metrics.push(Change::Added { priority: priority.0 });
            self.insert(item, ItemEntry { rank, state });
        }
    }

    /// Moves the next item into processing and returns it with its priority.
    fn get(&mut self, now: Instant, metrics: &mut MetricsBuffer) -> Option<(T, i32)> {
        let rank = match self.next_overdue(now) {
            Some(rank) => rank,
            None => *self.ready.first_key_value()?.0,
        };
        let item = self.ready.get(&rank)?.clone();
        let entry = self.remove(&item)?;
        let Reverse(priority) = rank.0;
        if let State::Due { since, .. } = entry.state {
            metrics.push(Change::Got { priority, waited: now.since(since) });
        }
        self.processing.insert(item.clone(), Processing { started: now, priority });
        Some((item, priority))
    }

    /// Moves `item` out of processing. It becomes ready if it was added meanwhile or is abandoned.
    fn done(&mut self, item: &T, completion: Completion, now: Instant, metrics: &mut MetricsBuffer) {
        let Some(processing) = self.processing.get(item).copied() else { return };
        let added_again = self.remove(item);
        self.processing.remove(item);
        metrics.push(Change::Processed { worked: now.since(processing.started) });
        if completion == Completion::Abandoned {
            metrics.push(Change::Abandoned { requeued: added_again.is_none().then_some(processing.priority) });
        }
        match (added_again, completion) {
            (Some(entry), Completion::Done) => self.insert(item.clone(), entry),
            (Some(entry), Completion::Abandoned) => {
                self.insert(item.clone(), entry);
                self.add(item.clone(), (processing.priority, None), now, metrics);
            }
            (None, Completion::Abandoned) => {
                let rank = (Reverse(processing.priority), self.next_sequence());
                let state = State::Due { since: now, sequence: self.next_sequence() };
                self.insert(item.clone(), ItemEntry { rank, state });
            }
            (None, Completion::Done) => {}
        }
    }

    /// Returns the item that has been ready longest, if it is overdue and its turn has come.
    fn next_overdue(&mut self, now: Instant) -> Option<Rank> {
        let (_, (since, rank)) = self.ready_by_age.first_key_value()?;
        if now.since(*since) < self.overdue_after {
            self.passed_over = 0;
            return None;
        }
        self.passed_over += 1;
        if self.passed_over < OVERDUE_SHARE {
            return None;
        }
        self.passed_over = 0;
        Some(*rank)
    }

    fn next_sequence(&mut self) -> u64 {
        self.last_sequence += 1;
        self.last_sequence
    }

    /// Inserts an item that is not in `entries`.
    fn insert(&mut self, item: T, entry: ItemEntry) {
        match entry.state {
            State::Delayed { until } => {
                self.delayed.insert((until, entry.rank), item.clone());
            }
            State::Due { .. } if self.processing.contains_key(&item) => self.due_in_processing += 1,
            State::Due { since, sequence } => {
                self.ready_by_age.insert(sequence, (since, entry.rank));
                self.ready.insert(entry.rank, item.clone());
            }
        }
        self.entries.insert(item, entry);
    }

    /// Removes an item from `entries` and from wherever its state puts it.
    fn remove(&mut self, item: &T) -> Option<ItemEntry> {
        let entry = self.entries.remove(item)?;
        match entry.state {
            State::Delayed { until } => drop(self.delayed.remove(&(until, entry.rank))),
            State::Due { .. } if self.processing.contains_key(item) => self.due_in_processing -= 1,
            State::Due { sequence, .. } => {
                self.ready_by_age.remove(&sequence);
                self.ready.remove(&entry.rank);
            }
        }
        Some(entry)
    }
}

impl<T: Key> PendingItems for RefCell<PriorityItems<T>> {
    type Item = T;

    const SERVES_AFTER_SHUTDOWN: bool = false;

    fn needs_time(&self) -> bool {
        true
    }

    fn next_due(&self) -> Option<Instant> {
        self.borrow().delayed.first_key_value().map(|((until, _), _)| *until)
    }

    fn add_due(&self, now: Instant, metrics: &mut MetricsBuffer) {
        self.borrow_mut().add_due(now, metrics);
    }

    fn get(&self, now: Instant, metrics: &mut MetricsBuffer) -> Option<(T, i32)> {
        self.borrow_mut().get(now, metrics)
    }

    fn done(&self, item: &T, completion: Completion, now: Instant, metrics: &mut MetricsBuffer) {
        self.borrow_mut().done(item, completion, now, metrics);
    }

    fn discard_delayed(&self) {
        let mut items = self.borrow_mut();
        for item in std::mem::take(&mut items.delayed).into_values() {
            items.entries.remove(&item);
        }
    }

    fn len(&self) -> usize {
        let items = self.borrow();
        items.ready.len() + items.due_in_processing
    }

    fn ready(&self) -> usize {
        self.borrow().ready.len()
    }

    fn processing(&self) -> usize {
        self.borrow().processing.len()
    }

    fn undrained(&self) -> usize {
        self.processing()
    }

    fn unfinished(&self, now: Instant) -> (Duration, Duration) {
        total_and_longest(self.borrow().processing.values().map(|processing| now.since(processing.started)))
    }
}
