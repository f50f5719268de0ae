//! client-go's `Store`: the reading side of an informer's cache.

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

/// Reads the objects of an informer.
///
/// Clones read the same objects; objects are shared and never copied. Every method answers from memory. Nothing changes
/// between two calls unless the caller awaits something in between.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{Error, cache::{NAMESPACE_INDEX, SharedInformer}};
///
/// fn count(pods: &SharedInformer<Pod>, namespace: &str) -> Result<usize, Error> {
///     Ok(pods.store().by_index(NAMESPACE_INDEX, namespace)?.len())
/// }
/// ```
pub struct Store<T> {
    shared: Rc<Shared<T>>,
}

struct Shared<T> {
    /// Never borrowed while an index function or a visitor runs: those may read the store and add indexes.
    indexer: RefCell<Indexer<T>>,
    /// A buffer that each change reuses.
    values: Cell<IndexValues>,
    /// Callers of `wait_for`, oldest first. One that gave up has dropped its receiver; it is removed when the next one
    /// registers.
    waiters: RefCell<Vec<VersionWaiter>>,
}

/// A caller that waits until the store has seen this version of the object.
struct VersionWaiter {
    key: ObjectKey,
    version: String,
    sender: oneshot::Sender<()>,
}

impl<T: Object> Store<T> {
    /// Creates an empty store with the index by namespace.
    pub(super) fn new() -> Store<T> {
        let mut indexer = Indexer::new();
        indexer.add_namespace_index();
        let shared = Shared { indexer: RefCell::new(indexer), values: Cell::default(), waiters: RefCell::default() };
        Store { shared: Rc::new(shared) }
    }

    /// The object with this key.
    pub fn get(&self, key: &ObjectKey) -> Option<Rc<T>> {
        self.read().get(key).cloned()
    }

    /// All objects, in no order. O(n).
    pub fn list(&self) -> Vec<Rc<T>> {
        self.read().list().cloned().collect()
    }

    /// Calls `visit` with every object, in no order. `visit` may use the store; it sees the objects from before the
    /// call.
    pub fn for_each(&self, mut visit: impl FnMut(&Rc<T>)) {
        self.snapshot().iter().for_each(|(_, object)| visit(object));
    }

    /// The keys of all objects, sorted. O(n log n).
    pub fn keys(&self) -> Vec<ObjectKey> {
        let mut keys: Vec<ObjectKey> = self.read().keys().cloned().collect();
        keys.sort();
        keys
    }

    /// The objects with `value` in this index, in no order. Fails if the index does not exist.
    pub fn by_index(&self, name: &str, value: &str) -> Result<Vec<Rc<T>>, Error> {
        Ok(self.read().by_index(name, value)?.cloned().collect())
    }

    /// The keys of the objects with `value` in this index, sorted. Fails if the index does not exist.
    pub fn index_keys(&self, name: &str, value: &str) -> Result<Vec<ObjectKey>, Error> {
        self.read().index_keys(name, value)
    }

    /// All values of this index, sorted. Fails if the index does not exist.
    pub fn index_values(&self, name: &str) -> Result<Vec<Rc<str>>, Error> {
        self.read().index_values(name)
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    /// The objects that exist on the server but whose current state could not be decoded, sorted by key.
    ///
    /// For these [`get`](Self::get) returns an earlier state, or nothing if no state was ever decoded.
    pub fn stale_objects(&self) -> Vec<Rc<StaleObject>> {
        let mut stale: Vec<Rc<StaleObject>> = self.read().stale_objects().cloned().collect();
        stale.sort_by(|one, other| one.key.cmp(&other.key));
        stale
    }

    /// Why the stored state of this object is stale; `None` if it is not.
    pub fn stale_object(&self, key: &ObjectKey) -> Option<Rc<StaleObject>> {
        self.read().stale_object(key).cloned()
    }

    /// The resource version of the last write to this store. Opaque; empty before the first.
    pub fn resource_version(&self) -> String {
        self.read().resource_version().to_owned()
    }

    /// Adds an index by the values that `values_of` returns, for present and future objects. O(n).
    ///
    /// Fails if an index with this name exists. `values_of` may use the store.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::Pod;
    /// use masthead::{Error, cache::Store};
    ///
    /// fn index_by_node(pods: &Store<Pod>) -> Result<(), Error> {
    ///     pods.add_index("node", |pod| pod.spec.as_ref().and_then(|spec| spec.node_name.clone()))
    /// }
    /// ```
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

    /// Waits until the store has seen `written`, the object that a write returned, so that a caller can read its own
    /// write.
    ///
    /// Returns at once if the store holds exactly this state. Otherwise it waits for this resource version or for the
    /// deletion of the object. Resource versions are opaque, so a state that was already replaced by a later one is not
    /// recognised, and the call then waits forever: set a timeout if others write the object too. Dropping the future
    /// cancels the wait.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use masthead::{Error, cache::Store, typed::Client};
    ///
    /// async fn create(client: &Client<ConfigMap>, store: &Store<ConfigMap>, map: &ConfigMap) -> Result<(), Error> {
    ///     let written = client.create(map, &Default::default()).await?;
    ///     store.wait_for(&written).await;
    ///     Ok(())
    /// }
    /// ```
    pub async fn wait_for(&self, written: &impl Object) {
        let (key, version) = (written.key(), written.resource_version().to_owned());
        if self.get(&key).is_some_and(|object| object.resource_version() == version) {
            return;
        }
        // The store is gone. The caller's timeout ends the wait.
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

    /// Borrows the indexer. Do not call user code while the borrow lasts.
    pub(super) fn read(&self) -> Ref<'_, Indexer<T>> {
        self.shared.indexer.borrow()
    }

    /// All objects at this moment. O(1).
    pub(super) fn snapshot(&self) -> Snapshot<T> {
        self.read().snapshot()
    }

    /// Adds or replaces an object and returns its previous state.
    pub(super) fn put(&self, object: Rc<T>) -> Option<Rc<T>> {
        let version = object.resource_version();
        self.write(|indexer| indexer.set_resource_version(version));
        self.change(&object.key(), Some(object))
    }

    /// Deletes the object of a tombstone and returns its last state.
    pub(super) fn delete(&self, tombstone: &Tombstone<T>) -> Option<Rc<T>> {
        if let Tombstone::Deleted(object) = tombstone {
            let version = object.resource_version();
            self.write(|indexer| indexer.set_resource_version(version));
        }
        self.change(&tombstone.key(), None)
    }

    /// Marks an object as stale, unless the store has the very state that could not be decoded.
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

    /// Computes the indexed values, then writes. Starts again if an index function added an index in the meantime.
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

    /// Makes `new` the content of this store and returns the previous content. Adds to `new` each index that was added
    /// to the store since `new` was created.
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

    /// Runs `change`, which must not call user code, with the indexer borrowed.
    pub(super) fn write<R>(&self, change: impl FnOnce(&mut Indexer<T>) -> R) -> R {
        change(&mut self.shared.indexer.borrow_mut())
    }

    /// Wakes the callers that wait for this version of the object; on a deletion, all that wait for the object.
    pub(super) fn notify_waiters(&self, key: &ObjectKey, version: &str, deleted: bool) {
        let mut waiters = self.shared.waiters.borrow_mut();
        if waiters.is_empty() {
            return;
        }
        let reached = waiters.extract_if(.., |waiter| waiter.key == *key && (deleted || waiter.version == version));
        let reached: Vec<VersionWaiter> = reached.collect();
        drop(waiters);
        for waiter in reached {
            // The receiver is gone if the caller gave up.
            waiter.sender.send(()).ok();
        }
    }

    /// Whether anyone waits, so that the common case costs nothing.
    pub(super) fn has_waiters(&self) -> bool {
        !self.shared.waiters.borrow().is_empty()
    }
}

/// The result of [`Store::mark_stale`].
pub(super) enum MarkStale<T> {
    /// The object is marked as stale. `deleted` is an earlier object with the same name, which was removed.
    Marked { deleted: Option<Rc<T>> },
    /// The store has this very state, so the object is not stale.
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
