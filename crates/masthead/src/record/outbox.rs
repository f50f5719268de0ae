//! Writes on their way to a sink: in order for each event, and no event waits for another.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use super::{EventKind, Write};
use crate::{cache::ObjectKey, runtime::Instant};

/// The writes of at most `limit` events.
///
/// Each event has at most two: the one that is on its way, and one more for all that came since, since the last count says
/// what those before it said. What is on its way is out of this machine's hands, or rests until it is tried again.
#[derive(Debug)]
pub(super) struct Outbox<K> {
    limit: usize,
    lanes: FxHashMap<ObjectKey, Lane<K>>,
    /// Events whose write may be sent, in the order they became so.
    ready: VecDeque<ObjectKey>,
    /// Events whose write rests, by when it is over; the number tells those of one moment apart.
    resting: BTreeMap<(Instant, u64), ObjectKey>,
    rests: u64,
    /// How many writes are here or being sent.
    len: usize,
}

/// The writes of one event.
#[derive(Debug)]
struct Lane<K> {
    /// `None` while it is sent.
    current: Option<(Write<K>, u32)>,
    next: Option<Write<K>>,
}

/// A write to send.
#[derive(Debug)]
pub(super) struct Letter<K> {
    pub(super) key: ObjectKey,
    pub(super) write: Write<K>,
    /// How often it was tried.
    pub(super) tries: u32,
}

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pushed {
    /// It has a place of its own.
    Queued,
    /// It took the place of an earlier one of the same event.
    Merged,
    /// There is no room.
    Full,
}

impl<K: EventKind> Outbox<K> {
    pub(super) fn new(limit: usize) -> Outbox<K> {
        Outbox {
            limit: limit.max(1),
            lanes: FxHashMap::default(),
            ready: VecDeque::new(),
            resting: BTreeMap::new(),
            rests: 0,
            len: 0,
        }
    }

    /// Adds a write behind all of its event.
    pub(super) fn push(&mut self, write: Write<K>) -> Pushed {
        let key = write.key();
        let has_room = self.has_room();
        match self.lanes.get_mut(&key) {
            Some(Lane { next: Some(next), .. }) => {
                next.absorb(write);
                Pushed::Merged
            }
            Some(lane) => {
                lane.next = Some(write);
                self.len += 1;
                Pushed::Queued
            }
            None if has_room => {
                self.len += 1;
                self.ready.push_back(key.clone());
                self.lanes.insert(key, Lane { current: Some((write, 0)), next: None });
                Pushed::Queued
            }
            None => Pushed::Full,
        }
    }

    /// The next write to send. [`over`](Self::over) or [`rest`](Self::rest) must follow.
    pub(super) fn take(&mut self, now: Instant) -> Option<Letter<K>> {
        while let Some(rested) = self.resting.first_entry().filter(|entry| entry.key().0 <= now) {
            self.ready.push_back(rested.remove());
        }
        let key = self.ready.pop_front()?;
        let (write, tries) = self.lanes.get_mut(&key)?.current.take()?;
        Some(Letter { key, write, tries })
    }

    /// A letter was delivered or given up: the next write of its event has its turn.
    pub(super) fn over(&mut self, key: ObjectKey) {
        let Some(lane) = self.lanes.get_mut(&key) else { return };
        self.len -= 1;
        match lane.next.take() {
            Some(next) => {
                lane.current = Some((next, 0));
                self.ready.push_back(key);
            }
            None => drop(self.lanes.remove(&key)),
        }
    }

    /// A letter is to be sent again, not before `until`.
    pub(super) fn rest(&mut self, letter: Letter<K>, until: Instant) {
        let Some(lane) = self.lanes.get_mut(&letter.key) else { return };
        lane.current = Some((letter.write, letter.tries));
        self.rests += 1;
        self.resting.insert((until, self.rests), letter.key);
    }

    /// Gives up every write that rests.
    pub(super) fn give_up_resting(&mut self) -> Vec<Letter<K>> {
        let keys: Vec<ObjectKey> = std::mem::take(&mut self.resting).into_values().collect();
        let letters = keys.into_iter().filter_map(|key| {
            let (write, tries) = self.lanes.get_mut(&key)?.current.take()?;
            self.over(key.clone());
            Some(Letter { key, write, tries })
        });
        letters.collect()
    }

    /// When the first write that rests may be sent again.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.resting.first_key_value().map(|((at, _), _)| *at)
    }

    pub(super) fn has_room(&self) -> bool {
        self.lanes.len() < self.limit
    }

    /// How many writes are here or being sent.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests;
