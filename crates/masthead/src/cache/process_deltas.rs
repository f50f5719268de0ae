//! From deltas to the state of a store and what is told of that.

use std::{cell::RefCell, rc::Rc};

use super::{
    CompleteList, Delta, DeltaBatch, DeltaQueue, ListScope, Notification, Object, StaleObject, Store, Tombstone,
    replace::{Replace, Step},
    store::Marked,
};
use crate::Error;

/// Takes deltas out of a queue, applies them to a store and says what that changed, a bounded piece at a time.
pub(super) struct DeltaProcessor<T> {
    pub(super) queue: Box<dyn DeltaQueue<T>>,
    job: Job<T>,
    /// How often it was begun anew.
    restarts: u32,
    /// The parts of the collection whose first list is not applied yet; the state is complete when there is none.
    awaited: Vec<Awaited>,
}

/// A part of the collection whose first list is not applied yet.
#[derive(Debug)]
struct Awaited {
    scope: ListScope,
    /// Whether the list is in the queue.
    queued: bool,
}

/// Work that a single delta asks for, too long for one piece.
enum Job<T> {
    None,
    Replacing(Box<Replace<T>>),
    /// Drops what a list took the place of, an object with each step.
    Dropping(Box<dyn Iterator<Item = ()>>),
    /// Everything is to be told again; so many places of the store were looked at.
    Syncing(usize),
}

/// What a piece of work came to.
#[derive(Debug)]
pub(super) struct Outcome<T> {
    pub(super) notifications: Vec<Notification<T>>,
    /// Objects that became stale.
    pub(super) stale: Vec<Rc<StaleObject>>,
    /// Objects that could not be stored.
    pub(super) refused: Option<Error>,
    /// Whether the first list is complete with this.
    pub(super) synced: bool,
}

/// How many objects a piece of work is about, at most: enough to be quick, and few enough for a fraction of a slice.
const PIECE: usize = 128;

impl<T: Object> DeltaProcessor<T> {
    pub(super) fn new(queue: Box<dyn DeltaQueue<T>>, parts: impl IntoIterator<Item = ListScope>) -> DeltaProcessor<T> {
        let awaited = parts.into_iter().map(|scope| Awaited { scope, queued: false }).collect();
        DeltaProcessor { queue, job: Job::None, restarts: 0, awaited }
    }

    /// Puts a complete list into the queue.
    pub(super) fn replace(&mut self, list: CompleteList<T>, scope: &ListScope, store: &Store<T>) {
        self.queue.replace(list, scope, &*store.read());
        self.awaited.iter_mut().filter(|awaited| awaited.scope == *scope).for_each(|awaited| awaited.queued = true);
    }

    /// Whether no list of this part came yet.
    pub(super) fn awaits_first(&self, scope: &ListScope) -> bool {
        self.awaited.iter().any(|awaited| awaited.scope == *scope && !awaited.queued)
    }

    pub(super) fn has_synced(&self) -> bool {
        self.awaited.is_empty()
    }

    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty() && matches!(self.job, Job::None)
    }

    /// Forgets what waits, so that another reflector can begin. What the store has already is told to the end.
    ///
    /// Gives back what is to be dropped when nothing is borrowed.
    pub(super) fn restart(&mut self, queue: Box<dyn DeltaQueue<T>>) -> impl Sized + use<T> {
        self.restarts += 1;
        self.awaited.iter_mut().for_each(|awaited| awaited.queued = false);
        let job = if self.job.outlives_restart() { None } else { Some(std::mem::replace(&mut self.job, Job::None)) };
        (std::mem::replace(&mut self.queue, queue), job)
    }

    /// Does the next piece of work; `None` when there is none. Nothing is borrowed while objects are indexed.
    pub(super) fn step(processor: &RefCell<DeltaProcessor<T>>, store: &Store<T>) -> Option<Outcome<T>> {
        let piece = processor.borrow_mut().take()?;
        let done = piece.work(store);
        let (outcome, forgotten) = processor.borrow_mut().finish(done);
        drop(forgotten);
        Some(outcome)
    }

    fn take(&mut self) -> Option<Piece<T>> {
        let work = match std::mem::replace(&mut self.job, Job::None) {
            Job::None => Work::Apply(self.queue.pop(PIECE)?),
            job => Work::GoOn(job),
        };
        Some(Piece { work, initial: !self.has_synced(), restarts: self.restarts })
    }

    /// Notes what a piece of work left to do; gives back what nobody needs.
    fn finish(&mut self, done: Done<T>) -> (Outcome<T>, Option<Job<T>>) {
        let Done { mut outcome, mut job, applied, replaced, restarts } = done;
        let synced = self.has_synced();
        let mut forgotten = None;
        if restarts != self.restarts && !job.outlives_restart() {
            forgotten = Some(std::mem::replace(&mut job, Job::None));
        }
        self.job = job;
        if let Some(scope) = replaced {
            self.awaited.retain(|awaited| awaited.scope != scope);
        }
        // A list that came apart is applied when the queue says so; one in one piece when its job is done.
        if applied && self.queue.has_synced() && matches!(self.job, Job::None) {
            self.awaited.retain(|awaited| !awaited.queued || self.queue.lists_whole());
        }
        outcome.synced = !synced && self.has_synced();
        (outcome, forgotten)
    }
}

impl<T: Object> Job<T> {
    /// Whether the store has changed already, so that others must be told of it.
    fn outlives_restart(&self) -> bool {
        match self {
            Job::Replacing(replacement) => replacement.is_stored(),
            Job::Dropping(_) => true,
            Job::None | Job::Syncing(_) => false,
        }
    }
}

/// A piece of work, apart from its processor: what it calls may begin the processor anew.
struct Piece<T> {
    work: Work<T>,
    /// Whether the first list is not complete.
    initial: bool,
    restarts: u32,
}

enum Work<T> {
    Apply(DeltaBatch<T>),
    GoOn(Job<T>),
}

/// A piece of work that was done.
struct Done<T> {
    outcome: Outcome<T>,
    /// What is left to do.
    job: Job<T>,
    /// Whether deltas of the queue were applied.
    applied: bool,
    /// What a list is complete for of which all was told.
    replaced: Option<ListScope>,
    restarts: u32,
}

impl<T: Object> Piece<T> {
    fn work(self, store: &Store<T>) -> Done<T> {
        let outcome = Outcome { notifications: Vec::new(), stale: Vec::new(), refused: None, synced: false };
        let mut done = Done { outcome, job: Job::None, applied: false, replaced: None, restarts: self.restarts };
        match self.work {
            Work::Apply(batch) => {
                done.applied = true;
                apply(batch, self.initial, store, &mut done);
            }
            Work::GoOn(job) => go_on(job, store, &mut done),
        }
        done
    }
}

fn go_on<T: Object>(job: Job<T>, store: &Store<T>, done: &mut Done<T>) {
    match job {
        Job::None => {}
        Job::Replacing(mut replacement) => match replacement.step(PIECE, store) {
            Some(Step { notifications, stale }) => {
                notifications.iter().for_each(|notification| tell_writers(notification, store));
                done.outcome.notifications = notifications;
                done.outcome.stale = stale;
                done.job = Job::Replacing(replacement);
            }
            None => {
                done.replaced = Some(replacement.scope().clone());
                done.job = Job::Dropping(replacement.into_parts());
            }
        },
        Job::Dropping(mut parts) => {
            if parts.by_ref().take(PIECE).count() == PIECE {
                done.job = Job::Dropping(parts);
            }
        }
        Job::Syncing(looked) => {
            let present = store.snapshot();
            let upto = (looked + PIECE).min(present.places());
            let told = present.at(looked..upto).map(|(_, object)| sync(Rc::clone(object)));
            done.outcome.notifications = told.collect();
            if upto < present.places() {
                done.job = Job::Syncing(upto);
            }
        }
    }
}

fn apply<T: Object>(batch: DeltaBatch<T>, initial: bool, store: &Store<T>, done: &mut Done<T>) {
    let (many, mut refused) = (batch.deltas.len(), 0);
    let notifications = &mut done.outcome.notifications;
    for delta in batch.deltas {
        if delta.key().is_some_and(|key| key.name().is_empty()) {
            refused += 1;
            continue;
        }
        match delta {
            Delta::Added(object) | Delta::Updated(object) | Delta::Replaced(object) => {
                notifications.push(put(object, initial, store));
            }
            Delta::Sync(object) => notifications.push(sync(object)),
            Delta::Deleted(tombstone) => notifications.extend(delete(tombstone, store)),
            Delta::Stale(stale) => {
                if let Marked::Stale { gone } = store.mark_stale(&stale) {
                    let key = stale.key.clone();
                    let tombstone = gone.map(|last| Tombstone::FinalStateUnknown { key, last: Some(last) });
                    notifications.extend(tombstone.map(Notification::Deleted));
                    done.outcome.stale.push(stale);
                }
            }
            Delta::ReplacedAll { scope, list } => {
                let replacement = Replace::new(scope, list, initial, &store.read());
                done.job = Job::Replacing(Box::new(replacement));
            }
            Delta::SyncAll => done.job = Job::Syncing(0),
            Delta::Bookmark(version) => store.write(|indexer| indexer.bookmark(&version)),
        }
    }
    if refused > 0 {
        let why = format!("failed to execute ({refused}/{many}) transactions: an object without a name");
        done.outcome.refused = Some(Error::invalid("store objects", why));
    }
}

fn put<T: Object>(object: Rc<T>, initial: bool, store: &Store<T>) -> Notification<T> {
    let notification = match store.put(Rc::clone(&object)) {
        Some(old) => Notification::Updated { old, new: object },
        None => Notification::Added { object, initial },
    };
    tell_writers(&notification, store);
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
    tell_writers(&notification, store);
    known.then_some(notification)
}

/// Tells those who wait for their own write, whether it came by a watch or in a list.
fn tell_writers<T: Object>(notification: &Notification<T>, store: &Store<T>) {
    if !store.is_awaited() {
        return;
    }
    match notification {
        Notification::Added { object, .. } | Notification::Updated { new: object, .. } => {
            store.passed(&object.key(), object.resource_version(), false);
        }
        Notification::Deleted(tombstone) => store.passed(&tombstone.key(), "", true),
    }
}

#[cfg(test)]
mod tests;
