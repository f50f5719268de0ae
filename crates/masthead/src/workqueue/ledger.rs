//! Which items are to be worked on, and which are being worked on.

use std::{collections::hash_map::Entry as Slot, time::Duration};

use rustc_hash::FxHashMap;

use super::{
    Key,
    desk::End,
    notes::{Note, Notes},
};
use crate::runtime::Instant;

/// Marks every item of a queue as queued, as being worked on, or as both. A machine: holds no order and no clock.
///
/// An item is in here from its first add to the done that nothing was added before; each once, so that two workers never
/// have the same one.
#[derive(Debug)]
pub(super) struct Ledger<T> {
    entries: FxHashMap<T, Entry>,
    /// How many of them are being worked on.
    working: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    stage: Stage,
    /// When it was marked as to be worked on; of no meaning while it is not.
    added: Instant,
    /// When work on it began; of no meaning while there is none.
    began: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Queued,
    Working,
    /// Being worked on, and added meanwhile.
    WorkingAgain,
}

/// What is to be done about an item that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// It goes into the order.
    Push,
    /// It is in the order already.
    Touch,
    /// Nothing: it is being worked on and comes again after that.
    Later,
}

impl<T: Key> Ledger<T> {
    pub(super) fn new() -> Ledger<T> {
        Ledger { entries: FxHashMap::default(), working: 0 }
    }

    /// Marks `item` as to be worked on.
    pub(super) fn add(&mut self, item: &T, now: Instant, notes: &mut Notes) -> Added {
        match self.entries.entry(item.clone()) {
            Slot::Vacant(slot) => {
                slot.insert(Entry { stage: Stage::Queued, added: now, began: now });
                notes.push(Note::Added { priority: 0 });
                Added::Push
            }
            Slot::Occupied(mut slot) => {
                let entry = slot.get_mut();
                match entry.stage {
                    Stage::Queued => Added::Touch,
                    Stage::Working => {
                        *entry = Entry { stage: Stage::WorkingAgain, added: now, ..*entry };
                        notes.push(Note::Added { priority: 0 });
                        Added::Later
                    }
                    Stage::WorkingAgain => Added::Later,
                }
            }
        }
    }

    /// Marks `item`, which came out of the order, as being worked on; false if it was not queued at all.
    pub(super) fn begin(&mut self, item: &T, now: Instant, notes: &mut Notes) -> bool {
        match self.entries.get_mut(item) {
            Some(entry) if entry.stage == Stage::Queued => {
                notes.push(Note::Taken { priority: 0, waited: now.since(entry.added) });
                *entry = Entry { stage: Stage::Working, began: now, ..*entry };
                self.working += 1;
                true
            }
            _ => false,
        }
    }

    /// Ends the work on `item`; true if it goes into the order again.
    pub(super) fn finish(&mut self, item: &T, end: End, now: Instant, notes: &mut Notes) -> bool {
        // Most items are through with this, so the others are the ones that are put back.
        let Some((item, entry)) = self.entries.remove_entry(item) else { return false };
        let again = match (entry.stage, end) {
            (Stage::Queued, _) => {
                self.entries.insert(item, entry);
                return false;
            }
            (Stage::WorkingAgain, _) => Some(entry.added),
            (Stage::Working, End::Abandoned) => Some(now),
            (Stage::Working, End::Done) => None,
        };
        self.working -= 1;
        notes.push(Note::Finished { worked: now.since(entry.began) });
        if end == End::Abandoned {
            notes.push(Note::Abandoned { returned: (entry.stage == Stage::Working).then_some(0) });
        }
        if let Some(added) = again {
            self.entries.insert(item, Entry { stage: Stage::Queued, added, ..entry });
        }
        again.is_some()
    }

    /// How many items are being worked on.
    pub(super) fn working(&self) -> usize {
        self.working
    }

    /// How many items are queued or being worked on.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// For how long items have been worked on, in all, and the longest.
    pub(super) fn unfinished(&self, now: Instant) -> (Duration, Duration) {
        let working = self.entries.values().filter(|entry| entry.stage != Stage::Queued);
        working
            .map(|entry| now.since(entry.began))
            .fold(Default::default(), |(total, longest), age| (total.saturating_add(age), longest.max(age)))
    }
}
