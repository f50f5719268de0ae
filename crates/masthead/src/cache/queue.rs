//! The queue between a reflector and a store.

use std::rc::Rc;

use super::{CompleteList, Delta, ObjectKey, StaleObject, Tombstone};

/// Queues deltas until the informer applies them to its store.
///
/// client-go has two such queues, and so does this module: [`RealFifo`](super::RealFifo) keeps every delta in the order
/// of arrival, and [`DeltaFifo`](super::DeltaFifo) groups the deltas of each object. The kind of a delta is only what
/// the server reported: an `Added` object may be known already and an `Updated` one may not. The store decides which
/// notification follows.
pub trait DeltaQueue<T> {
    /// Queues an object that the watch reported as added.
    fn add(&mut self, object: Rc<T>);

    /// Queues an object that the watch reported as modified.
    fn update(&mut self, object: Rc<T>);

    /// Queues a deletion. `known` is the store's content.
    fn delete(&mut self, tombstone: Tombstone<T>, known: &dyn KnownObjects<T>);

    /// Queues an object whose current state could not be decoded.
    fn stale(&mut self, object: Rc<StaleObject>);

    /// Queues a complete list of `scope`. Every object within `scope` that is queued or `known`, and that the list does
    /// not contain, was deleted.
    fn replace(&mut self, list: CompleteList<T>, scope: &ListScope, known: &dyn KnownObjects<T>);

    /// Queues every known object again, unchanged, so that handlers see it again.
    fn resync(&mut self, known: &dyn KnownObjects<T>);

    /// Queues the information that nothing changed up to this resource version.
    fn bookmark(&mut self, resource_version: &str);

    /// Pops the next deltas to apply together, at most `limit`; `None` if the queue is empty.
    fn pop(&mut self, limit: usize) -> Option<DeltaBatch<T>>;

    /// Whether the whole first list was popped, or a delta was queued before any list.
    fn has_synced(&self) -> bool;

    /// Whether a list is queued as one [`Delta::ReplacedAll`].
    fn replaces_atomically(&self) -> bool;

    /// The number of queued items: deltas, or objects if the queue groups by object.
    fn len(&self) -> usize;

    /// Whether the queue is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Deltas to apply in one step. They concern either different objects or all the same object.
#[derive(Debug)]
pub struct DeltaBatch<T> {
    /// Oldest first; never empty.
    pub deltas: Vec<Delta<T>>,
    /// Whether the deltas are part of the first list.
    pub initial: bool,
}

/// The objects that a store already holds, as client-go's `KeyListerGetter`. A queue compares a list with them to find
/// deletions.
pub trait KnownObjects<T> {
    /// The keys of all objects, including those that exist on the server but were never decoded.
    fn keys(&self) -> Vec<ObjectKey>;

    /// Whether [`keys`](Self::keys) contains this key.
    fn contains(&self, key: &ObjectKey) -> bool;

    /// The last decoded state of this object.
    fn get(&self, key: &ObjectKey) -> Option<Rc<T>>;
}

/// An empty store.
impl<T> KnownObjects<T> for () {
    fn keys(&self) -> Vec<ObjectKey> {
        Vec::new()
    }

    fn contains(&self, _: &ObjectKey) -> bool {
        false
    }

    fn get(&self, _: &ObjectKey) -> Option<Rc<T>> {
        None
    }
}

/// The part of a collection that a list covers. An object within this scope that the list does not contain was deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ListScope {
    /// The whole collection.
    #[default]
    All,
    /// One namespace, for an informer that reads several namespaces separately.
    Namespace(Rc<str>),
}

impl ListScope {
    /// Whether the object with this key is within the scope.
    pub fn contains(&self, key: &ObjectKey) -> bool {
        match self {
            ListScope::All => true,
            ListScope::Namespace(namespace) => key.namespace() == &**namespace,
        }
    }
}

/// How much of the first list has been popped: client-go's `populated` and `initialPopulationCount`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InitialPopulation {
    /// Nothing has been queued yet.
    NotStarted,
    /// The number of entries of the first list that are still queued.
    Remaining(usize),
}

impl InitialPopulation {
    /// Records that a delta was queued. If no list came before it, there is no first list to wait for.
    pub(super) fn mark_started(&mut self) {
        self.start(0);
    }

    /// Records that a list with this many entries was queued. Only the first one counts.
    pub(super) fn start(&mut self, entries: usize) {
        if *self == InitialPopulation::NotStarted {
            *self = InitialPopulation::Remaining(entries);
        }
    }

    /// Records that this many entries were popped.
    pub(super) fn popped(&mut self, entries: usize) {
        if let InitialPopulation::Remaining(remaining) = self {
            *remaining = remaining.saturating_sub(entries);
        }
    }

    /// Whether the whole first list was popped.
    pub(super) fn is_complete(self) -> bool {
        self == InitialPopulation::Remaining(0)
    }

    /// How many entries may be popped together without going past the end of the first list; `None` if there is no
    /// bound.
    pub(super) fn remaining(self) -> Option<usize> {
        match self {
            InitialPopulation::Remaining(remaining) if remaining > 0 => Some(remaining),
            _ => None,
        }
    }
}
