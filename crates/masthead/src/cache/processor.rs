//! From deltas to the state of a store and what is told of that.

use std::rc::Rc;

use super::{Batch, Delta, Notification, Object, ObjectKey, Queue, Scope, Store, Tombstone, replacement::Replacement};
use crate::Error;

/// Takes deltas out of a queue, applies them to a store and says what that changed, a bounded piece at a time.
pub(super) struct Processor<T> {
    pub(super) queue: Box<dyn Queue<T>>,
    job: Job<T>,
    /// The parts of the collection whose first list is not applied yet; the state is complete when there is none.
    awaited: Vec<Awaited>,
}

/// A part of the collection whose first list is not applied yet.
#[derive(Debug)]
struct Awaited {
    scope: Scope,
    /// Whether the list is in the queue.
    queued: bool,
}

/// Work that a single delta asks for, too long for one piece.
enum Job<T> {
    None,
    Replacing(Box<Replacement<T>>),
    /// The keys that are to be told again, last first.
    Syncing(Vec<ObjectKey>),
}

/// What a piece of work came to.
#[derive(Debug)]
pub(super) struct Outcome<T> {
    pub(super) notifications: Vec<Notification<T>>,
    /// Objects that could not be stored.
    pub(super) refused: Option<Error>,
    /// Whether the first list is complete with this.
    pub(super) synced: bool,
}

/// How many objects a piece of work is about, at most: enough to be quick, and few enough for a fraction of a slice.
const PIECE: usize = 128;

impl<T: Object> Processor<T> {
    pub(super) fn new(queue: Box<dyn Queue<T>>, parts: impl IntoIterator<Item = Scope>) -> Processor<T> {
        let awaited = parts.into_iter().map(|scope| Awaited { scope, queued: false }).collect();
        Processor { queue, job: Job::None, awaited }
    }

    /// Puts a complete list into the queue.
    pub(super) fn replace(&mut self, objects: Vec<Rc<T>>, resource_version: &str, scope: &Scope, store: &Store<T>) {
        self.queue.replace(objects, resource_version, scope, &*store.read());
        self.awaited.iter_mut().filter(|awaited| awaited.scope == *scope).for_each(|awaited| awaited.queued = true);
    }

    /// Whether no list of this part came yet.
    pub(super) fn awaits_first(&self, scope: &Scope) -> bool {
        self.awaited.iter().any(|awaited| awaited.scope == *scope && !awaited.queued)
    }

    pub(super) fn has_synced(&self) -> bool {
        self.awaited.is_empty()
    }

    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty() && matches!(self.job, Job::None)
    }

    /// Forgets what waits, so that another reflector can begin.
    pub(super) fn restart(&mut self, queue: Box<dyn Queue<T>>) {
        self.queue = queue;
        self.job = Job::None;
        self.awaited.iter_mut().for_each(|awaited| awaited.queued = false);
    }

    /// Does the next piece of work; `None` when there is none.
    pub(super) fn step(&mut self, store: &Store<T>) -> Option<Outcome<T>> {
        let synced = self.has_synced();
        let mut outcome = Outcome { notifications: Vec::new(), refused: None, synced: false };
        match &mut self.job {
            Job::Replacing(replacement) => match store.write(|indexer| replacement.step(PIECE, indexer)) {
                Some(notifications) => {
                    notifications.iter().for_each(|notification| tell_writers(notification, store));
                    outcome.notifications = notifications;
                }
                None => {
                    let scope = replacement.scope();
                    self.awaited.retain(|awaited| awaited.scope != *scope);
                    self.job = Job::None;
                }
            },
            Job::Syncing(keys) => {
                let left = keys.len().saturating_sub(PIECE);
                let told = keys.drain(left..).rev().filter_map(|key| store.get(&key));
                outcome.notifications =
                    told.map(|object| Notification::Updated { old: Rc::clone(&object), new: object }).collect();
                if keys.is_empty() {
                    self.job = Job::None;
                }
            }
            Job::None => {
                let batch = self.queue.pop(PIECE)?;
                self.apply(batch, store, &mut outcome);
                // A list that came apart is applied when the queue says so; one in one piece when its job is done.
                if self.queue.has_synced() && matches!(self.job, Job::None) {
                    self.awaited.retain(|awaited| !awaited.queued || self.queue.lists_whole());
                }
            }
        }
        outcome.synced = !synced && self.has_synced();
        Some(outcome)
    }

    fn apply(&mut self, batch: Batch<T>, store: &Store<T>, outcome: &mut Outcome<T>) {
        let (many, mut refused) = (batch.deltas.len(), Vec::new());
        for delta in batch.deltas {
            let nameless = delta.key().is_some_and(|key| key.name().is_empty());
            match delta {
                delta if nameless => refused.push(delta),
                Delta::Added(object) | Delta::Updated(object) | Delta::Replaced(object) => {
                    outcome.notifications.push(self.put(object, store));
                }
                Delta::Sync(object) => {
                    outcome.notifications.push(Notification::Updated { old: Rc::clone(&object), new: object });
                }
                Delta::Deleted(tombstone) => outcome.notifications.extend(delete(tombstone, store)),
                Delta::ReplacedAll { scope, resource_version, objects } => {
                    let initial = !self.has_synced();
                    let present = store.read();
                    let replacement = Replacement::new(scope, objects, resource_version, initial, &present);
                    self.job = Job::Replacing(Box::new(replacement));
                }
                Delta::SyncAll => {
                    let mut keys = store.keys();
                    keys.reverse();
                    self.job = Job::Syncing(keys);
                }
                Delta::Bookmark(version) => store.write(|indexer| indexer.bookmark(&version)),
            }
        }
        if !refused.is_empty() {
            let why = format!("failed to execute ({}/{many}) transactions: an object without a name", refused.len());
            outcome.refused = Some(Error::invalid("store objects", why));
        }
    }

    fn put(&self, object: Rc<T>, store: &Store<T>) -> Notification<T> {
        let before = store.write(|indexer| indexer.put(Rc::clone(&object)));
        let notification = match before {
            Some(old) => Notification::Updated { old, new: object },
            None => Notification::Added { object, initial: !self.has_synced() },
        };
        tell_writers(&notification, store);
        notification
    }
}

/// Takes an object out. The end of what was never here is not told.
fn delete<T: Object>(tombstone: Tombstone<T>, store: &Store<T>) -> Option<Notification<T>> {
    let before = store.write(|indexer| indexer.delete_last(&tombstone));
    let notification = Notification::Deleted(tombstone);
    tell_writers(&notification, store);
    before.map(|_| notification)
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
