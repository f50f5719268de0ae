//! client-go's `RealFIFO`: a queue that keeps every delta in the order of arrival.

use std::{collections::VecDeque, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    CompleteList, Delta, DeltaBatch, DeltaQueue, KnownObjects, ListScope, Object, ObjectKey, StaleObject, Tombstone,
    queue::InitialPopulation,
};
use crate::Error;

/// Queues the deltas of all objects in strict order and merges none.
///
/// A list is a single delta ([`Delta::ReplacedAll`]) unless the queue was created with [`ListDeltas::PerObject`].
/// Queueing and popping cost O(1) per delta; with `PerObject`, a list or a resync visits every queued and known object.
///
/// ```
/// use std::rc::Rc;
///
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::cache::{DeltaQueue, ListDeltas, RealFifo};
///
/// let mut queue = RealFifo::new(ListDeltas::Whole);
/// queue.add(Rc::new(Pod::default()));
/// queue.update(Rc::new(Pod::default()));
/// assert_eq!(queue.pop(100).map(|batch| batch.deltas.len()), Some(1), "a batch has each object once");
/// ```
#[derive(Debug)]
pub struct RealFifo<T> {
    /// Oldest first.
    deltas: VecDeque<Delta<T>>,
    population: InitialPopulation,
    list_deltas: ListDeltas,
}

/// How a [`RealFifo`] queues a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListDeltas {
    /// As one delta, so that the store changes in one step. The store finds the deleted objects.
    #[default]
    Whole,
    /// As one delta per object, after a deletion for each known object that the list does not contain.
    PerObject,
}

impl<T> RealFifo<T> {
    /// Creates an empty queue.
    pub fn new(list_deltas: ListDeltas) -> RealFifo<T> {
        RealFifo { deltas: VecDeque::new(), population: InitialPopulation::NotStarted, list_deltas }
    }
}

impl<T: Object> RealFifo<T> {
    /// Queues a deletion for each queued or known object that the list does not contain, unless its deletion is queued
    /// already.
    fn queue_missing(
        &mut self,
        listed: &FxHashSet<ObjectKey>,
        unidentified: Option<&Error>,
        scope: &ListScope,
        known: &dyn KnownObjects<T>,
    ) {
        let missing = |key: &ObjectKey| scope.contains(key) && !listed.contains(key);
        let (mut order, mut newest) = (Vec::new(), FxHashMap::default());
        for delta in &self.deltas {
            let Some(key) = delta.key() else { continue };
            if newest.insert(key.clone(), delta.clone()).is_none() {
                order.push(key);
            }
        }
        for key in order.into_iter().filter(missing) {
            if let Some(last) = newest.get(&key).filter(|delta| !matches!(delta, Delta::Deleted(_))) {
                let last = last.object().cloned();
                self.deltas.push_back(delta_for_missing(key, last, unidentified));
            }
        }
        for key in known.keys().into_iter().filter(|key| missing(key) && !newest.contains_key(key)) {
            let last = known.get(&key);
            self.deltas.push_back(delta_for_missing(key, last, unidentified));
        }
    }

    /// How many deltas from the front form a batch: each concerns another object, and a batch does not go past the end
    /// of the first list. A delta that concerns the whole collection is a batch of its own.
    fn batch_len(&self, limit: usize) -> usize {
        let limit = limit.max(1).min(self.population.remaining().unwrap_or(usize::MAX));
        let mut seen = FxHashSet::default();
        let batch = self.deltas.iter().take(limit).take_while(|delta| delta.key().is_some_and(|key| seen.insert(key)));
        batch.count().max(1)
    }
}

impl<T: Object> DeltaQueue<T> for RealFifo<T> {
    fn add(&mut self, object: Rc<T>) {
        self.population.mark_started();
        self.deltas.push_back(Delta::Added(object));
    }

    fn update(&mut self, object: Rc<T>) {
        self.population.mark_started();
        self.deltas.push_back(Delta::Updated(object));
    }

    fn delete(&mut self, tombstone: Tombstone<T>, _: &dyn KnownObjects<T>) {
        self.population.mark_started();
        self.deltas.push_back(Delta::Deleted(tombstone));
    }

    fn stale(&mut self, object: Rc<StaleObject>) {
        self.population.mark_started();
        self.deltas.push_back(Delta::Stale(object));
    }

    fn replace(&mut self, list: CompleteList<T>, scope: &ListScope, known: &dyn KnownObjects<T>) {
        match self.list_deltas {
            ListDeltas::Whole => self.deltas.push_back(Delta::ReplacedAll { scope: scope.clone(), list }),
            ListDeltas::PerObject => {
                let stale = list.stale.iter().map(|stale| stale.key.clone());
                let listed = list.objects.iter().map(|object| object.key()).chain(stale).collect();
                self.queue_missing(&listed, list.unidentified.as_ref(), scope, known);
                self.deltas.extend(list.objects.into_iter().map(Delta::Replaced));
                self.deltas.extend(list.stale.into_iter().map(Delta::Stale));
            }
        }
        self.population.start(self.deltas.len());
    }

    fn resync(&mut self, known: &dyn KnownObjects<T>) {
        if self.list_deltas == ListDeltas::Whole {
            return self.deltas.push_back(Delta::SyncAll);
        }
        let queued: FxHashSet<ObjectKey> = self.deltas.iter().filter_map(Delta::key).collect();
        for key in known.keys().into_iter().filter(|key| !queued.contains(key)) {
            self.deltas.extend(known.get(&key).map(Delta::Sync));
        }
    }

    fn bookmark(&mut self, resource_version: &str) {
        if self.list_deltas == ListDeltas::Whole {
            self.deltas.push_back(Delta::Bookmark(resource_version.to_owned()));
        }
    }

    fn pop(&mut self, limit: usize) -> Option<DeltaBatch<T>> {
        if self.deltas.is_empty() {
            return None;
        }
        let initial = !self.population.is_complete();
        let len = self.batch_len(limit);
        self.population.popped(len);
        Some(DeltaBatch { deltas: self.deltas.drain(..len).collect(), initial })
    }

    fn has_synced(&self) -> bool {
        self.population.is_complete()
    }

    fn replaces_atomically(&self) -> bool {
        self.list_deltas == ListDeltas::Whole
    }

    fn len(&self) -> usize {
        self.deltas.len()
    }
}

/// The delta for a known object that a list does not contain: a deletion, or a stale mark if the list has an
/// unidentified item, since that item may be this object.
pub(super) fn delta_for_missing<T: Object>(
    key: ObjectKey,
    last: Option<Rc<T>>,
    unidentified: Option<&Error>,
) -> Delta<T> {
    let Some(error) = unidentified else { return Delta::Deleted(Tombstone::FinalStateUnknown { key, last }) };
    let uid = last.map(|last| last.uid().to_owned()).unwrap_or_default();
    Delta::Stale(Rc::new(StaleObject { key, uid, resource_version: String::new(), error: error.clone() }))
}

#[cfg(test)]
mod tests;
