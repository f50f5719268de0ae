//! One index: which objects have a value.
//!
//! The functions of an index are apart from its contents, so that they can be called while nobody borrows a store.

use std::{collections::HashSet, fmt, rc::Rc};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::ObjectKey;

/// Tells the values of an object of this key.
pub(super) type IndexFn<T> = Rc<dyn Fn(&ObjectKey, &T, &mut dyn FnMut(&str))>;

/// The functions of all indexes of a store, in the order of their names. Clones share them.
pub(super) struct IndexFns<T>(Rc<[(Rc<str>, IndexFn<T>)]>);

impl<T> IndexFns<T> {
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.0.binary_search_by(|(other, _)| (**other).cmp(name)).ok()
    }

    pub(super) fn get(&self, position: usize) -> Option<&IndexFn<T>> {
        self.0.get(position).map(|(_, function)| function)
    }

    /// These and another one, and its position; there is none of this name.
    pub(super) fn with(&self, name: &str, function: &IndexFn<T>) -> (IndexFns<T>, usize) {
        let position = self.0.partition_point(|(other, _)| **other < *name);
        let (before, after) = self.0.split_at(position);
        let added = [(name.into(), Rc::clone(function))];
        let all = before.iter().cloned().chain(added).chain(after.iter().cloned()).collect();
        (IndexFns(all), position)
    }

    /// Whether nothing was added since one was cloned from the other.
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

/// The slots of all objects by their values.
#[derive(Default)]
pub(super) struct Index {
    /// No set is empty.
    slots: FxHashMap<Rc<str>, Slots>,
}

pub(super) type Slots = HashSet<u32, FxBuildHasher>;

impl Index {
    /// The index of these objects, each at its slot.
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

    /// The slots of the objects that have `value`.
    pub(super) fn slots(&self, value: &str) -> Option<&Slots> {
        self.slots.get(value)
    }

    /// Every value that an object has.
    pub(super) fn values(&self) -> impl Iterator<Item = &Rc<str>> {
        self.slots.keys()
    }

    /// Every value, with the objects that had it.
    pub(super) fn into_values(self) -> impl Iterator<Item = (Rc<str>, Slots)> {
        self.slots.into_iter()
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    /// Moves the object at `slot` from some values to others.
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

/// The values of one object before and after a change, in every index. Kept between changes, which then need not allocate.
#[derive(Debug, Default)]
pub(super) struct IndexValues {
    changes: Vec<(Values, Values)>,
}

impl IndexValues {
    /// Calls every function with the object before and after.
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

    /// Moves the object at `slot` in every index.
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

/// A few texts in one buffer.
#[derive(Debug, Default, PartialEq)]
struct Values {
    text: String,
    /// Where each ends; the next begins there.
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
