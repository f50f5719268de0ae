//! client-go's `Indexer`: objects of one kind by key and by index. The writing side of a [`Store`](super::Store).

use std::{fmt, ops::Range, rc::Rc};

use rustc_hash::FxHashMap;

use super::{
    KnownObjects, Object, ObjectKey, StaleObject, Tombstone,
    index::{Index, IndexFn, IndexFns, IndexValues, Slots},
};
use crate::Error;

/// Stores objects by key and by any number of indexes.
///
/// Adding, replacing and deleting an object costs O(number of indexes), however many objects there are. This is the
/// type that writes; handlers and views read it through a [`Store`](super::Store).
///
/// ```
/// use std::rc::Rc;
///
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{Error, cache::Indexer};
///
/// let mut indexer = Indexer::new();
/// indexer.add_index("node", |pod: &Pod| pod.spec.as_ref().and_then(|spec| spec.node_name.clone()))?;
/// indexer.put(Rc::new(Pod::default()));
/// assert_eq!(indexer.by_index("node", "worker-1")?.count(), 0);
/// # Ok::<(), Error>(())
/// ```
pub struct Indexer<T> {
    /// The slot of each object. An object keeps its slot until it is deleted.
    slots: FxHashMap<ObjectKey, u32>,
    /// For each slot in `slots` the entry with that key; `None` for each slot in `free`. Snapshots share this vector: a
    /// write copies it if a snapshot exists.
    entries: Rc<Entries<T>>,
    /// Unused slots of `entries`.
    free: Vec<u32>,
    /// The index functions, sorted by name.
    functions: IndexFns<T>,
    /// One index per function, at the same position. Contains every object.
    indexes: Vec<Index>,
    /// A buffer that `change` reuses.
    values: IndexValues,
    /// The objects whose current state could not be decoded. The last decoded state, if any, is in `entries`.
    stale: FxHashMap<ObjectKey, Rc<StaleObject>>,
    /// The version of the last write; empty before the first.
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

/// All objects at one moment, by slot. Taking one is O(1), but a write while it exists copies all entries: drop it
/// soon.
pub(super) struct Snapshot<T>(Rc<Entries<T>>);

impl<T> Snapshot<T> {
    pub(super) fn iter(&self) -> impl Iterator<Item = (&ObjectKey, &Rc<T>)> {
        self.at(0..self.slots())
    }

    /// The number of slots, used or free.
    pub(super) fn slots(&self) -> usize {
        self.0.len()
    }

    /// The objects in a range of slots, so that a caller can visit all objects in steps.
    pub(super) fn at(&self, slots: Range<usize>) -> impl Iterator<Item = (&ObjectKey, &Rc<T>)> {
        let entries = self.0.get(slots).unwrap_or_default();
        entries.iter().flatten().map(|entry| (&entry.key, &entry.object))
    }
}

/// The name of the index by namespace, which every informer's store has.
pub const NAMESPACE_INDEX: &str = "namespace";

/// The changes that a list made to an [`Indexer`].
#[derive(Debug)]
pub struct Replaced<T> {
    /// The objects that the list does not contain, sorted by key.
    pub deleted: Vec<Tombstone<T>>,
    /// The objects of the list, in its order, each with its previous state if it had one.
    pub listed: Vec<(Option<Rc<T>>, Rc<T>)>,
}

impl<T: Object> Indexer<T> {
    /// Creates an empty indexer without indexes.
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

    /// Adds an index by the values that `values_of` returns, and indexes the objects already stored. O(n).
    ///
    /// Fails if an index with this name exists.
    pub fn add_index<I>(&mut self, name: &str, values_of: impl Fn(&T) -> I + 'static) -> Result<(), Error>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        self.index_all(name, &index_fn(values_of))
    }

    /// Adds the index by namespace, unless it exists. Cluster-scoped objects have no value in it.
    pub fn add_namespace_index(&mut self) {
        let namespace: IndexFn<T> = Rc::new(|key, _, visit| {
            if !key.namespace().is_empty() {
                visit(key.namespace());
            }
        });
        // Fails only if the index exists already.
        self.index_all(NAMESPACE_INDEX, &namespace).ok();
    }

    /// Indexes all objects with `function` and adds the index.
    fn index_all(&mut self, name: &str, function: &IndexFn<T>) -> Result<(), Error> {
        self.check_name_is_free(name)?;
        let index = self.snapshot().index(function);
        self.insert_index(name, function, index);
        Ok(())
    }

    /// Fails if an index with this name exists.
    pub(super) fn check_name_is_free(&self, name: &str) -> Result<(), Error> {
        match self.functions.position(name) {
            Some(_) => Err(Error::invalid(OPERATION, format!("indexer conflict: an index {name:?} exists already"))),
            None => Ok(()),
        }
    }

    /// Adds an index that already contains all objects. No index may have this name yet.
    pub(super) fn insert_index(&mut self, name: &str, function: &IndexFn<T>, index: Index) {
        let (functions, position) = self.functions.with(name, function);
        self.functions = functions;
        self.indexes.insert(position, index);
    }

    /// Adds or replaces an object and returns its previous state. Also removes a stale mark.
    pub fn put(&mut self, object: Rc<T>) -> Option<Rc<T>> {
        self.set_resource_version(object.resource_version());
        self.put_object(object)
    }

    /// Deletes an object and returns its last state. Also removes a stale mark.
    pub fn delete(&mut self, key: &ObjectKey) -> Option<Rc<T>> {
        self.change(key, None)
    }

    /// Deletes the object of a tombstone, and records the tombstone's resource version if it has one.
    pub fn delete_tombstone(&mut self, tombstone: &Tombstone<T>) -> Option<Rc<T>> {
        if let Tombstone::Deleted(object) = tombstone {
            self.set_resource_version(object.resource_version());
        }
        self.delete(&tombstone.key())
    }

    /// Marks an object as stale, whether a state of it is stored or not. The mark lasts until the object is put or
    /// deleted.
    pub fn mark_stale(&mut self, stale: Rc<StaleObject>) {
        self.stale.insert(stale.key.clone(), stale);
    }

    /// Why the stored state of this object is stale; `None` if it is not.
    pub fn stale_object(&self, key: &ObjectKey) -> Option<&Rc<StaleObject>> {
        self.stale.get(key)
    }

    /// The objects whose current state could not be decoded, in no order.
    pub fn stale_objects(&self) -> impl Iterator<Item = &Rc<StaleObject>> {
        self.stale.values()
    }

    /// Replaces all objects with these, and returns what changed. Removes all stale marks. O(n log n).
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

    /// Creates an empty indexer with the same index functions.
    ///
    /// Reserves capacity up front, because a hash table that grows moves all its entries at once, which takes too long.
    pub(super) fn empty_copy(&self, capacity: usize) -> Indexer<T> {
        let mut indexes = Vec::new();
        indexes.resize_with(self.indexes.len(), Index::default);
        let slots = FxHashMap::with_capacity_and_hasher(capacity, Default::default());
        let entries = Rc::new(Vec::with_capacity(capacity));
        Indexer { indexes, slots, entries, functions: self.functions.clone(), ..Indexer::new() }
    }

    /// Adds each index that is not here yet.
    pub(super) fn add_missing_indexes(&mut self, functions: &IndexFns<T>) {
        for (name, function) in functions.iter() {
            // An index that exists is the same one, since indexes are never removed.
            self.index_all(name, function).ok();
        }
    }

    /// Removes all objects, stale marks and the resource version. The indexes stay, empty.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.entries = Rc::default();
        self.free.clear();
        self.indexes.iter_mut().for_each(Index::clear);
        self.stale.clear();
        self.resource_version.clear();
    }

    /// Drops the indexer in small steps, one per item of the iterator.
    pub(super) fn into_drop_steps(self) -> impl Iterator<Item = ()> + use<T> {
        let entries = Rc::try_unwrap(self.entries).unwrap_or_default();
        let values = self.indexes.into_iter().flat_map(Index::into_values).map(drop);
        let stale = self.stale.into_iter().map(drop);
        entries.into_iter().map(drop).chain(self.slots.into_iter().map(drop)).chain(values).chain(stale)
    }

    /// Records that the store is up to date with this resource version.
    pub fn bookmark(&mut self, resource_version: &str) {
        self.set_resource_version(resource_version);
    }

    /// The object with this key.
    pub fn get(&self, key: &ObjectKey) -> Option<&Rc<T>> {
        self.at(*self.slots.get(key)?)
    }

    /// All objects, in no order.
    pub fn list(&self) -> impl Iterator<Item = &Rc<T>> {
        self.entries.iter().flatten().map(|entry| &entry.object)
    }

    /// All objects at this moment. O(1).
    pub(super) fn snapshot(&self) -> Snapshot<T> {
        Snapshot(Rc::clone(&self.entries))
    }

    /// Whether no object changed since `snapshot` was taken.
    pub(super) fn is_unchanged_since(&self, snapshot: &Snapshot<T>) -> bool {
        Rc::ptr_eq(&self.entries, &snapshot.0)
    }

    /// The index functions.
    pub(super) fn functions(&self) -> &IndexFns<T> {
        &self.functions
    }

    /// The keys of all objects, in no order.
    pub fn keys(&self) -> impl Iterator<Item = &ObjectKey> {
        self.slots.keys()
    }

    /// The objects with `value` in this index, in no order. Fails if the index does not exist.
    pub fn by_index(&self, name: &str, value: &str) -> Result<impl Iterator<Item = &Rc<T>>, Error> {
        let slots = self.find_index(name)?.slots(value);
        Ok(slots.into_iter().flatten().filter_map(|slot| self.at(*slot)))
    }

    /// The keys of the objects with `value` in this index, sorted. Fails if the index does not exist.
    pub fn index_keys(&self, name: &str, value: &str) -> Result<Vec<ObjectKey>, Error> {
        let slots = self.find_index(name)?.slots(value).into_iter().flatten();
        let entry = |slot: &u32| self.entries.get(*slot as usize)?.as_ref();
        let mut keys: Vec<ObjectKey> = slots.filter_map(entry).map(|entry| entry.key.clone()).collect();
        keys.sort();
        Ok(keys)
    }

    /// All values of this index, sorted: client-go's `ListIndexFuncValues`. Fails if the index does not exist.
    pub fn index_values(&self, name: &str) -> Result<Vec<Rc<str>>, Error> {
        let mut values: Vec<Rc<str>> = self.find_index(name)?.values().cloned().collect();
        values.sort();
        Ok(values)
    }

    /// The objects that share an indexed value with `object`, which need not be stored. Fails if the index does not
    /// exist.
    pub fn index(&self, name: &str, object: &T) -> Result<Vec<Rc<T>>, Error> {
        let (index, mut values) = (self.find_index(name)?, Vec::new());
        if let Some(function) = self.functions.position(name).and_then(|position| self.functions.get(position)) {
            function(&object.key(), object, &mut |value| values.push(value.to_owned()));
        }
        let slots: Slots = values.iter().filter_map(|value| index.slots(value)).flatten().copied().collect();
        Ok(slots.iter().filter_map(|slot| self.at(*slot)).cloned().collect())
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The resource version of the last write: of an object, a list or a bookmark. Opaque; empty before the first.
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

    /// Makes `after` the state of an object, or deletes it, and returns the previous state. `values` must be computed
    /// from both states.
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
            u32::try_from(entries.len() - 1).expect("a store holds fewer than 2^32 objects")
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

    /// Ignores an empty version.
    pub(super) fn set_resource_version(&mut self, version: &str) {
        if !version.is_empty() {
            version.clone_into(&mut self.resource_version);
        }
    }
}

impl<T> Snapshot<T> {
    /// Indexes all objects with `function`.
    pub(super) fn index(&self, function: &IndexFn<T>) -> Index {
        let entries = (0..).zip(self.0.iter());
        Index::of(
            function,
            entries.filter_map(|(slot, entry)| Some((slot, &entry.as_ref()?.key, &entry.as_ref()?.object))),
        )
    }
}

/// Wraps `values_of` as an index function.
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
