//! The objects of one kind, found by key and by index.

use std::{fmt, ops::Range, rc::Rc};

use rustc_hash::FxHashMap;

use super::{
    KnownObjects, Object, ObjectKey, StaleObject, Tombstone,
    index::{Index, IndexFn, IndexFns, IndexValues, Slots},
};
use crate::Error;

/// All objects by key, and by as many indexes as were added. A change costs the same however many objects there are.
///
/// This is the writer's side; everyone else has a [`Store`](super::Store).
pub struct Indexer<T> {
    /// An object keeps its slot from its coming to its end, whatever its states.
    slots: FxHashMap<ObjectKey, u32>,
    /// Every slot in `slots` holds an entry of that key, and every other one is in `free`.
    /// A snapshot shares them: they are copied if they change while there is one.
    entries: Rc<Entries<T>>,
    free: Vec<u32>,
    functions: IndexFns<T>,
    /// One for each of `functions`, with the values of all objects.
    indexes: Vec<Index>,
    values: IndexValues,
    /// The objects whose present state could not be decoded, with an entry or without one. As many as the server has, at most.
    stale: FxHashMap<ObjectKey, Rc<StaleObject>>,
    /// Of what was last written.
    resource_version: String,
}

type Entries<T> = Vec<Option<Entry<T>>>;

struct Entry<T> {
    key: ObjectKey,
    object: Rc<T>,
}

impl<T> Clone for Entry<T> {
    fn clone(&self) -> Entry<T> {
        Entry { key: self.key.clone(), object: Rc::clone(&self.object) }
    }
}

/// All objects of one moment, by slot. To be dropped before the next change, which copies all entries otherwise.
pub(super) struct Snapshot<T>(Rc<Entries<T>>);

impl<T> Snapshot<T> {
    pub(super) fn iter(&self) -> impl Iterator<Item = (&ObjectKey, &Rc<T>)> {
        self.at(0..self.slots())
    }

    /// How many slots there are, taken or free.
    pub(super) fn slots(&self) -> usize {
        self.0.len()
    }

    /// What is at some of the slots, for who looks at all of them a few at a time.
    pub(super) fn at(&self, slots: Range<usize>) -> impl Iterator<Item = (&ObjectKey, &Rc<T>)> {
        let entries = self.0.get(slots).unwrap_or_default();
        entries.iter().flatten().map(|entry| (&entry.key, &entry.object))
    }
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
            slots: FxHashMap::default(),
            entries: Rc::default(),
            free: Vec::new(),
            functions: IndexFns::default(),
            indexes: Vec::new(),
            values: IndexValues::default(),
            stale: FxHashMap::default(),
            resource_version: String::new(),
        }
    }

    /// Adds an index by the values that `values_of` gives of an object; objects that are here already are indexed too.
    pub fn add_index<I>(&mut self, name: &str, values_of: impl Fn(&T) -> I + 'static) -> Result<(), Error>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        self.index_all(name, &index_fn(values_of))
    }

    /// Adds the index by namespace, unless it is there; cluster-scoped objects are in none.
    pub fn add_namespace_index(&mut self) {
        let namespace: IndexFn<T> = Rc::new(|key, _, visit| {
            if !key.namespace().is_empty() {
                visit(key.namespace());
            }
        });
        // The only error is that it is there.
        self.index_all(NAMESPACE_INDEX, &namespace).ok();
    }

    fn index_all(&mut self, name: &str, function: &IndexFn<T>) -> Result<(), Error> {
        self.check_name_is_free(name)?;
        let index = self.snapshot().index(function);
        self.insert_index(name, function, index);
        Ok(())
    }

    /// Fails where there is an index of this name.
    pub(super) fn check_name_is_free(&self, name: &str) -> Result<(), Error> {
        match self.functions.position(name) {
            Some(_) => Err(Error::invalid(OPERATION, format!("indexer conflict: an index {name:?} exists already"))),
            None => Ok(()),
        }
    }

    /// Adds an index that has the values of all objects; there is none of this name.
    pub(super) fn insert_index(&mut self, name: &str, function: &IndexFn<T>, index: Index) {
        let (functions, position) = self.functions.with(name, function);
        self.functions = functions;
        self.indexes.insert(position, index);
    }

    /// Stores a state of an object, and gives back the one before.
    pub fn put(&mut self, object: Rc<T>) -> Option<Rc<T>> {
        self.set_resource_version(object.resource_version());
        self.put_object(object)
    }

    /// Takes an object out.
    pub fn delete(&mut self, key: &ObjectKey) -> Option<Rc<T>> {
        self.change(key, None)
    }

    /// Takes an object out whose last state, or its version at least, is told.
    pub fn delete_tombstone(&mut self, tombstone: &Tombstone<T>) -> Option<Rc<T>> {
        if let Tombstone::Deleted(object) = tombstone {
            self.set_resource_version(object.resource_version());
        }
        self.delete(&tombstone.key())
    }

    /// Marks an object as stale, whether it has an entry or not, until another state of it is stored or it is taken out.
    pub fn mark_stale(&mut self, stale: Rc<StaleObject>) {
        self.stale.insert(stale.key.clone(), stale);
    }

    /// Why the state of this object is stale, if it is.
    pub fn stale_object(&self, key: &ObjectKey) -> Option<&Rc<StaleObject>> {
        self.stale.get(key)
    }

    /// The objects whose present state could not be decoded, in no order.
    pub fn stale_objects(&self) -> impl Iterator<Item = &Rc<StaleObject>> {
        self.stale.values()
    }

    /// Makes these all objects there are.
    pub fn replace(&mut self, objects: Vec<Rc<T>>, resource_version: &str) -> Replaced<T> {
        let mut missing: FxHashMap<ObjectKey, ()> = self.slots.keys().map(|key| (key.clone(), ())).collect();
        let mut listed = Vec::with_capacity(objects.len());
        for object in objects {
            missing.remove(&object.key());
            let before = self.put_object(Rc::clone(&object));
            listed.push((before, object));
        }
        self.stale.clear();
        let mut missing: Vec<ObjectKey> = missing.into_keys().collect();
        missing.sort();
        let deleted = missing.into_iter().map(|key| {
            let last = self.delete(&key);
            Tombstone::FinalStateUnknown { key, last }
        });
        let deleted = deleted.collect();
        resource_version.clone_into(&mut self.resource_version);
        Replaced { deleted, listed }
    }

    /// One without objects, that has the same indexes and room for so many objects: a table that grows moves all it has at
    /// once.
    pub(super) fn empty_copy(&self, capacity: usize) -> Indexer<T> {
        let mut indexes = Vec::new();
        indexes.resize_with(self.indexes.len(), Index::default);
        let slots = FxHashMap::with_capacity_and_hasher(capacity, Default::default());
        let entries = Rc::new(Vec::with_capacity(capacity));
        Indexer { indexes, slots, entries, functions: self.functions.clone(), ..Indexer::new() }
    }

    /// Adds the indexes that only the other one has.
    pub(super) fn add_missing_indexes(&mut self, functions: &IndexFns<T>) {
        for (name, function) in functions.iter() {
            // One that is there is the same one: indexes are never taken out.
            self.index_all(name, function).ok();
        }
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.entries = Rc::default();
        self.free.clear();
        self.indexes.iter_mut().for_each(Index::clear);
        self.stale.clear();
        self.resource_version.clear();
    }

    /// Drops everything, a part with each step of the iterator.
    pub(super) fn into_drop_steps(self) -> impl Iterator<Item = ()> + use<T> {
        let entries = Rc::try_unwrap(self.entries).unwrap_or_default();
        let values = self.indexes.into_iter().flat_map(Index::into_values).map(drop);
        entries.into_iter().map(drop).chain(self.slots.into_iter().map(drop)).chain(values)
    }

    /// Everything up to this version is here.
    pub fn bookmark(&mut self, resource_version: &str) {
        self.set_resource_version(resource_version);
    }

    /// The object of this key.
    pub fn get(&self, key: &ObjectKey) -> Option<&Rc<T>> {
        self.at(*self.slots.get(key)?)
    }

    /// All objects, in no order.
    pub fn list(&self) -> impl Iterator<Item = &Rc<T>> {
        self.entries.iter().flatten().map(|entry| &entry.object)
    }

    /// All objects as they are now.
    pub(super) fn snapshot(&self) -> Snapshot<T> {
        Snapshot(Rc::clone(&self.entries))
    }

    /// Whether no object changed since `snapshot` was made.
    pub(super) fn is_unchanged_since(&self, snapshot: &Snapshot<T>) -> bool {
        Rc::ptr_eq(&self.entries, &snapshot.0)
    }

    /// The functions of all indexes.
    pub(super) fn functions(&self) -> &IndexFns<T> {
        &self.functions
    }

    /// The keys of all objects, in no order.
    pub fn keys(&self) -> impl Iterator<Item = &ObjectKey> {
        self.slots.keys()
    }

    /// The objects that have `value` in an index.
    pub fn by_index(&self, name: &str, value: &str) -> Result<impl Iterator<Item = &Rc<T>>, Error> {
        let slots = self.find_index(name)?.slots(value);
        Ok(slots.into_iter().flatten().filter_map(|slot| self.at(*slot)))
    }

    /// The keys of the objects that have `value` in an index, in their order.
    pub fn index_keys(&self, name: &str, value: &str) -> Result<Vec<ObjectKey>, Error> {
        let slots = self.find_index(name)?.slots(value).into_iter().flatten();
        let entry = |slot: &u32| self.entries.get(*slot as usize)?.as_ref();
        let mut keys: Vec<ObjectKey> = slots.filter_map(entry).map(|entry| entry.key.clone()).collect();
        keys.sort();
        Ok(keys)
    }

    /// Every value of an index, in their order.
    pub fn index_values(&self, name: &str) -> Result<Vec<Rc<str>>, Error> {
        let mut values: Vec<Rc<str>> = self.find_index(name)?.values().cloned().collect();
        values.sort();
        Ok(values)
    }

    /// The objects that share a value with `object` in an index; it need not be one of them.
    pub fn index(&self, name: &str, object: &T) -> Result<Vec<Rc<T>>, Error> {
        let (index, mut values) = (self.find_index(name)?, Vec::new());
        if let Some(function) = self.functions.position(name).and_then(|position| self.functions.get(position)) {
            function(&object.key(), object, &mut |value| values.push(value.to_owned()));
        }
        let slots: Slots = values.iter().filter_map(|value| index.slots(value)).flatten().copied().collect();
        Ok(slots.iter().filter_map(|slot| self.at(*slot)).cloned().collect())
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The version of what was last written: an object, a list or a bookmark. Opaque; empty before the first.
    pub fn resource_version(&self) -> &str {
        &self.resource_version
    }

    fn put_object(&mut self, object: Rc<T>) -> Option<Rc<T>> {
        self.change(&object.key(), Some(object))
    }

    fn change(&mut self, key: &ObjectKey, after: Option<Rc<T>>) -> Option<Rc<T>> {
        let mut values = std::mem::take(&mut self.values);
        values.compute(&self.functions, key, self.get(key).map(Rc::as_ref), after.as_deref());
        let before = self.write(key, after, &values);
        self.values = values;
        before
    }

    /// Makes `after` the state of an object, and gives back the one before. `values` are those of both.
    pub(super) fn write(&mut self, key: &ObjectKey, after: Option<Rc<T>>, values: &IndexValues) -> Option<Rc<T>> {
        if !self.stale.is_empty() {
            self.stale.remove(key);
        }
        let known = if after.is_some() { self.slots.get(key).copied() } else { self.slots.remove(key) };
        if known.is_none() && after.is_none() {
            return None;
        }
        let entries = Rc::make_mut(&mut self.entries);
        let slot = known.or_else(|| self.free.pop()).unwrap_or_else(|| {
            entries.push(None);
            u32::try_from(entries.len() - 1).expect("fewer objects than fit into 32 bits of memory")
        });
        values.apply(slot, &mut self.indexes);
        let entry_slot = entries.get_mut(slot as usize)?;
        match (entry_slot.as_mut(), after) {
            (Some(entry), Some(object)) => Some(std::mem::replace(&mut entry.object, object)),
            (None, Some(object)) => {
                *entry_slot = Some(Entry { key: key.clone(), object });
                self.slots.insert(key.clone(), slot);
                None
            }
            (_, None) => {
                self.free.push(slot);
                entry_slot.take().map(|entry| entry.object)
            }
        }
    }

    fn at(&self, slot: u32) -> Option<&Rc<T>> {
        self.entries.get(slot as usize)?.as_ref().map(|entry| &entry.object)
    }

    fn find_index(&self, name: &str) -> Result<&Index, Error> {
        let missing = || Error::invalid(OPERATION, format!("Index with name {name} does not exist"));
        self.functions.position(name).and_then(|position| self.indexes.get(position)).ok_or_else(missing)
    }

    /// An object without a version leaves it alone.
    pub(super) fn set_resource_version(&mut self, version: &str) {
        if !version.is_empty() {
            version.clone_into(&mut self.resource_version);
        }
    }
}

impl<T> Snapshot<T> {
    /// The index by what `function` tells of all objects.
    pub(super) fn index(&self, function: &IndexFn<T>) -> Index {
        let entries = (0..).zip(self.0.iter());
        Index::of(
            function,
            entries.filter_map(|(slot, entry)| Some((slot, &entry.as_ref()?.key, &entry.as_ref()?.object))),
        )
    }
}

/// The function of an index by the values that `values_of` gives.
pub(super) fn index_fn<T, I>(values_of: impl Fn(&T) -> I + 'static) -> IndexFn<T>
where
    I: IntoIterator<Item: AsRef<str>>,
{
    Rc::new(move |_, object, visit| {
        for value in values_of(object) {
            visit(value.as_ref());
        }
    })
}

impl<T: Object> KnownObjects<T> for Indexer<T> {
    fn keys(&self) -> Vec<ObjectKey> {
        let never_decoded = self.stale.keys().filter(|key| !self.slots.contains_key(*key));
        self.slots.keys().chain(never_decoded).cloned().collect()
    }

    fn contains(&self, key: &ObjectKey) -> bool {
        self.slots.contains_key(key) || self.stale.contains_key(key)
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
        let indexes: Vec<_> = self.functions.iter().map(|(name, _)| name).collect();
        f.debug_struct("Indexer").field("objects", &self.slots.len()).field("indexes", &indexes).finish_non_exhaustive()
    }
}

const OPERATION: &str = "use index";

#[cfg(test)]
mod tests;
