//! The tasks of a running informer, as client-go's `Controller`: run the reflectors, process deltas, notify handlers.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};

use super::Shared;
use crate::{
    Error,
    cache::{
        CompleteList, Delta, DeltaSink, ListScope, Notification, Object, QueueKind, Reflector, StaleObject, WatchError,
        list_and_watch, process_deltas::DeltaProcessor,
    },
    runtime::Slice,
};

/// The reflector pauses while more deltas than this are queued.
const MAX_QUEUED: usize = 4096;

/// Lists and watches one scope until dropped or the informer stops.
pub(super) async fn run_reflector<T: Object>(shared: Rc<Shared<T>>, index: usize, generation: u64) {
    let Some(watched) = shared.scopes.get(index) else { return };
    let sink = InformerSink { shared: Rc::clone(&shared), scope: watched.scope.clone(), generation };
    let on_version = |version: &str| {
        if *watched.version.borrow() != version {
            version.clone_into(&mut watched.version.borrow_mut());
        }
    };
    let reflector = Reflector::new(shared.options.reflector.clone());
    list_and_watch(Rc::clone(&watched.lister_watcher), reflector, Rc::new(sink), on_version).await;
}

/// Processes deltas and notifies handlers until dropped or the informer stops.
///
/// Handlers come first: no delta is processed while a notification is pending.
pub(super) async fn run<T: Object>(shared: Rc<Shared<T>>, generation: u64) {
    let mut slice = Slice::new(&shared.runtime);
    while shared.generation.get() == generation {
        if !shared.notify_listeners(generation) && !shared.apply_next_batch() {
            shared.notify.until(|| shared.has_work()).await;
        }
        slice.pause().await;
    }
}

/// Starts a resync for each handler that is due, every resync check period.
pub(super) async fn resync<T: Object>(shared: Rc<Shared<T>>) {
    let period = shared.resync_check_period.get();
    if period.is_zero() {
        return;
    }
    loop {
        shared.runtime.sleep(period).await;
        let now = shared.runtime.now();
        let mut any_due = false;
        for listener in shared.listeners.borrow().values() {
            let mut timer = listener.resync_timer.get();
            let is_due = timer.take_due(now);
            listener.resync_timer.set(timer);
            listener.syncing.set(is_due);
            any_due |= is_due;
        }
        if any_due {
            shared.processor.borrow_mut().queue.resync(&*shared.store.read());
            shared.notify.notify_all();
        }
    }
}

impl<T: Object> Shared<T> {
    /// Notifies each listener of its next pending change, unless a handler stops the informer. Returns whether any was
    /// pending.
    fn notify_listeners(&self, generation: u64) -> bool {
        let listeners: Vec<_> =
            self.listeners.borrow().values().filter(|listener| listener.depth() > 0).cloned().collect();
        for listener in &listeners {
            if self.generation.get() != generation {
                break;
            }
            if let Some(Err(error)) = listener.notify_next() {
                self.watch_error(&WatchError::Handler(error));
            }
        }
        !listeners.is_empty()
    }

    /// Processes the next batch of deltas. Returns whether there was one.
    fn apply_next_batch(&self) -> bool {
        let Some(outcome) = DeltaProcessor::step(&self.processor, &self.store) else { return false };
        for notification in outcome.notifications {
            self.distribute(notification);
        }
        if outcome.synced {
            *self.sync_error.borrow_mut() = None;
            self.listeners.borrow().values().for_each(|listener| listener.mark_initial_complete());
        }
        for stale in outcome.stale {
            self.watch_error(&WatchError::Stale(stale));
        }
        if let Some(error) = outcome.rejected {
            self.watch_error(&WatchError::Skipped(error));
        }
        // The queue has room again, and the store may be complete now.
        self.notify.notify_all();
        true
    }

    /// Adds a notification to each listener. A resync goes only to the listeners that are due.
    fn distribute(&self, notification: Notification<T>) {
        let is_sync = notification.is_sync();
        let listeners = self.listeners.borrow();
        for listener in listeners.values().filter(|listener| !is_sync || listener.syncing.get()) {
            listener.push(notification.clone());
        }
    }

    fn has_work(&self) -> bool {
        !self.processor.borrow().is_idle() || self.listeners.borrow().values().any(|listener| listener.depth() > 0)
    }

    /// Whether the reflectors must pause.
    fn is_full(&self) -> bool {
        self.processor.borrow().queue.len() > MAX_QUEUED
    }
}

/// Queues what one reflector reads.
pub(super) struct InformerSink<T: Object> {
    pub(super) shared: Rc<Shared<T>>,
    /// The scope that the reflector reads.
    pub(super) scope: ListScope,
    /// The generation of the informer that the reflector belongs to.
    pub(super) generation: u64,
}

impl<T: Object> InformerSink<T> {
    /// Whether the informer was stopped or restarted, possibly by code that the reflector just called.
    fn is_stopped(&self) -> bool {
        self.shared.generation.get() != self.generation
    }
}

impl<T: Object> DeltaSink<T> for InformerSink<T> {
    fn listing(&self, objects: &[Rc<T>]) {
        if self.is_stopped() {
            return;
        }
        let shared = &self.shared;
        let progressive = shared.options.progressive && shared.options.queue == QueueKind::RealFifo;
        let mut processor = shared.processor.borrow_mut();
        if progressive && processor.is_first_list_pending(&self.scope) {
            objects.iter().for_each(|object| processor.queue.add(Rc::clone(object)));
            drop(processor);
            shared.notify.notify_all();
        }
    }

    fn replace(&self, list: CompleteList<T>) {
        if self.is_stopped() {
            return;
        }
        let shared = &self.shared;
        shared.processor.borrow_mut().replace(list, &self.scope, &shared.store);
        self.shared.notify.notify_all();
    }

    fn change(&self, delta: Delta<T>) {
        if self.is_stopped() {
            return;
        }
        let mut processor = self.shared.processor.borrow_mut();
        let queue = &mut processor.queue;
        match delta {
            Delta::Added(object) => queue.add(object),
            Delta::Updated(object) => queue.update(object),
            Delta::Deleted(tombstone) => queue.delete(tombstone, &*self.shared.store.read()),
            Delta::Stale(stale) => queue.stale(stale),
            Delta::Bookmark(version) => queue.bookmark(&version),
            // A reflector never sends these: its lists go through `replace`.
            Delta::Replaced(_) | Delta::Sync(_) | Delta::ReplacedAll { .. } | Delta::SyncAll => {}
        }
        drop(processor);
        self.shared.notify.notify_all();
    }

    fn transform(&self, object: T) -> Result<Rc<T>, StaleObject> {
        let Some(transform) = &self.shared.options.transform else { return Ok(Rc::new(object)) };
        let (key, uid) = (object.key(), object.uid().to_owned());
        let resource_version = object.resource_version().to_owned();
        let transformed = transform(object).map(Rc::new);
        transformed.map_err(|error| StaleObject { error: error.of_object(&key), key, uid, resource_version })
    }

    fn watch_error(&self, error: &WatchError) {
        if self.is_stopped() {
            return;
        }
        if let WatchError::List(error) = error
            && needs_intervention(error)
        {
            *self.shared.sync_error.borrow_mut() = Some(error.clone());
            self.shared.notify.notify_all();
        }
        self.shared.watch_error(error);
    }

    fn backpressure(&self) -> Option<LocalBoxFuture<'static, ()>> {
        if !self.shared.is_full() {
            return None;
        }
        let shared = Rc::clone(&self.shared);
        Some(async move { shared.notify.until(|| !shared.is_full()).await }.boxed_local())
    }
}

/// Whether the request keeps failing until someone changes permissions, the cluster or the code.
fn needs_intervention(error: &Error) -> bool {
    error.is_unauthorized()
        || error.is_forbidden()
        || error.is_not_found()
        || error.is_method_not_allowed()
        || error.is_undecodable()
        || error.is_not_json()
}
