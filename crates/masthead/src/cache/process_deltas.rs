//! From deltas to the state of a store and what is told of that.

use std::{cell::RefCell, rc::Rc};

use super::{
    CompleteList, Delta, DeltaBatch, DeltaQueue, ListScope, Notification, Object, StaleObject, Store, Tombstone,
    replace::{Replace, Step},
    store::MarkStale,
};
use crate::Error;

/// Takes deltas out of a queue, applies them to a store and says what that changed, a bounded piece at a time.
pub(super) struct DeltaProcessor<T> {
    pub(super) queue: Box<dyn DeltaQueue<T>>,
    job: Job<T>,
    /// How often it was begun anew.
    restarts: u32,
    /// The parts of the collection whose first list is not applied yet; the state is complete when there is none.
    pending: Vec<PendingScope>,
}

/// A part of the collection whose first list is not applied yet.
#[derive(Debug)]
struct PendingScope {
    scope: ListScope,
    /// Whether the list is in the queue.
    queued: bool,
}

/// Work that a single delta asks for, too long for one piece.
enum Job<T> {
    None,
    Replacing(Box<Replace<T>>),
    /// Drops what a list took the slot of, an object with each step.
    Dropping(Box<dyn Iterator<Item = ()>>),
    /// Everything is to be told again; so many slots of the store were scanned at.
    Syncing(usize),
}

/// What a piece of work came to.
#[derive(Debug)]
pub(super) struct Outcome<T> {
    pub(super) notifications: Vec<Notification<T>>,
    /// Objects that became stale.
    pub(super) stale: Vec<Rc<StaleObject>>,
    /// Objects that could not be stored.
    pub(super) rejected: Option<Error>,
    /// Whether the first list is complete with this.
    pub(super) synced: bool,
}

/// How many objects a piece of work is about, at most: enough to be quick, and few enough for a fraction of a slice.
const MAX_BATCH: usize = 128;

impl<T: Object> DeltaProcessor<T> {
    pub(super) fn new(queue: Box<dyn DeltaQueue<T>>, scopes: impl IntoIterator<Item = ListScope>) -> DeltaProcessor<T> {
        let pending = scopes.into_iter().map(|scope| PendingScope { scope, queued: false }).collect();
        DeltaProcessor { queue, job: Job::None, restarts: 0, pending }
    }

    /// Puts a complete list into the queue.
    pub(super) fn replace(&mut self, list: CompleteList<T>, scope: &ListScope, store: &Store<T>) {
        self.queue.replace(list, scope, &*store.read());
        self.pending.iter_mut().filter(|pending| pending.scope == *scope).for_each(|pending| pending.queued = true);
    }

    /// Whether no list of this part came yet.
    pub(super) fn is_first_list_pending(&self, scope: &ListScope) -> bool {
        self.pending.iter().any(|pending| pending.scope == *scope && !pending.queued)
    }

    pub(super) fn has_synced(&self) -> bool {
        self.pending.is_empty()
    }

    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty() && matches!(self.job, Job::None)
    }

    /// Forgets what waits, so that another reflector can begin. What the store has already is told to the end.
    ///
    /// Gives back what is to be dropped when nothing is borrowed.
    pub(super) fn restart(&mut self, queue: Box<dyn DeltaQueue<T>>) -> impl Sized + use<T> {
        self.restarts += 1;
        self.pending.iter_mut().for_each(|pending| pending.queued = false);
        let job = if self.job.outlives_restart() { None } else { Some(std::mem::replace(&mut self.job, Job::None)) };
        (std::mem::replace(&mut self.queue, queue), job)
    }

    /// Does the next piece of work; `None` when there is none. Nothing is borrowed while objects are indexed.
    pub(super) fn step(processor: &RefCell<DeltaProcessor<T>>, store: &Store<T>) -> Option<Outcome<T>> {
        let item = processor.borrow_mut().take()?;
        let result = item.run(store);
        let (outcome, discarded) = processor.borrow_mut().finish(result);
        drop(discarded);
        Some(outcome)
    }

    fn take(&mut self) -> Option<WorkItem<T>> {
        let work = match std::mem::replace(&mut self.job, Job::None) {
            Job::None => Work::Apply(self.queue.pop(MAX_BATCH)?),
            job => Work::Continue(job),
        };
        Some(WorkItem { work, initial: !self.has_synced(), restarts: self.restarts })
    }

    /// Notes what a piece of work left to do; gives back what nobody needs.
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
        // A list that came apart is applied when the queue says so; one in one piece when its job is done.
        if applied && self.queue.has_synced() && matches!(self.job, Job::None) {
            self.pending.retain(|pending| !pending.queued || self.queue.replaces_atomically());
        }
        outcome.synced = !synced && self.has_synced();
        (outcome, discarded)
    }
}

impl<T: Object> Job<T> {
    /// Whether the store has changed already, so that others must be told of it.
    fn outlives_restart(&self) -> bool {
        match self {
            Job::Replacing(replace) => replace.is_stored(),
            Job::Dropping(_) => true,
            Job::None | Job::Syncing(_) => false,
        }
    }
}

/// A piece of work, apart from its processor: what it calls may begin the processor anew.
struct WorkItem<T> {
    work: Work<T>,
    /// Whether the first list is not complete.
    initial: bool,
    restarts: u32,
}

enum Work<T> {
    Apply(DeltaBatch<T>),
    Continue(Job<T>),
}

/// A piece of work that was done.
struct WorkResult<T> {
    outcome: Outcome<T>,
    /// What is left to do.
    job: Job<T>,
    /// Whether deltas of the queue were applied.
    applied: bool,
    /// What a list is complete for of which all was told.
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

fn continue_job<T: Object>(job: Job<T>, store: &Store<T>, result: &mut WorkResult<T>) {
    match job {
        Job::None => {}
        Job::Replacing(mut replace) => match replace.step(MAX_BATCH, store) {
            Some(Step { notifications, stale }) => {
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
        let why = format!("failed to execute ({rejected}/{total}) transactions: an object without a name");
        result.outcome.rejected = Some(Error::invalid("store objects", why));
    }
}

fn put<T: Object>(object: Rc<T>, initial: bool, store: &Store<T>) -> Notification<T> {
    let notification = match store.put(Rc::clone(&object)) {
        Some(old) => Notification::Updated { old, new: object },
        None => Notification::Added { object, initial },
    };
    notify_version_waiters(&notification, store);
    notification
}

fn sync<T>(object: Rc<T>) -> Notification<T> {
    Notification::Updated { old: Rc::clone(&object), new: object }
}

/// Takes an object out. The end of what was never here is not told.
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

/// Tells those who wait for their own write, whether it came by a watch or in a list.
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
