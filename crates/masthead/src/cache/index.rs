//! One index: which objects have a value.

use std::{collections::HashSet, fmt, rc::Rc};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::ObjectKey;

/// Tells the values of an object of this key.
pub(super) type IndexFn<T> = Rc<dyn Fn(&ObjectKey, &T, &mut dyn FnMut(&str))>;

/// The places of all objects by their values.
pub(super) struct Index<T> {
    values_of: IndexFn<T>,
    /// No set is empty.
    places: FxHashMap<Rc<str>, Places>,
    /// Of the last update, kept so that the next one need not allocate.
    scratch: (Values, Values),
}

pub(super) type Places = HashSet<u32, FxBuildHasher>;

impl<T> Index<T> {
    pub(super) fn new(values_of: IndexFn<T>) -> Index<T> {
        Index { values_of, places: FxHashMap::default(), scratch: Default::default() }
    }

    /// One without objects, by the same values.
    pub(super) fn emptied(&self) -> Index<T> {
        Index::new(Rc::clone(&self.values_of))
    }

    /// Moves the object at `place` from the values of `before` to those of `after`.
    pub(super) fn update(&mut self, place: u32, key: &ObjectKey, before: Option<&T>, after: Option<&T>) {
        let (mut old, mut new) = std::mem::take(&mut self.scratch);
        for (values, object) in [(&mut old, before), (&mut new, after)] {
            values.clear();
            if let Some(object) = object {
                (self.values_of)(key, object, &mut |value| values.push(value));
            }
        }
        if old != new {
            old.iter().for_each(|value| self.take(place, value));
            new.iter().for_each(|value| self.put(place, value));
        }
        self.scratch = (old, new);
    }

    /// The places of the objects that have `value`.
    pub(super) fn places(&self, value: &str) -> Option<&Places> {
        self.places.get(value)
    }

    /// Every value that an object has.
    pub(super) fn values(&self) -> impl Iterator<Item = &Rc<str>> {
        self.places.keys()
    }

    /// The values that `object` has or would have.
    pub(super) fn values_of(&self, key: &ObjectKey, object: &T) -> Vec<String> {
        let mut values = Vec::new();
        (self.values_of)(key, object, &mut |value| values.push(value.to_owned()));
        values
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
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

impl<T> fmt::Debug for Index<T> {
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
