//! What lies between a reflector and a store.

use std::rc::Rc;

use super::{CompleteList, Delta, ObjectKey, StaleObject, Tombstone};

/// The deltas that a store has yet to take, in their order.
///
/// One that is `Added` may well be known already, and one that is `Updated` or `Replaced` may not: the store decides. Two
/// queues of client-go are here: [`RealFifo`](super::RealFifo), which keeps every delta in the order it came, and
/// [`DeltaFifo`](super::DeltaFifo), which keeps all deltas of an object together.
pub trait DeltaQueue<T> {
    /// An object came.
    fn add(&mut self, object: Rc<T>);

    /// An object changed.
    fn update(&mut self, object: Rc<T>);

    /// An object went.
    fn delete(&mut self, tombstone: Tombstone<T>, known: &dyn KnownObjects<T>);

    /// An object exists, and its present state could not be decoded.
    fn stale(&mut self, object: Rc<StaleObject>);

    /// These are all objects there are within `scope`.
    fn replace(&mut self, list: CompleteList<T>, scope: &ListScope, known: &dyn KnownObjects<T>);

    /// Every known object is to be told again.
    fn resync(&mut self, known: &dyn KnownObjects<T>);

    /// Nothing happened up to this version.
    fn bookmark(&mut self, resource_version: &str);

    /// The next deltas to take together, at most `limit`; `None` when there are none.
    fn pop(&mut self, limit: usize) -> Option<DeltaBatch<T>>;

    /// Whether the first list was taken whole, or there was none before the first delta.
    fn has_synced(&self) -> bool;

    /// Whether a list leaves the queue in one piece, as [`Delta::ReplacedAll`].
    fn replaces_atomically(&self) -> bool;

    /// How many deltas wait.
    fn len(&self) -> usize;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Deltas that a store takes in one step. No two are about the same object unless they are all about the same.
#[derive(Debug)]
pub struct DeltaBatch<T> {
    /// Oldest first; never empty.
    pub deltas: Vec<Delta<T>>,
    /// Whether they are part of the first list.
    pub initial: bool,
}

/// What the store holds already: a list must tell of the objects that are missing from it.
pub trait KnownObjects<T> {
    /// The keys of all objects, also of those that are known to exist and could never be decoded.
    fn keys(&self) -> Vec<ObjectKey>;

    /// Whether this is one of [`keys`](Self::keys).
    fn contains(&self, key: &ObjectKey) -> bool;

    /// The last state of this object that could be decoded.
    fn get(&self, key: &ObjectKey) -> Option<Rc<T>>;
}

/// Nothing is known.
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

/// What a list is complete for: what it does not have, within this, is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ListScope {
    /// Everything there is.
    #[default]
    All,
    /// One namespace of several that are read side by side.
    Namespace(Rc<str>),
}

impl ListScope {
    /// Whether the object of this key lies within.
    pub fn contains(&self, key: &ObjectKey) -> bool {
        match self {
            ListScope::All => true,
            ListScope::Namespace(namespace) => key.namespace() == &**namespace,
        }
    }
}

/// How far the first list was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InitialPopulation {
    /// Nothing came yet.
    NotStarted,
    /// The first list is here; this many of its entries are still to be taken.
    Remaining(usize),
}

impl InitialPopulation {
    /// A delta came before any list: then there is no first list to wait for.
    pub(super) fn mark_started(&mut self) {
        self.start(0);
    }

    /// A list of so many entries came; only the first one counts.
    pub(super) fn start(&mut self, entries: usize) {
        if *self == InitialPopulation::NotStarted {
            *self = InitialPopulation::Remaining(entries);
        }
    }

    /// So many entries were taken.
    pub(super) fn popped(&mut self, entries: usize) {
        if let InitialPopulation::Remaining(remaining) = self {
            *remaining = remaining.saturating_sub(entries);
        }
    }

    pub(super) fn is_complete(self) -> bool {
        self == InitialPopulation::Remaining(0)
    }

    /// How many entries may be taken together before the first list ends.
    pub(super) fn remaining(self) -> Option<usize> {
        match self {
            InitialPopulation::Remaining(remaining) if remaining > 0 => Some(remaining),
            _ => None,
        }
    }
}
