//! The readers' side of a cache.

use std::{
    cell::{Cell, Ref, RefCell},
    fmt,
    rc::Rc,
};

use futures::channel::oneshot;

use super::{
    Indexer, Object, ObjectKey, StaleObject, Tombstone,
    delta::CachedState,
    index::IndexValues,
    indexer::{Snapshot, index_fn},
};
use crate::Error;

/// Reads a cache. Clones read the same one; objects are shared and never copied.
///
/// What it answers is the state at the moment: nothing here waits, and nothing changes while a caller does not await.
pub struct Store<T> {
    shared: Rc<Shared<T>>,
}

struct Shared<T> {
    /// Never borrowed while a function of an index or a visitor is called: those may read the store and add indexes.
    indexer: RefCell<Indexer<T>>,
    /// Of the last change, for the next one to use again.
    values: Cell<IndexValues>,
    /// Who waits for a version, oldest first. Given up by dropping the receiver; those are swept when others come.
    waiters: RefCell<Vec<VersionWaiter>>,
}

struct VersionWaiter {
    key: ObjectKey,
    version: String,
    sender: oneshot::Sender<()>,
}

impl<T: Object> Store<T> {
    pub(super) fn new() -> Store<T> {
        let mut indexer = Indexer::new();
        indexer.add_namespace_index();
        let shared = Shared { indexer: RefCell::new(indexer), values: Cell::default(), waiters: RefCell::default() };
        Store { shared: Rc::new(shared) }
    }

    /// The object of this key.
    pub fn get(&self, key: &ObjectKey) -> Option<Rc<T>> {
        self.read().get(key).cloned()
    }

    /// All objects, in no order.
    pub fn list(&self) -> Vec<Rc<T>> {
        self.read().list().cloned().collect()
    }

    /// Calls `visit` with every object there is at the moment. It must not wait.
    pub fn for_each(&self, mut visit: impl FnMut(&Rc<T>)) {
        self.snapshot().iter().for_each(|(_, object)| visit(object));
    }

    /// The keys of all objects, in their order.
    pub fn keys(&self) -> Vec<ObjectKey> {
        let mut keys: Vec<ObjectKey> = self.read().keys().cloned().collect();
        keys.sort();
        keys
    }

    /// The objects that have `value` in the index of this name.
    pub fn by_index(&self, name: &str, value: &str) -> Result<Vec<Rc<T>>, Error> {
        Ok(self.read().by_index(name, value)?.cloned().collect())
    }

    /// The keys of the objects that have `value` in the index of this name, in their order.
    pub fn index_keys(&self, name: &str, value: &str) -> Result<Vec<ObjectKey>, Error> {
        self.read().index_keys(name, value)
    }

    /// Every value of the index of this name, in their order.
    pub fn index_values(&self, name: &str) -> Result<Vec<Rc<str>>, Error> {
        self.read().index_values(name)
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    /// The objects that the server has and whose present state could not be decoded, in the order of their keys. What
    /// [`get`](Self::get) gives of them is an earlier state, or nothing where none could ever be decoded.
    pub fn stale_objects(&self) -> Vec<Rc<StaleObject>> {
        let mut stale: Vec<Rc<StaleObject>> = self.read().stale_objects().cloned().collect();
        stale.sort_by(|one, other| one.key.cmp(&other.key));
        stale
    }

    /// Why the state of this object is stale; `None` where it is not.
    pub fn stale_object(&self, key: &ObjectKey) -> Option<Rc<StaleObject>> {
        self.read().stale_object(key).cloned()
    }

    /// The version of what was last written here. Opaque; empty before the first.
    pub fn resource_version(&self) -> String {
        self.read().resource_version().to_owned()
    }

    /// Adds an index by the values that `values_of` gives of an object, for what is here and what will come.
    pub fn add_index<I>(&self, name: &str, values_of: impl Fn(&T) -> I + 'static) -> Result<(), Error>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let function = index_fn(values_of);
        loop {
            self.read().check_name_is_free(name)?;
            let snapshot = self.snapshot();
            let index = snapshot.index(&function);
            let mut indexer = self.shared.indexer.borrow_mut();
            if indexer.is_unchanged_since(&snapshot) {
                indexer.check_name_is_free(name)?;
                indexer.insert_index(name, &function, index);
                return Ok(());
            }
        }
    }

    /// Completes once the state that a write answered with has arrived here, so that a reader sees its own writes. At once
    /// when it is here.
    ///
    /// Versions are opaque: what counts is that this state, or the end of the object, passes by. A state that passed by
    /// before this was asked, and has another one after it, is not recognised; bound the wait where others write too.
    pub async fn wait_for(&self, written: &impl Object) {
        let (key, version) = (written.key(), written.resource_version().to_owned());
        if self.get(&key).is_some_and(|object| object.resource_version() == version) {
            return;
        }
        // A store that ends tells nobody, which is for the caller's own bound to find out.
        if self.register_waiter(key, version).await.is_err() {
            futures::future::pending().await
        }
    }

    fn register_waiter(&self, key: ObjectKey, version: String) -> oneshot::Receiver<()> {
        let (sender, receiver) = oneshot::channel();
        let mut waiters = self.shared.waiters.borrow_mut();
        waiters.retain(|waiter| !waiter.sender.is_canceled());
        waiters.push(VersionWaiter { key, version, sender });
        receiver
    }

    pub(super) fn read(&self) -> Ref<'_, Indexer<T>> {
        self.shared.indexer.borrow()
    }

    /// All objects as they are now.
    pub(super) fn snapshot(&self) -> Snapshot<T> {
        self.read().snapshot()
    }

    /// Stores a state of an object, and gives back the one before.
    pub(super) fn put(&self, object: Rc<T>) -> Option<Rc<T>> {
        let version = object.resource_version();
        self.write(|indexer| indexer.set_resource_version(version));
        self.change(&object.key(), Some(object))
    }

    /// Takes an object out whose last state, or its version at least, is told.
    pub(super) fn delete(&self, tombstone: &Tombstone<T>) -> Option<Rc<T>> {
        if let Tombstone::Deleted(object) = tombstone {
            let version = object.resource_version();
            self.write(|indexer| indexer.set_resource_version(version));
        }
        self.change(&tombstone.key(), None)
    }

    /// Notes that an object has a state that could not be decoded.
    pub(super) fn mark_stale(&self, stale: &Rc<StaleObject>) -> MarkStale<T> {
        self.write(|indexer| indexer.set_resource_version(&stale.resource_version));
        let state = self.get(&stale.key).map_or(CachedState::Outdated, |known| stale.compare(&*known));
        if state == CachedState::Current {
            return MarkStale::UpToDate;
        }
        let deleted = if state == CachedState::OtherObject { self.change(&stale.key, None) } else { None };
        self.write(|indexer| indexer.mark_stale(Rc::clone(stale)));
        MarkStale::Marked { deleted }
    }

    /// Computes the values of all indexes, then writes; again if an index was added by one of their functions.
    fn change(&self, key: &ObjectKey, after: Option<Rc<T>>) -> Option<Rc<T>> {
        let mut values = self.shared.values.take();
        let changed = loop {
            let (functions, before) = {
                let indexer = self.read();
                (indexer.functions().clone(), indexer.get(key).cloned())
            };
            values.compute(&functions, key, before.as_deref(), after.as_deref());
            let mut indexer = self.shared.indexer.borrow_mut();
            if indexer.functions().is_same(&functions) {
                break indexer.write(key, after, &values);
            }
        };
        self.shared.values.set(values);
        changed
    }

    /// Makes `new` the state of this store, and gives back the one before. An index that was added since `new` was begun is
    /// in both.
    pub(super) fn swap(&self, mut new: Indexer<T>) -> Indexer<T> {
        loop {
            let functions = self.read().functions().clone();
            if !new.functions().is_same(&functions) {
                new.add_missing_indexes(&functions);
            }
            let mut indexer = self.shared.indexer.borrow_mut();
            if indexer.functions().is_same(&functions) {
                return std::mem::replace(&mut indexer, new);
            }
        }
    }

    /// Makes one change; nobody is called meanwhile.
    pub(super) fn write<R>(&self, change: impl FnOnce(&mut Indexer<T>) -> R) -> R {
        change(&mut self.shared.indexer.borrow_mut())
    }

    /// A state passed by: whoever waits for it is told.
    pub(super) fn notify_waiters(&self, key: &ObjectKey, version: &str, deleted: bool) {
        let mut waiters = self.shared.waiters.borrow_mut();
        if waiters.is_empty() {
            return;
        }
        let reached = waiters.extract_if(.., |waiter| waiter.key == *key && (deleted || waiter.version == version));
        let reached: Vec<VersionWaiter> = reached.collect();
        drop(waiters);
        for waiter in reached {
            // Nobody listens any more: that is how a wait is given up.
            waiter.sender.send(()).ok();
        }
    }

    pub(super) fn has_waiters(&self) -> bool {
        !self.shared.waiters.borrow().is_empty()
    }
}

/// What became of a mark.
pub(super) enum MarkStale<T> {
    /// The object is stale now; `gone` is one that had its name before.
    Marked { deleted: Option<Rc<T>> },
    /// The state that is here is the one that could not be decoded this time.
    UpToDate,
}

impl<T> Clone for Store<T> {
    fn clone(&self) -> Store<T> {
        Store { shared: Rc::clone(&self.shared) }
    }
}

impl<T> fmt::Debug for Store<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Store").field(&*self.shared.indexer.borrow()).finish()
    }
}
