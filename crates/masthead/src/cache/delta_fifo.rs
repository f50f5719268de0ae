//! The queue that keeps all deltas of an object together.

use std::{collections::VecDeque, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    CompleteList, Delta, DeltaBatch, DeltaQueue, KnownObjects, ListScope, Object, ObjectKey, StaleObject, Tombstone,
    queue::InitialPopulation, real_fifo::delta_for_missing,
};
use crate::Error;

/// Objects in the order their first delta came, each with everything that happened to it since it was last taken.
///
/// Taking an object takes all of its deltas. Only a deletion that follows a deletion is folded into it.
#[derive(Debug)]
pub struct DeltaFifo<T> {
    /// Every key here has deltas, and none is here twice.
    order: VecDeque<ObjectKey>,
    /// Oldest first, never empty. Every key here is in `order`.
    deltas: FxHashMap<ObjectKey, Vec<Delta<T>>>,
    population: InitialPopulation,
    listed_as: ListedAs,
}

/// How the objects of a list are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListedAs {
    /// As [`Delta::Sync`], as client-go did at first.
    Sync,
    /// As [`Delta::Replaced`].
    #[default]
    Replaced,
}

impl<T> DeltaFifo<T> {
    /// An empty queue.
    pub fn new(listed_as: ListedAs) -> DeltaFifo<T> {
        DeltaFifo {
            order: VecDeque::new(),
            deltas: FxHashMap::default(),
            population: InitialPopulation::NotStarted,
            listed_as,
        }
    }
}

impl<T: Object> DeltaFifo<T> {
    fn push(&mut self, key: ObjectKey, delta: Delta<T>) {
        match self.deltas.get_mut(&key) {
            Some(deltas) => push_deduplicated(deltas, delta),
            None => {
                self.order.push_back(key.clone());
                self.deltas.insert(key, vec![delta]);
            }
        }
    }

    /// Tells of objects that wait here or are known, and that a list no longer has; gives back how many there are.
    fn queue_missing(
        &mut self,
        listed: &FxHashSet<ObjectKey>,
        unidentified: Option<&Error>,
        scope: &ListScope,
        known: &dyn KnownObjects<T>,
    ) -> usize {
        let missing = |key: &ObjectKey| scope.contains(key) && !listed.contains(key);
        let queued_missing: Vec<ObjectKey> = self.order.iter().filter(|key| missing(key)).cloned().collect();
        let known_keys = known.keys().into_iter();
        let known_missing: Vec<ObjectKey> =
            known_keys.filter(|key| missing(key) && !self.deltas.contains_key(key)).collect();
        for key in &queued_missing {
            let newest = self.deltas.get(key).and_then(|deltas| deltas.last());
            if let Some(Delta::Deleted(_)) = newest {
                continue;
            }
            let last = newest.and_then(Delta::object).cloned();
            self.push(key.clone(), delta_for_missing(key.clone(), last, unidentified));
        }
        for key in &known_missing {
            let last = known.get(key);
            self.push(key.clone(), delta_for_missing(key.clone(), last, unidentified));
        }
        queued_missing.len() + known_missing.len()
    }
}

impl<T: Object> DeltaQueue<T> for DeltaFifo<T> {
    fn add(&mut self, object: Rc<T>) {
        self.population.mark_started();
        self.push(object.key(), Delta::Added(object));
    }

    fn update(&mut self, object: Rc<T>) {
        self.population.mark_started();
        self.push(object.key(), Delta::Updated(object));
    }

    /// What neither waits here nor is known was never told of, and its end is not either.
    fn delete(&mut self, tombstone: Tombstone<T>, known: &dyn KnownObjects<T>) {
        self.population.mark_started();
        let key = tombstone.key();
        if self.deltas.contains_key(&key) || known.contains(&key) {
            self.push(key, Delta::Deleted(tombstone));
        }
    }

    fn stale(&mut self, object: Rc<StaleObject>) {
        self.population.mark_started();
        self.push(object.key.clone(), Delta::Stale(object));
    }

    fn replace(&mut self, list: CompleteList<T>, scope: &ListScope, known: &dyn KnownObjects<T>) {
        let mut listed = FxHashSet::default();
        for object in list.objects {
            let key = object.key();
            listed.insert(key.clone());
            let delta = match self.listed_as {
                ListedAs::Sync => Delta::Sync(object),
                ListedAs::Replaced => Delta::Replaced(object),
            };
            self.push(key, delta);
        }
        for stale in list.stale {
            listed.insert(stale.key.clone());
            self.push(stale.key.clone(), Delta::Stale(stale));
        }
        let missing = self.queue_missing(&listed, list.unidentified.as_ref(), scope, known);
        self.population.start(listed.len() + missing);
    }

    /// An object that waits here will be told anyway, with news.
    fn resync(&mut self, known: &dyn KnownObjects<T>) {
        for key in known.keys() {
            if self.deltas.contains_key(&key) {
                continue;
            }
            if let Some(object) = known.get(&key) {
                self.push(key, Delta::Sync(object));
            }
        }
    }

    fn bookmark(&mut self, _: &str) {}

    /// All deltas of one object, however many there are.
    fn pop(&mut self, _: usize) -> Option<DeltaBatch<T>> {
        let key = self.order.pop_front()?;
        let deltas = self.deltas.remove(&key)?;
        let initial = !self.population.is_complete();
        self.population.popped(1);
        Some(DeltaBatch { deltas, initial })
    }

    fn has_synced(&self) -> bool {
        self.population.is_complete()
    }

    fn replaces_atomically(&self) -> bool {
        false
    }

    fn len(&self) -> usize {
        self.order.len()
    }
}

/// Adds a delta to those of its object. Of two deletions in a row the one that was seen is kept.
fn push_deduplicated<T>(deltas: &mut Vec<Delta<T>>, next: Delta<T>) {
    match (deltas.last_mut(), next) {
        (Some(Delta::Deleted(_)), Delta::Deleted(Tombstone::FinalStateUnknown { .. })) => {}
        (Some(last @ Delta::Deleted(_)), next @ Delta::Deleted(_)) => *last = next,
        (_, next) => deltas.push(next),
    }
}

#[cfg(test)]
mod tests;
