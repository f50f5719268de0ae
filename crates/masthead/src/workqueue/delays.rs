//! Items that are not to be queued yet.

use std::collections::{BTreeMap, hash_map::Entry};

use rustc_hash::FxHashMap;

use super::Key;
use crate::runtime::Instant;

/// Items by the time they are due, each once: an item that comes twice has the earlier time. A machine without a clock.
///
/// Those that are due at the same time come in the order they were put in.
#[derive(Debug)]
pub(super) struct Delays<T> {
    due: BTreeMap<(Instant, u64), T>,
    /// Where each item is in `due`.
    places: FxHashMap<T, (Instant, u64)>,
    /// The number of the next one that is put in.
    next: u64,
}

impl<T: Key> Delays<T> {
    pub(super) fn new() -> Delays<T> {
        Delays { due: BTreeMap::new(), places: FxHashMap::default(), next: 0 }
    }

    /// Puts `item` in until `at`, unless it is due by then anyway.
    pub(super) fn put(&mut self, item: T, at: Instant) {
        let place = (at, self.next);
        match self.places.entry(item.clone()) {
            Entry::Occupied(known) if known.get().0 <= at => return,
            Entry::Occupied(mut known) => {
                self.due.remove(&known.insert(place));
            }
            Entry::Vacant(free) => {
                free.insert(place);
            }
        }
        self.next += 1;
        self.due.insert(place, item);
    }

    /// Takes out the next item that is due at `now`.
    pub(super) fn pop(&mut self, now: Instant) -> Option<T> {
        let entry = self.due.first_entry().filter(|entry| entry.key().0 <= now)?;
        let item = entry.remove();
        self.places.remove(&item);
        Some(item)
    }

    /// When the next one is due.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.due.first_key_value().map(|((at, _), _)| *at)
    }

    pub(super) fn len(&self) -> usize {
        self.due.len()
    }
}
