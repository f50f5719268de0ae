//! The objects of one kind, found by key and by index.

use std::{fmt, ops::Range, rc::Rc};

use rustc_hash::FxHashMap;

use super::{
    Known, Object, ObjectKey, Tombstone,
    index::{Index, IndexFn, Places},
};
use crate::{Error, ordered::Ordered, sorting};

/// All objects by key, and by as many indexes as were added. A change costs the same however many objects there are.
///
/// This is the writer's side; everyone else has a [`Store`](super::Store).
pub struct Indexer<T> {
    /// An object keeps its place from its coming to its end, whatever its states.
    places: FxHashMap<ObjectKey, u32>,
    /// Every place in `places` holds an entry of that key, and every other one is in `free`.
    entries: Vec<Option<Entry<T>>>,
    free: Vec<u32>,
    /// By name. Each has the values of all objects.
    indexes: Ordered<Rc<str>, Index<T>>,
    /// Of what was last written.
    resource_version: String,
}

struct Entry<T> {
    key: ObjectKey,
    object: Rc<T>,
}

/// The index by namespace, which every informer has.
pub const NAMESPACE_INDEX: &str = "namespace";

/// What a list changed.
#[derive(Debug)]
pub struct Replaced<T> {
    /// Known before, and missing from the list.
    pub deleted: Vec<Tombstone<T>>,
    /// In the list, in its order, with the state before where there was one.
    pub listed: Vec<(Option<Rc<T>>, Rc<T>)>,
}

impl<T: Object> Indexer<T> {
    /// An empty one without indexes.
    pub fn new() -> Indexer<T> {
        Indexer {
            places: FxHashMap::default(),
            entries: Vec::new(),
            free: Vec::new(),
            indexes: Ordered::default(),
            resource_version: String::new(),
        }
    }

    /// Adds an index by the values that `values_of` gives of an object; objects that are here already are indexed too.
    pub fn add_index<I>(&mut self, name: &str, values_of: impl Fn(&T) -> I + 'static) -> Result<(), Error>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let visit: IndexFn<T> = Rc::new(move |_, object, visit| {
            for value in values_of(object) {
                visit(value.as_ref());
            }
        });
        self.insert_index(name, visit)
    }

    /// Adds the index by namespace, unless it is there; cluster-scoped objects are in none.
    pub fn add_namespace_index(&mut self) {
        let namespace: IndexFn<T> = Rc::new(|key, _, visit| {
            if !key.namespace().is_empty() {
                visit(key.namespace());
            }
        });
        // The only error is that it is there.
        self.insert_index(NAMESPACE_INDEX, namespace).ok();
    }

    fn insert_index(&mut self, name: &str, values_of: IndexFn<T>) -> Result<(), Error> {
        if self.indexes.get(name).is_some() {
            return Err(Error::invalid(OPERATION, format!("indexer conflict: an index {name:?} exists already")));
        }
        let mut index = Index::new(values_of);
        for (place, entry) in (0..).zip(&self.entries) {
            if let Some(entry) = entry {
                index.update(place, &entry.key, None, Some(&entry.object));
            }
        }
        self.indexes.insert(name.into(), index);
        Ok(())
    }

    /// Stores a state of an object, and gives back the one before.
    pub fn put(&mut self, object: Rc<T>) -> Option<Rc<T>> {
        self.note_version(object.resource_version());
        self.file(object)
    }

    /// Takes an object out.
    pub fn delete(&mut self, key: &ObjectKey) -> Option<Rc<T>> {
        let place = self.places.remove(key)?;
        let entry = self.entries.get_mut(place as usize)?.take()?;
        self.free.push(place);
        for index in self.indexes.values_mut() {
            index.update(place, &entry.key, Some(&entry.object), None);
        }
        Some(entry.object)
    }

    /// Takes an object out whose last state, or its version at least, is told.
    pub fn delete_last(&mut self, tombstone: &Tombstone<T>) -> Option<Rc<T>> {
        if let Tombstone::Deleted(object) = tombstone {
            self.note_version(object.resource_version());
        }
        self.delete(&tombstone.key())
    }

    /// Makes these all objects there are.
    pub fn replace(&mut self, objects: Vec<Rc<T>>, resource_version: &str) -> Replaced<T> {
        let mut missing: FxHashMap<ObjectKey, ()> = self.places.keys().map(|key| (key.clone(), ())).collect();
        let mut listed = Vec::with_capacity(objects.len());
        for object in objects {
            missing.remove(&object.key());
            let before = self.file(Rc::clone(&object));
            listed.push((before, object));
        }
        let mut missing: Vec<ObjectKey> = missing.into_keys().collect();
        sorting::sort(&mut missing);
        let deleted = missing.into_iter().map(|key| {
            let last = self.delete(&key);
            Tombstone::FinalStateUnknown { key, last }
        });
        let deleted = deleted.collect();
        resource_version.clone_into(&mut self.resource_version);
        Replaced { deleted, listed }
    }

    /// One without objects, that has the same indexes.
    pub(super) fn emptied(&self) -> Indexer<T> {
        let indexes = self.indexes.iter().map(|(name, index)| (Rc::clone(name), index.emptied())).collect();
        Indexer { indexes, ..Indexer::new() }
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.places.clear();
        self.entries.clear();
        self.free.clear();
        self.indexes.values_mut().for_each(Index::clear);
        self.resource_version.clear();
    }

    /// Everything up to this version is here.
    pub fn bookmark(&mut self, resource_version: &str) {
        self.note_version(resource_version);
    }

    /// The object of this key.
    pub fn get(&self, key: &ObjectKey) -> Option<&Rc<T>> {
        self.at(*self.places.get(key)?)
    }

    /// All objects, in no order.
    pub fn list(&self) -> impl Iterator<Item = &Rc<T>> {
        self.entries.iter().flatten().map(|entry| &entry.object)
    }

    /// How many places there are, taken or free.
    pub(super) fn places(&self) -> usize {
        self.entries.len()
    }

    /// The keys at some of the places, for who looks at all of them a few at a time.
    pub(super) fn keys_at(&self, places: Range<usize>) -> impl Iterator<Item = &ObjectKey> {
        self.entries[places].iter().flatten().map(|entry| &entry.key)
    }

    /// The keys of all objects, in no order.
    pub fn keys(&self) -> impl Iterator<Item = &ObjectKey> {
        self.places.keys()
    }

    /// The objects that have `value` in an index.
    pub fn by_index(&self, name: &str, value: &str) -> Result<impl Iterator<Item = &Rc<T>>, Error> {
        let places = self.index(name)?.places(value);
        Ok(places.into_iter().flatten().filter_map(|place| self.at(*place)))
    }

    /// The keys of the objects that have `value` in an index, in their order.
    pub fn index_keys(&self, name: &str, value: &str) -> Result<Vec<ObjectKey>, Error> {
        let places = self.index(name)?.places(value).into_iter().flatten();
        let entry = |place: &u32| self.entries.get(*place as usize)?.as_ref();
        let mut keys: Vec<ObjectKey> = places.filter_map(entry).map(|entry| entry.key.clone()).collect();
        sorting::sort(&mut keys);
        Ok(keys)
    }

    /// Every value of an index, in their order.
    pub fn index_values(&self, name: &str) -> Result<Vec<Rc<str>>, Error> {
        let mut values: Vec<Rc<str>> = self.index(name)?.values().cloned().collect();
        sorting::sort(&mut values);
        Ok(values)
    }

    /// The objects that share a value with `object` in an index; it need not be one of them.
    pub fn like(&self, name: &str, object: &T) -> Result<Vec<Rc<T>>, Error> {
        let index = self.index(name)?;
        let values = index.values_of(&object.key(), object);
        let places: Places = values.iter().filter_map(|value| index.places(value)).flatten().copied().collect();
        Ok(places.iter().filter_map(|place| self.at(*place)).cloned().collect())
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The version of what was last written: an object, a list or a bookmark. Opaque; empty before the first.
    pub fn resource_version(&self) -> &str {
        &self.resource_version
    }

    fn file(&mut self, object: Rc<T>) -> Option<Rc<T>> {
        let key = object.key();
        if let Some(place) = self.places.get(&key).copied() {
            let entry = self.entries.get_mut(place as usize)?.as_mut()?;
            let before = std::mem::replace(&mut entry.object, object);
            for index in self.indexes.values_mut() {
                index.update(place, &entry.key, Some(&before), Some(&entry.object));
            }
            return Some(before);
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            u32::try_from(self.entries.len() - 1).expect("fewer objects than fit into 32 bits of memory")
        });
        for index in self.indexes.values_mut() {
            index.update(place, &key, None, Some(&object));
        }
        self.entries[place as usize] = Some(Entry { key: key.clone(), object });
        self.places.insert(key, place);
        None
    }

    fn at(&self, place: u32) -> Option<&Rc<T>> {
        self.entries.get(place as usize)?.as_ref().map(|entry| &entry.object)
    }

    fn index(&self, name: &str) -> Result<&Index<T>, Error> {
        let none = || Error::invalid(OPERATION, format!("Index with name {name} does not exist"));
        self.indexes.get(name).ok_or_else(none)
    }

    /// An object without a version leaves it alone.
    fn note_version(&mut self, version: &str) {
        if !version.is_empty() {
            version.clone_into(&mut self.resource_version);
        }
    }
}

impl<T: Object> Known<T> for Indexer<T> {
    fn keys(&self) -> Vec<ObjectKey> {
        self.places.keys().cloned().collect()
    }

    fn get(&self, key: &ObjectKey) -> Option<Rc<T>> {
        Indexer::get(self, key).cloned()
    }
}

impl<T: Object> Default for Indexer<T> {
    fn default() -> Indexer<T> {
        Indexer::new()
    }
}

impl<T> fmt::Debug for Indexer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indexes: Vec<_> = self.indexes.keys().collect();
        f.debug_struct("Indexer")
            .field("objects", &self.places.len())
            .field("indexes", &indexes)
            .finish_non_exhaustive()
    }
}

const OPERATION: &str = "use index";

#[cfg(test)]
mod tests;
