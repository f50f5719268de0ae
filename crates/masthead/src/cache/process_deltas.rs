//! client-go's `processDeltas`: applies deltas to the store and produces notifications.
//!
//! One [`step`](DeltaProcessor::step) handles a bounded number of objects, so that the informer can yield to the page
//! between two steps.

use std::{cell::RefCell, rc::Rc};

use super::{
    CompleteList, Delta, DeltaBatch, DeltaQueue, ListScope, Notification, Object, StaleObject, Store, Tombstone,
    replace::{Replace, Step},
    store::MarkStale,
};
use crate::Error;

/// Pops deltas from a queue, applies them to a store and returns the notifications, a bounded batch per step.
pub(super) struct DeltaProcessor<T> {
    pub(super) queue: Box<dyn DeltaQueue<T>>,
    /// The rest of a delta that needs several steps. The queue is not popped until it is done.
    job: Job<T>,
    /// Counts calls of `restart`. A work item that began under another count is outdated when it finishes.
    restarts: u32,
    /// The scopes whose first list is not applied yet. The store is complete once this is empty.
    pending: Vec<PendingScope>,
}

/// A scope whose first list is not applied yet.
#[derive(Debug)]
struct PendingScope {
    scope: ListScope,
    /// Whether the list is in the queue.
    queued: bool,
}

/// A delta that takes more than one step.
enum Job<T> {
    None,
    /// Makes a list the state of the store.
    Replacing(Box<Replace<T>>),
    /// Drops the previous state of the store, one object per item of the iterator.
    Dropping(Box<dyn Iterator<Item = ()>>),
    /// Resyncs every object. The number of slots of the store that are done.
    Syncing(usize),
}

/// The result of one step.
#[derive(Debug)]
pub(super) struct Outcome<T> {
    /// The changes to notify handlers of, in order.
    pub(super) notifications: Vec<Notification<T>>,
    /// The objects that became stale.
    pub(super) stale: Vec<Rc<StaleObject>>,
    /// Set if objects could not be stored.
    pub(super) rejected: Option<Error>,
    /// Whether this step completed the store for the first time.
    pub(super) synced: bool,
}

/// The largest number of objects in one step: large enough to be efficient, small enough to take a fraction of a time
/// slice.
const MAX_BATCH: usize = 128;

impl<T: Object> DeltaProcessor<T> {
    /// Creates a processor whose store is complete once every scope was listed.
    pub(super) fn new(queue: Box<dyn DeltaQueue<T>>, scopes: impl IntoIterator<Item = ListScope>) -> DeltaProcessor<T> {
        let pending = scopes.into_iter().map(|scope| PendingScope { scope, queued: false }).collect();
        DeltaProcessor { queue, job: Job::None, restarts: 0, pending }
    }

    /// Queues a complete list of `scope`.
    pub(super) fn replace(&mut self, list: CompleteList<T>, scope: &ListScope, store: &Store<T>) {
        self.queue.replace(list, scope, &*store.read());
        self.pending.iter_mut().filter(|pending| pending.scope == *scope).for_each(|pending| pending.queued = true);
    }

    /// Whether no list of this scope has been queued yet.
    pub(super) fn is_first_list_pending(&self, scope: &ListScope) -> bool {
        self.pending.iter().any(|pending| pending.scope == *scope && !pending.queued)
    }

    /// Whether the first list of every scope has been applied.
    pub(super) fn has_synced(&self) -> bool {
        self.pending.is_empty()
    }

    /// Whether there is nothing to do.
    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty() && matches!(self.job, Job::None)
    }

    /// Discards all queued deltas, so that a new reflector can start. Changes that the store already has still produce
    /// their notifications.
    ///
    /// Returns the discarded values. Drop them only when nothing is borrowed, since dropping an object may run user
    /// code.
    pub(super) fn restart(&mut self, queue: Box<dyn DeltaQueue<T>>) -> impl Sized + use<T> {
        self.restarts += 1;
        self.pending.iter_mut().for_each(|pending| pending.queued = false);
        let job = if self.job.outlives_restart() { None } else { Some(std::mem::replace(&mut self.job, Job::None)) };
        (std::mem::replace(&mut self.queue, queue), job)
    }

    /// Does the next step; `None` if there is nothing to do. Nothing is borrowed while index functions run.
    pub(super) fn step(processor: &RefCell<DeltaProcessor<T>>, store: &Store<T>) -> Option<Outcome<T>> {
        let item = processor.borrow_mut().take()?;
        let result = item.run(store);
        let (outcome, discarded) = processor.borrow_mut().finish(result);
        drop(discarded);
        Some(outcome)
    }

    /// Takes out the next work item.
    fn take(&mut self) -> Option<WorkItem<T>> {
        let work = match std::mem::replace(&mut self.job, Job::None) {
            Job::None => Work::Apply(self.queue.pop(MAX_BATCH)?),
            job => Work::Continue(job),
        };
        Some(WorkItem { work, initial: !self.has_synced(), restarts: self.restarts })
    }

    /// Records what a work item left to do. Returns, beside the outcome, a job that a restart made obsolete.
    fn finish(&mut self, result: WorkResult<T>) -> (Outcome<T>, Option<Job<T>>) {
        let WorkResult { mut outcome, mut job, applied, replaced, restarts } = result;
        let synced = self.has_synced();
        let mut discarded = None;
        if restarts != self.restarts && !job.outlives_restart() {
            discarded = Some(std::mem::replace(&mut job, Job::None));
        }
        self.job = job;
        if let Some(scope) = replaced {
            self.pending.retain(|pending| pending.scope != scope);
        }
        // A list that was queued object by object is applied once the queue has synced; an atomic list once its job is
        // done.
        if applied && self.queue.has_synced() && matches!(self.job, Job::None) {
            self.pending.retain(|pending| !pending.queued || self.queue.replaces_atomically());
        }
        outcome.synced = !synced && self.has_synced();
        (outcome, discarded)
    }
}

impl<T: Object> Job<T> {
    /// Whether the job has changed the store, so that handlers must still be notified.
    fn outlives_restart(&self) -> bool {
        match self {
            Job::Replacing(replace) => replace.is_stored(),
            Job::Dropping(_) => true,
            Job::None | Job::Syncing(_) => false,
        }
    }
}

/// One step's work, taken out of the processor because the code that it calls may restart the processor.
struct WorkItem<T> {
    work: Work<T>,
    /// Whether the store is not complete yet.
    initial: bool,
    restarts: u32,
}

/// What a step does: apply new deltas, or continue a job.
enum Work<T> {
    Apply(DeltaBatch<T>),
    Continue(Job<T>),
}

/// What a work item did.
struct WorkResult<T> {
    outcome: Outcome<T>,
    /// The rest of the work.
    job: Job<T>,
    /// Whether deltas were popped and applied.
    applied: bool,
    /// The scope of a list whose notifications are all produced.
    replaced: Option<ListScope>,
    restarts: u32,
}

impl<T: Object> WorkItem<T> {
    fn run(self, store: &Store<T>) -> WorkResult<T> {
        let outcome = Outcome { notifications: Vec::new(), stale: Vec::new(), rejected: None, synced: false };
        let mut result =
            WorkResult { outcome, job: Job::None, applied: false, replaced: None, restarts: self.restarts };
        match self.work {
            Work::Apply(batch) => {
                result.applied = true;
                apply(batch, self.initial, store, &mut result);
            }
            Work::Continue(job) => continue_job(job, store, &mut result),
        }
        result
    }
}

/// Does the next part of a job.
fn continue_job<T: Object>(job: Job<T>, store: &Store<T>, result: &mut WorkResult<T>) {
    match job {
        Job::None => {}
        Job::Replacing(mut replace) => match replace.step(MAX_BATCH, store) {
            Some(Step { notifications, stale }) => {
                stale.iter().for_each(|stale| store.notify_waiters(&stale.key, &stale.resource_version, false));
                notifications.iter().for_each(|notification| notify_version_waiters(notification, store));
                result.outcome.notifications = notifications;
                result.outcome.stale = stale;
                result.job = Job::Replacing(replace);
            }
            None => {
                result.replaced = Some(replace.scope().clone());
                result.job = Job::Dropping(replace.into_drop_steps());
            }
        },
        Job::Dropping(mut steps) => {
            if steps.by_ref().take(MAX_BATCH).count() == MAX_BATCH {
                result.job = Job::Dropping(steps);
            }
        }
        Job::Syncing(scanned) => {
            let snapshot = store.snapshot();
            let end = (scanned + MAX_BATCH).min(snapshot.slots());
            let resynced = snapshot.at(scanned..end).map(|(_, object)| sync(Rc::clone(object)));
            result.outcome.notifications = resynced.collect();
            if end < snapshot.slots() {
                result.job = Job::Syncing(end);
            }
        }
    }
}

/// Applies a batch of deltas. An object without a name is rejected.
fn apply<T: Object>(batch: DeltaBatch<T>, initial: bool, store: &Store<T>, result: &mut WorkResult<T>) {
    let (total, mut rejected) = (batch.deltas.len(), 0);
    let notifications = &mut result.outcome.notifications;
    for delta in batch.deltas {
        if delta.key().is_some_and(|key| key.name().is_empty()) {
            rejected += 1;
            continue;
        }
        match delta {
            Delta::Added(object) | Delta::Updated(object) | Delta::Replaced(object) => {
                notifications.push(put(object, initial, store));
            }
            Delta::Sync(object) => notifications.push(sync(object)),
            Delta::Deleted(tombstone) => notifications.extend(delete(tombstone, store)),
            Delta::Stale(stale) => {
                store.notify_waiters(&stale.key, &stale.resource_version, false);
                if let MarkStale::Marked { deleted } = store.mark_stale(&stale) {
                    let key = stale.key.clone();
                    let tombstone = deleted.map(|last| Tombstone::FinalStateUnknown { key, last: Some(last) });
                    notifications.extend(tombstone.map(Notification::Deleted));
                    result.outcome.stale.push(stale);
                }
            }
            Delta::ReplacedAll { scope, list } => {
                let replace = Replace::new(scope, list, initial, &store.read());
                result.job = Job::Replacing(Box::new(replace));
            }
            Delta::SyncAll => result.job = Job::Syncing(0),
            Delta::Bookmark(version) => store.write(|indexer| indexer.bookmark(&version)),
        }
    }
    if rejected > 0 {
        let why = format!("failed to execute ({rejected}/{total}) transactions: object has no name");
        result.outcome.rejected = Some(Error::invalid("store objects", why));
    }
}

/// Stores an object. The notification depends on whether the store had it, not on the kind of delta.
fn put<T: Object>(object: Rc<T>, initial: bool, store: &Store<T>) -> Notification<T> {
    let notification = match store.put(Rc::clone(&object)) {
        Some(old) => Notification::Updated { old, new: object },
        None => Notification::Added { object, initial },
    };
    notify_version_waiters(&notification, store);
    notification
}

/// The notification of a resync.
fn sync<T>(object: Rc<T>) -> Notification<T> {
    Notification::Updated { old: Rc::clone(&object), new: object }
}

/// Deletes an object. Returns no notification if the store did not have it.
fn delete<T: Object>(tombstone: Tombstone<T>, store: &Store<T>) -> Option<Notification<T>> {
    let before = store.delete(&tombstone);
    let known = before.is_some();
    let tombstone = match tombstone {
        Tombstone::FinalStateUnknown { key, last: None } => Tombstone::FinalStateUnknown { key, last: before },
        tombstone => tombstone,
    };
    let notification = Notification::Deleted(tombstone);
    notify_version_waiters(&notification, store);
    known.then_some(notification)
}

/// Wakes [`Store::wait_for`] calls for this change, whether a watch or a list delivered it.
fn notify_version_waiters<T: Object>(notification: &Notification<T>, store: &Store<T>) {
    if !store.has_waiters() {
        return;
    }
    match notification {
        Notification::Added { object, .. } | Notification::Updated { new: object, .. } => {
            store.notify_waiters(&object.key(), object.resource_version(), false);
        }
        Notification::Deleted(tombstone) => store.notify_waiters(&tombstone.key(), "", true),
    }
}

#[cfg(test)]
mod tests;
