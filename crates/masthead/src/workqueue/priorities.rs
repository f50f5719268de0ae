//! Which item is next where some matter more than others.

use std::{cmp::Reverse, collections::BTreeMap, time::Duration};

use rustc_hash::FxHashMap;

use super::{
    Key,
    desk::End,
    metrics::{Change, MetricsBuffer},
};
use crate::runtime::Instant;

/// Items by priority, each once, ready or delayed. A machine: the time is an argument.
///
/// Every item of `items` is in exactly one of `ready`, `delayed` and `held`; one that is in `working` is never in `ready`.
#[derive(Debug)]
pub(super) struct Priorities<T> {
    items: FxHashMap<T, Entry>,
    /// What somebody could have now, in the order it is handed out.
    ready: BTreeMap<Rank, T>,
    /// The ranks of what is in `ready`, by how long it has been ready, the longest first.
    ages: BTreeMap<u64, (Instant, Rank)>,
    /// What is not due yet: by time, then as it would be handed out.
    delayed: BTreeMap<(Instant, Rank), T>,
    /// How many items are due but being worked on.
    held: usize,
    working: FxHashMap<T, Work>,
    /// Numbers places in line: each new one is behind all others of its priority.
    next: u64,
    patience: Duration,
    /// How many items were handed out by priority since the last that was handed out by age, while some were overdue.
    passed_over: u32,
}

/// A place in line: higher priorities first, then who came first.
type Rank = (Reverse<i32>, u64);

#[derive(Clone, Copy, Debug)]
struct Entry {
    rank: Rank,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Delayed(Instant),
    /// Since when, and the number that this got then.
    Due(Instant, u64),
}

#[derive(Clone, Copy, Debug)]
struct Work {
    began: Instant,
    priority: i32,
}

/// What somebody wants of an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) priority: i32,
    pub(super) at: Option<Instant>,
}

/// While items are overdue, one in this many is handed out by age.
const SHARE: u32 = 4;

impl<T: Key> Priorities<T> {
    pub(super) fn new(patience: Duration) -> Priorities<T> {
        Priorities {
            items: FxHashMap::default(),
            ready: BTreeMap::new(),
            ages: BTreeMap::new(),
            delayed: BTreeMap::new(),
            held: 0,
            working: FxHashMap::default(),
            next: 0,
            patience,
            passed_over: 0,
        }
    }

    /// Adds `item` at `at`, or now if there is no such time. What is in here already keeps the higher priority and the
    /// earlier time; with a higher priority than before it goes behind all others of that priority.
    pub(super) fn add(&mut self, item: T, asked: Asked, now: Instant, changes: &mut MetricsBuffer) {
        let Asked { priority, at } = asked;
        let known = self.remove(&item);
        let mut rank = known.map_or_else(|| (Reverse(priority), self.number()), |known| known.rank);
        let Reverse(before) = rank.0;
        if priority > before {
            rank = (Reverse(priority), self.number());
        }
        let Reverse(priority) = rank.0;
        let state = match (known.map(|known| known.state), at) {
            (Some(due @ State::Due(..)), _) => {
                if priority > before {
                    changes.push(Change::PriorityRaised { from: before, to: priority });
                }
                due
            }
            (Some(State::Delayed(earlier)), Some(at)) => State::Delayed(earlier.min(at)),
            (None, Some(at)) => State::Delayed(at),
            (_, None) => {
                changes.push(Change::Added { priority });
                State::Due(now, self.number())
            }
        };
        self.insert(item, Entry { rank, state });
    }

    /// Makes ready what is due at `now`, in the order it became due.
    pub(super) fn settle(&mut self, now: Instant, changes: &mut MetricsBuffer) {
        while let Some(first) = self.delayed.first_entry().filter(|first| first.key().0 <= now) {
            let ((_, (priority, _)), item) = first.remove_entry();
            self.items.remove(&item);
            let rank = (priority, self.number());
            let state = State::Due(now, self.number());
            changes.push(Change::Added { priority: priority.0 });
            self.insert(item, Entry { rank, state });
        }
    }

    /// Hands out the next item with its priority.
    pub(super) fn take(&mut self, now: Instant, changes: &mut MetricsBuffer) -> Option<(T, i32)> {
        let rank = match self.overdue(now) {
            Some(rank) => rank,
            None => *self.ready.first_key_value()?.0,
        };
        let item = self.ready.get(&rank)?.clone();
        let entry = self.remove(&item)?;
        let Reverse(priority) = rank.0;
        if let State::Due(since, _) = entry.state {
            changes.push(Change::Got { priority, waited: now.since(since) });
        }
        self.working.insert(item.clone(), Work { began: now, priority });
        Some((item, priority))
    }

    /// Takes an item back.
    pub(super) fn finish(&mut self, item: &T, end: End, now: Instant, changes: &mut MetricsBuffer) {
        let Some(work) = self.working.get(item).copied() else { return };
        let known = self.remove(item);
        self.working.remove(item);
        changes.push(Change::Processed { worked: now.since(work.began) });
        if end == End::Abandoned {
            changes.push(Change::Abandoned { requeued: known.is_none().then_some(work.priority) });
        }
        match (known, end) {
            (Some(entry), End::Done) => self.insert(item.clone(), entry),
            (Some(entry), End::Abandoned) => {
                self.insert(item.clone(), entry);
                self.add(item.clone(), Asked { priority: work.priority, at: None }, now, changes);
            }
            (None, End::Abandoned) => {
                let (rank, state) = ((Reverse(work.priority), self.number()), State::Due(now, self.number()));
                self.insert(item.clone(), Entry { rank, state });
            }
            (None, End::Done) => {}
        }
    }

    /// Forgets what is delayed.
    pub(super) fn forget_delayed(&mut self) {
        for item in std::mem::take(&mut self.delayed).into_values() {
            self.items.remove(&item);
        }
    }

    pub(super) fn next_due(&self) -> Option<Instant> {
        self.delayed.first_key_value().map(|((at, _), _)| *at)
    }

    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// How many items are due, those that are being worked on too.
    pub(super) fn len(&self) -> usize {
        self.ready.len() + self.held
    }

    pub(super) fn delayed(&self) -> usize {
        self.delayed.len()
    }

    pub(super) fn working(&self) -> usize {
        self.working.len()
    }

    pub(super) fn unfinished(&self, now: Instant) -> (Duration, Duration) {
        let ages = self.working.values().map(|work| now.since(work.began));
        ages.fold(Default::default(), |(total, longest), age| (total.saturating_add(age), longest.max(age)))
    }

    /// The item that has been ready for longest, if that is too long and its turn has come.
    fn overdue(&mut self, now: Instant) -> Option<Rank> {
        let (_, (since, rank)) = self.ages.first_key_value()?;
        if now.since(*since) < self.patience {
            self.passed_over = 0;
            return None;
        }
        self.passed_over += 1;
        if self.passed_over < SHARE {
            return None;
        }
        self.passed_over = 0;
        Some(*rank)
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Puts in an item that is not in here.
    fn insert(&mut self, item: T, entry: Entry) {
        match entry.state {
            State::Delayed(at) => {
                self.delayed.insert((at, entry.rank), item.clone());
            }
            State::Due(..) if self.working.contains_key(&item) => self.held += 1,
            State::Due(since, number) => {
                self.ages.insert(number, (since, entry.rank));
                self.ready.insert(entry.rank, item.clone());
            }
        }
        self.items.insert(item, entry);
    }

    /// Takes an item out of wherever it is.
    fn remove(&mut self, item: &T) -> Option<Entry> {
        let entry = self.items.remove(item)?;
        match entry.state {
            State::Delayed(at) => drop(self.delayed.remove(&(at, entry.rank))),
            State::Due(..) if self.working.contains_key(item) => self.held -= 1,
            State::Due(_, number) => {
                self.ages.remove(&number);
                self.ready.remove(&entry.rank);
            }
        }
        Some(entry)
    }
}
