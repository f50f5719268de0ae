//! client-go's `DeltaFIFO`: a queue that groups all deltas of an object.

use std::{collections::VecDeque, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    CompleteList, Delta, DeltaBatch, DeltaQueue, KnownObjects, ListScope, Object, ObjectKey, StaleObject, Tombstone,
    queue::InitialPopulation, real_fifo::delta_for_missing,
};
use crate::Error;

/// Queues objects in the order of their first delta, each with every delta since it was last popped.
///
/// [`pop`](DeltaQueue::pop) returns all deltas of one object, oldest first. A deletion that follows a deletion is merged
/// with it; nothing else is. Every operation costs O(1), except [`replace`](DeltaQueue::replace) and
/// [`resync`](DeltaQueue::resync), which visit every known object.
///
/// ```
/// use std::rc::Rc;
///
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::cache::{DeltaFifo, DeltaQueue, ListedAs};
///
/// let mut queue = DeltaFifo::new(ListedAs::Replaced);
/// queue.add(Rc::new(Pod::default()));
/// queue.update(Rc::new(Pod::default()));
/// let batch = queue.pop(1).expect("one object is queued");
/// assert_eq!(batch.deltas.len(), 2);
/// ```
#[derive(Debug)]
pub struct DeltaFifo<T> {
    /// Keys to pop, oldest first. Every key here is in `deltas`, and none is here twice.
    order: VecDeque<ObjectKey>,
    /// The deltas of each queued object, oldest first and never empty. Every key here is in `order`.
    deltas: FxHashMap<ObjectKey, Vec<Delta<T>>>,
    population: InitialPopulation,
    listed_as: ListedAs,
}

/// Which delta a [`DeltaFifo`] queues for each object of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListedAs {
    /// [`Delta::Sync`], as client-go did before `EmitDeltaTypeReplaced`.
    Sync,
    /// [`Delta::Replaced`].
    #[default]
    Replaced,
}

impl<T> DeltaFifo<T> {
    /// Creates an empty queue.
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
    /// Appends a delta to those of its object, and queues the object if it is not queued yet.
    fn push(&mut self, key: ObjectKey, delta: Delta<T>) {
        match self.deltas.get_mut(&key) {
            Some(deltas) => push_deduplicated(deltas, delta),
            None => {
                self.order.push_back(key.clone());
                self.deltas.insert(key, vec![delta]);
            }
        }
    }

    /// Queues a deletion for each queued or known object that the list does not contain. Returns how many such objects
    /// there are.
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

    /// Ignores an object that is neither queued nor known: no handler was ever notified of it.
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

    /// Skips queued objects: handlers will be notified of those anyway.
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

    /// Pops all deltas of one object, regardless of the limit.
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

/// Appends a delta, as client-go's `dedupDeltas`: of two deletions in a row, one with a known final state wins.
fn push_deduplicated<T>(deltas: &mut Vec<Delta<T>>, next: Delta<T>) {
    match (deltas.last_mut(), next) {
        (Some(Delta::Deleted(_)), Delta::Deleted(Tombstone::FinalStateUnknown { .. })) => {}
        (Some(last @ Delta::Deleted(_)), next @ Delta::Deleted(_)) => *last = next,
        (_, next) => deltas.push(next),
    }
}

#[cfg(test)]
mod tests;
