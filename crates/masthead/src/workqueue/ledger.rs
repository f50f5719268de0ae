//! Which items are to be worked on, and which are being worked on.

use std::{collections::hash_map::Entry as Slot, time::Duration};

use rustc_hash::FxHashMap;

use super::{
    Key,
    desk::End,
    metrics::{Change, MetricsBuffer},
};
use crate::runtime::Instant;

/// Marks every item of a queue as queued, as being worked on, or as both. A machine: holds no order and no clock.
///
/// An item is in here from its first add to the done that nothing was added before; each once, so that two workers never
/// have the same one.
#[derive(Debug)]
pub(super) struct Ledger<T> {
    stages: FxHashMap<T, Stage>,
    /// For metrics alone: a queue without them is faster for each byte that an item does not have.
    times: Option<FxHashMap<T, Times>>,
    /// How many items are being worked on.
    working: usize,
}

#[derive(Clone, Copy, Debug)]
struct Times {
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
    /// An empty ledger, which remembers times only if it is `timed`.
    pub(super) fn new(timed: bool) -> Ledger<T> {
        Ledger { stages: FxHashMap::default(), times: timed.then(FxHashMap::default), working: 0 }
    }

    /// Marks `item` as to be worked on.
    pub(super) fn add(&mut self, item: &T, now: Instant, changes: &mut MetricsBuffer) -> Added {
        let added = match self.stages.entry(item.clone()) {
            Slot::Vacant(slot) => {
                slot.insert(Stage::Queued);
                Added::Push
            }
            Slot::Occupied(mut slot) => match slot.get() {
                Stage::Queued => return Added::Touch,
                Stage::WorkingAgain => return Added::Later,
                Stage::Working => {
                    slot.insert(Stage::WorkingAgain);
                    Added::Later
                }
            },
        };
        if let Some(times) = &mut self.times {
            times.entry(item.clone()).or_insert(Times { added: now, began: now }).added = now;
        }
        changes.push(Change::Added { priority: 0 });
        added
    }

    /// Marks `item`, which came out of the order, as being worked on; false if it was not queued at all.
    pub(super) fn begin(&mut self, item: &T, now: Instant, changes: &mut MetricsBuffer) -> bool {
        let Some(stage @ Stage::Queued) = self.stages.get_mut(item) else { return false };
        *stage = Stage::Working;
        self.working += 1;
        if let Some(times) = self.times.as_mut().and_then(|times| times.get_mut(item)) {
            changes.push(Change::Got { priority: 0, waited: now.since(times.added) });
            times.began = now;
        }
        true
    }

    /// Ends the work on `item`; true if it goes into the order again.
    pub(super) fn finish(&mut self, item: &T, end: End, now: Instant, changes: &mut MetricsBuffer) -> bool {
        // Most items are through with this, so the others are the ones that are put back.
        let Some((item, stage)) = self.stages.remove_entry(item) else { return false };
        if stage == Stage::Queued {
            self.stages.insert(item, stage);
            return false;
        }
        self.working -= 1;
        let again = stage == Stage::WorkingAgain || end == End::Abandoned;
        if let Some(times) = self.times.as_mut().and_then(|times| times.get_mut(&item)) {
            changes.push(Change::Processed { worked: now.since(times.began) });
            if stage == Stage::Working {
                times.added = now;
            }
        }
        if let Some(times) = self.times.as_mut().filter(|_| !again) {
            times.remove(&item);
        }
        if end == End::Abandoned {
            changes.push(Change::Abandoned { requeued: (stage == Stage::Working).then_some(0) });
        }
        if again {
            self.stages.insert(item, Stage::Queued);
        }
        again
    }

    /// How many items are being worked on.
    pub(super) fn working(&self) -> usize {
        self.working
    }

    /// How many items are queued or being worked on.
    pub(super) fn len(&self) -> usize {
        self.stages.len()
    }

    /// For how long items have been worked on, in all, and the longest; nothing without times.
    pub(super) fn unfinished(&self, now: Instant) -> (Duration, Duration) {
        let is_worked_on = |item: &T| self.stages.get(item).is_some_and(|stage| *stage != Stage::Queued);
        let working = self.times.iter().flatten().filter(|(item, _)| is_worked_on(item));
        working
            .map(|(_, times)| now.since(times.began))
            .fold(Default::default(), |(total, longest), age| (total.saturating_add(age), longest.max(age)))
    }
}
