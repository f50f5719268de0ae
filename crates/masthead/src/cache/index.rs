//! Indexes of an [`Indexer`](super::Indexer): index functions, and the objects under each indexed value.
//!
//! The functions are stored apart from the contents, so that they can be called while the store is not borrowed: an
//! index function may read the store or add an index.

use std::{collections::HashSet, fmt, rc::Rc};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::ObjectKey;

/// Calls its last argument with each value under which the object is indexed.
pub(super) type IndexFn<T> = Rc<dyn Fn(&ObjectKey, &T, &mut dyn FnMut(&str))>;

/// The index functions of a store, sorted by index name. Clones share one list, and adding an index replaces it.
pub(super) struct IndexFns<T>(Rc<[(Rc<str>, IndexFn<T>)]>);

impl<T> IndexFns<T> {
    /// The position of the index with this name. Positions are those of `Indexer::indexes`.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.0.binary_search_by(|(other, _)| (**other).cmp(name)).ok()
    }

    pub(super) fn get(&self, position: usize) -> Option<&IndexFn<T>> {
        self.0.get(position).map(|(_, function)| function)
    }

    /// Returns a list with one more function, and its position. No index may have this name yet.
    pub(super) fn with(&self, name: &str, function: &IndexFn<T>) -> (IndexFns<T>, usize) {
        let position = self.0.partition_point(|(other, _)| **other < *name);
        let (before, after) = self.0.split_at(position);
        let added = [(name.into(), Rc::clone(function))];
        let all = before.iter().cloned().chain(added).chain(after.iter().cloned()).collect();
        (IndexFns(all), position)
    }

    /// Whether both are clones of one list, so that no index was added between them.
    pub(super) fn is_same(&self, other: &IndexFns<T>) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Rc<str>, &IndexFn<T>)> {
        self.0.iter().map(|(name, function)| (name, function))
    }
}

impl<T> Clone for IndexFns<T> {
    fn clone(&self) -> IndexFns<T> {
        IndexFns(Rc::clone(&self.0))
    }
}

impl<T> Default for IndexFns<T> {
    fn default() -> IndexFns<T> {
        IndexFns(Rc::new([]))
    }
}

/// One index: for each indexed value, the slots of the objects that have it.
#[derive(Default)]
pub(super) struct Index {
    /// Never contains an empty set.
    slots: FxHashMap<Rc<str>, Slots>,
}

/// Slots of an `Indexer`.
pub(super) type Slots = HashSet<u32, FxBuildHasher>;

impl Index {
    /// Indexes these objects, each with its slot. O(n).
    pub(super) fn of<'a, T: 'a>(
        function: &IndexFn<T>,
        objects: impl Iterator<Item = (u32, &'a ObjectKey, &'a Rc<T>)>,
    ) -> Index {
        let mut index = Index::default();
        for (slot, key, object) in objects {
            function(key, object, &mut |value| index.insert(slot, value));
        }
        index
    }

    /// The slots of the objects indexed under `value`.
    pub(super) fn slots(&self, value: &str) -> Option<&Slots> {
        self.slots.get(value)
    }

    /// Every value that at least one object has, in no order.
    pub(super) fn values(&self) -> impl Iterator<Item = &Rc<str>> {
        self.slots.keys()
    }

    /// Every value with its slots, so that a caller can drop a large index in steps.
    pub(super) fn into_values(self) -> impl Iterator<Item = (Rc<str>, Slots)> {
        self.slots.into_iter()
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    /// Moves the object in `slot` from its old values to its new ones.
    fn update(&mut self, slot: u32, old: &Values, new: &Values) {
        if old != new {
            old.iter().for_each(|value| self.remove(slot, value));
            new.iter().for_each(|value| self.insert(slot, value));
        }
    }

    fn insert(&mut self, slot: u32, value: &str) {
        match self.slots.get_mut(value) {
            Some(slots) => drop(slots.insert(slot)),
            None => drop(self.slots.insert(value.into(), Slots::from_iter([slot]))),
        }
    }

    fn remove(&mut self, slot: u32, value: &str) {
        if let Some(slots) = self.slots.get_mut(value) {
            slots.remove(&slot);
            if slots.is_empty() {
                self.slots.remove(value);
            }
        }
    }
}

/// The indexed values of one object before and after a change, for every index. Reused between changes to save
/// allocations.
#[derive(Debug, Default)]
pub(super) struct IndexValues {
    /// The old and the new values for each index, by position.
    changes: Vec<(Values, Values)>,
}

impl IndexValues {
    /// Calls every index function with the old and with the new state.
    pub(super) fn compute<T>(
        &mut self,
        functions: &IndexFns<T>,
        key: &ObjectKey,
        before: Option<&T>,
        after: Option<&T>,
    ) {
        self.changes.resize_with(functions.0.len(), Default::default);
        for ((old, new), (_, function)) in self.changes.iter_mut().zip(functions.iter()) {
            for (values, object) in [(old, before), (new, after)] {
                values.clear();
                if let Some(object) = object {
                    function(key, object, &mut |value| values.push(value));
                }
            }
        }
    }

    /// Updates every index for the object in `slot`.
    pub(super) fn apply(&self, slot: u32, indexes: &mut [Index]) {
        for (index, (old, new)) in indexes.iter_mut().zip(&self.changes) {
            index.update(slot, old, new);
        }
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("values", &self.slots.len()).finish_non_exhaustive()
    }
}

/// A list of strings in one buffer.
#[derive(Debug, Default, PartialEq)]
struct Values {
    text: String,
    /// Where each string ends; the next one starts there.
    ends: Vec<usize>,
}

impl Values {
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    fn push(&mut self, value: &str) {
        self.text.push_str(value);
        self.ends.push(self.text.len());
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end])
    }
}
