//! What an informer does: takes what its reflector read, applies it, and tells handlers.

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

/// How many deltas wait at most before the reflector reads on.
const ROOM: usize = 4096;

/// Reads one part of the collection for as long as it is polled.
pub(super) async fn read<T: Object>(shared: Rc<Shared<T>>, number: usize, run: u64) {
    let Some(part) = shared.parts.get(number) else { return };
    let sink = InformerSink { shared: Rc::clone(&shared), scope: part.scope.clone(), run };
    let note = |version: &str| {
        if *part.version.borrow() != version {
            version.clone_into(&mut part.version.borrow_mut());
        }
    };
    let reflector = Reflector::new(shared.options.reflector.clone());
    list_and_watch(Rc::clone(&part.origin), reflector, Rc::new(sink), note).await;
}

/// Applies and tells for as long as it is polled.
pub(super) async fn run<T: Object>(shared: Rc<Shared<T>>, run: u64) {
    let mut slice = Slice::new(&shared.runtime);
    while shared.run.get() == run {
        if !shared.tell_one(run) && !shared.apply_piece() {
            shared.notify.until(|| shared.has_work()).await;
        }
        slice.pause().await;
    }
}

/// Tells everything again to those who asked for it, whenever they are due.
pub(super) async fn resync<T: Object>(shared: Rc<Shared<T>>) {
    let period = shared.check.get();
    if period.is_zero() {
        return;
    }
    loop {
        shared.runtime.sleep(period).await;
        let now = shared.runtime.now();
        let mut any = false;
        for listener in shared.listeners.borrow().values() {
            let mut due = listener.due.get();
            let is_due = due.take(now);
            listener.due.set(due);
            listener.syncing.set(is_due);
            any |= is_due;
        }
        if any {
            shared.processor.borrow_mut().queue.resync(&*shared.store.read());
            shared.notify.notify_all();
        }
    }
}

impl<T: Object> Shared<T> {
    /// Tells every handler one test_object, unless one of them ends this run; says whether there was any.
    fn tell_one(&self, run: u64) -> bool {
        let listeners: Vec<_> = self.listeners.borrow().values().filter(|one| one.depth() > 0).cloned().collect();
        for listener in &listeners {
            if self.run.get() != run {
                break;
            }
            if let Some(Err(error)) = listener.tell() {
                self.watch_error(&WatchError::Handler(error));
            }
        }
        !listeners.is_empty()
    }

    /// Applies the next piece of work; says whether there was any.
    fn apply_piece(&self) -> bool {
        let Some(outcome) = DeltaProcessor::step(&self.processor, &self.store) else { return false };
        for notification in outcome.notifications {
            self.distribute(notification);
        }
        if outcome.synced {
            *self.failure.borrow_mut() = None;
            self.listeners.borrow().values().for_each(|listener| listener.complete());
        }
        for stale in outcome.stale {
            self.watch_error(&WatchError::Stale(stale));
        }
        if let Some(error) = outcome.refused {
            self.watch_error(&WatchError::Skipped(error));
        }
        // There is room again, and maybe a complete state.
        self.notify.notify_all();
        true
    }

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

    fn is_full(&self) -> bool {
        self.processor.borrow().queue.len() > ROOM
    }
}

/// Where the reflector of an informer puts what it read.
pub(super) struct InformerSink<T: Object> {
    pub(super) shared: Rc<Shared<T>>,
    /// The part of the collection that the reflector reads.
    pub(super) scope: ListScope,
    /// Which run of the informer it belongs to.
    pub(super) run: u64,
}

impl<T: Object> InformerSink<T> {
    /// Whether the informer was stopped, maybe by what the reflector just called.
    fn is_over(&self) -> bool {
        self.shared.run.get() != self.run
    }
}

impl<T: Object> DeltaSink<T> for InformerSink<T> {
    fn listing(&self, objects: &[Rc<T>]) {
        if self.is_over() {
            return;
        }
        let shared = &self.shared;
        let early = shared.options.progressive && shared.options.queue == QueueKind::RealFifo;
        let mut processor = shared.processor.borrow_mut();
        if early && processor.awaits_first(&self.scope) {
            objects.iter().for_each(|object| processor.queue.add(Rc::clone(object)));
            drop(processor);
            shared.notify.notify_all();
        }
    }

    fn replace(&self, list: CompleteList<T>) {
        if self.is_over() {
            return;
        }
        let shared = &self.shared;
        shared.processor.borrow_mut().replace(list, &self.scope, &shared.store);
        self.shared.notify.notify_all();
    }

    fn change(&self, delta: Delta<T>) {
        if self.is_over() {
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
            // A reflector has nothing to say of those: its lists come whole.
            Delta::Replaced(_) | Delta::Sync(_) | Delta::ReplacedAll { .. } | Delta::SyncAll => {}
        }
        drop(processor);
        self.shared.notify.notify_all();
    }

    fn transform(&self, object: T) -> Result<Rc<T>, StaleObject> {
        let Some(transform) = &self.shared.options.transform else { return Ok(Rc::new(object)) };
        let (key, uid) = (object.key(), object.uid().to_owned());
        let resource_version = object.resource_version().to_owned();
        let kept = transform(object).map(Rc::new);
        kept.map_err(|error| StaleObject { error: error.of_object(&key), key, uid, resource_version })
    }

    fn watch_error(&self, error: &WatchError) {
        if self.is_over() {
            return;
        }
        if let WatchError::List(error) = error
            && is_lasting(error)
        {
            *self.shared.failure.borrow_mut() = Some(error.clone());
            self.shared.notify.notify_all();
        }
        self.shared.watch_error(error);
    }

    fn room(&self) -> Option<LocalBoxFuture<'static, ()>> {
        if !self.shared.is_full() {
            return None;
        }
        let shared = Rc::clone(&self.shared);
        Some(async move { shared.notify.until(|| !shared.is_full()).await }.boxed_local())
    }
}

/// Whether somebody must do something before the same request can succeed.
fn is_lasting(error: &Error) -> bool {
    error.is_unauthorized()
        || error.is_forbidden()
        || error.is_not_found()
        || error.is_method_not_allowed()
        || error.is_undecodable()
        || error.is_not_json()
}
