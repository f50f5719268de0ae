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

/// The places of all objects by their values.
#[derive(Default)]
pub(super) struct Index {
    /// No set is empty.
    places: FxHashMap<Rc<str>, Places>,
}

pub(super) type Places = HashSet<u32, FxBuildHasher>;

impl Index {
    /// The index of these objects, each at its place.
    pub(super) fn of<'a, T: 'a>(
        function: &IndexFn<T>,
        objects: impl Iterator<Item = (u32, &'a ObjectKey, &'a Rc<T>)>,
    ) -> Index {
        let mut index = Index::default();
        for (place, key, object) in objects {
            function(key, object, &mut |value| index.put(place, value));
        }
        index
    }

    /// The places of the objects that have `value`.
    pub(super) fn places(&self, value: &str) -> Option<&Places> {
        self.places.get(value)
    }

    /// Every value that an object has.
    pub(super) fn values(&self) -> impl Iterator<Item = &Rc<str>> {
        self.places.keys()
    }

    /// Every value, with the objects that had it.
    pub(super) fn into_values(self) -> impl Iterator<Item = (Rc<str>, Places)> {
        self.places.into_iter()
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
    }

    /// Moves the object at `place` from some values to others.
    fn update(&mut self, place: u32, old: &Values, new: &Values) {
        if old != new {
            old.iter().for_each(|value| self.take(place, value));
            new.iter().for_each(|value| self.put(place, value));
        }
    }

    fn put(&mut self, place: u32, value: &str) {
        match self.places.get_mut(value) {
            Some(places) => drop(places.insert(place)),
            None => drop(self.places.insert(value.into(), Places::from_iter([place]))),
        }
    }

    fn take(&mut self, place: u32, value: &str) {
        if let Some(places) = self.places.get_mut(value) {
            places.remove(&place);
            if places.is_empty() {
                self.places.remove(value);
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

    /// Moves the object at `place` in every index.
    pub(super) fn apply(&self, place: u32, indexes: &mut [Index]) {
        for (index, (old, new)) in indexes.iter_mut().zip(&self.changes) {
            index.update(place, old, new);
        }
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("values", &self.places.len()).finish_non_exhaustive()
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
