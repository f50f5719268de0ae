//! Replaces the content of a store with a list: built in small steps, visible in one.

use std::rc::Rc;

use super::{
    CompleteList, Indexer, ListScope, Notification, Object, ObjectKey, StaleObject, Store, Tombstone,
    delta::CachedState,
};

/// Makes a list the content of a store, in steps of bounded size.
///
/// 1. Build a new indexer beside the current one.
/// 2. Swap the two. A reader sees the old or the new content, never a mixture.
/// 3. Produce the notifications: first the deletions, then the list in its order.
///
/// The caller then drops the old content in steps as well ([`into_drop_steps`](Self::into_drop_steps)): to drop a
/// hundred thousand objects at once would block the page.
///
/// An item that could not be decoded leaves the stored state of its object as it was, marked as stale.
#[derive(Debug)]
pub(super) struct Replace<T> {
    phase: Phase<T>,
    scope: ListScope,
    list: CompleteList<T>,
    /// Whether the store has not synced yet, so that new objects are part of the initial list.
    initial: bool,
}

/// What the next step does. `new` and `old` are the content after and before the list.
#[derive(Debug)]
enum Phase<T> {
    /// Adds the objects of the list to the new content. The number of objects added.
    Building(Indexer<T>, usize),
    /// Marks undecodable items as stale in the new content. The number of marks added.
    Marking(Indexer<T>, usize),
    /// Copies the objects that the list does not cover into the new content. The number of slots of the store scanned.
    Retaining(Indexer<T>, usize),
    /// The contents are swapped. Produces deletions; `compared` is the number of slots of `old` done.
    NotifyingDeleted { old: Indexer<T>, compared: usize },
    /// Produces additions and updates; `notified` is the number of listed objects done.
    NotifyingListed { old: Indexer<T>, notified: usize },
    /// Reports stale objects; `notified` is the number of undecodable items done.
    NotifyingStale { old: Indexer<T>, notified: usize },
}

/// The result of one step.
#[derive(Debug)]
pub(super) struct Step<T> {
    /// The changes to notify handlers of, in order.
    pub(super) notifications: Vec<Notification<T>>,
    /// The objects that became stale.
    pub(super) stale: Vec<Rc<StaleObject>>,
}

impl<T: Object> Replace<T> {
    /// Prepares to replace the part `scope` of `current` with `list`.
    pub(super) fn new(scope: ListScope, list: CompleteList<T>, initial: bool, current: &Indexer<T>) -> Replace<T> {
        let new = current.empty_copy(list.objects.len());
        Replace { phase: Phase::Building(new, 0), scope, list, initial }
    }

    /// The part of the collection that the list covers.
    pub(super) fn scope(&self) -> &ListScope {
        &self.scope
    }

    /// Whether the store has the content of the list already.
    pub(super) fn is_stored(&self) -> bool {
        matches!(
            self.phase,
            Phase::NotifyingDeleted { .. } | Phase::NotifyingListed { .. } | Phase::NotifyingStale { .. }
        )
    }

    /// Handles at most `limit` objects. Returns the notifications of this step, or `None` once everything is done.
    ///
    /// The store is not borrowed while index functions run.
    pub(super) fn step(&mut self, limit: usize, store: &Store<T>) -> Option<Step<T>> {
        if self.is_stored() {
            return self.notify(limit, store);
        }
        self.build(limit, store);
        Some(Step { notifications: Vec::new(), stale: Vec::new() })
    }

    /// Builds the new content, and swaps it in when it is complete.
    fn build(&mut self, limit: usize, store: &Store<T>) {
        match &mut self.phase {
            Phase::Building(new, done) => {
                let end = (*done + limit).min(self.list.objects.len());
                for object in &self.list.objects[*done..end] {
                    new.put(Rc::clone(object));
                }
                *done = end;
                if *done == self.list.objects.len() {
                    self.phase = Phase::Marking(std::mem::take(new), 0);
                }
            }
            Phase::Marking(new, done) => {
                let end = (*done + limit).min(self.list.stale.len());
                for stale in &self.list.stale[*done..end] {
                    new.mark_stale(Rc::clone(stale));
                }
                *done = end;
                if *done == self.list.stale.len() {
                    let new = std::mem::take(new);
                    self.phase = self.retain_stale_marks(new, store);
                }
            }
            Phase::Retaining(new, scanned) => {
                let current = store.snapshot();
                let end = (*scanned + limit).min(current.slots());
                for (key, object) in current.at(*scanned..end) {
                    retain_object(new, &self.scope, &self.list, (key, object), store);
                }
                *scanned = end;
                if end == current.slots() {
                    drop(current);
                    let new = std::mem::take(new);
                    self.phase = self.swap(new, store);
                }
            }
            Phase::NotifyingDeleted { .. } | Phase::NotifyingListed { .. } | Phase::NotifyingStale { .. } => {}
        }
    }

    /// Produces the next notifications.
    fn notify(&mut self, limit: usize, store: &Store<T>) -> Option<Step<T>> {
        let mut step = Step { notifications: Vec::new(), stale: Vec::new() };
        match &mut self.phase {
            Phase::Building(..) | Phase::Marking(..) | Phase::Retaining(..) => {}
            Phase::NotifyingDeleted { old, compared } => {
                let before = old.snapshot();
                let end = (*compared + limit).min(before.slots());
                let deleted = before.at(*compared..end).filter(|(key, _)| store.get(key).is_none());
                step.notifications.extend(deleted.map(|(key, last)| {
                    let (key, last) = (key.clone(), Some(Rc::clone(last)));
                    Notification::Deleted(Tombstone::FinalStateUnknown { key, last })
                }));
                *compared = end;
                if end == before.slots() {
                    drop(before);
                    self.phase = Phase::NotifyingListed { old: std::mem::take(old), notified: 0 };
                }
            }
            Phase::NotifyingListed { old, notified } if *notified == self.list.objects.len() => {
                self.phase = Phase::NotifyingStale { old: std::mem::take(old), notified: 0 };
            }
            Phase::NotifyingListed { old, notified } => {
                let end = (*notified + limit).min(self.list.objects.len());
                let listed = &self.list.objects[*notified..end];
                step.notifications
                    .extend(listed.iter().filter_map(|object| listed_notification(old, object, self.initial)));
                *notified = end;
            }
            Phase::NotifyingStale { notified, .. } if *notified == self.list.stale.len() => return None,
            Phase::NotifyingStale { notified, .. } => {
                let end = (*notified + limit).min(self.list.stale.len());
                let stale = self.list.stale[*notified..end].iter();
                step.stale.extend(stale.filter(|stale| store.stale_object(&stale.key).is_some()).cloned());
                *notified = end;
            }
        }
        Some(step)
    }

    /// Copies the stale marks that the list does not cover into the new content. Returns the next phase.
    fn retain_stale_marks(&self, mut new: Indexer<T>, store: &Store<T>) -> Phase<T> {
        if self.scope == ListScope::All && self.list.stale.is_empty() && self.list.unidentified.is_none() {
            return self.swap(new, store);
        }
        let has_others = self.scope != ListScope::All || self.list.unidentified.is_some();
        for stale in store.read().stale_objects().filter(|_| has_others) {
            let unidentified = self.list.unidentified.is_some() && new.get(&stale.key).is_none();
            if (!self.scope.contains(&stale.key) || unidentified) && new.stale_object(&stale.key).is_none() {
                new.mark_stale(Rc::clone(stale));
            }
        }
        Phase::Retaining(new, 0)
    }

    /// Makes the new content that of the store. Returns the next phase.
    fn swap(&self, mut new: Indexer<T>, store: &Store<T>) -> Phase<T> {
        new.bookmark(&self.list.resource_version);
        Phase::NotifyingDeleted { old: store.swap(new), compared: 0 }
    }

    /// Drops what is left, one object per item of the iterator.
    pub(super) fn into_drop_steps(self) -> Box<dyn Iterator<Item = ()>> {
        let CompleteList { objects, stale, .. } = self.list;
        let listed = objects.into_iter().map(drop).chain(stale.into_iter().map(drop));
        match self.phase {
            Phase::Retaining(state, _)
            | Phase::Building(state, _)
            | Phase::Marking(state, _)
            | Phase::NotifyingDeleted { old: state, .. }
            | Phase::NotifyingListed { old: state, .. }
            | Phase::NotifyingStale { old: state, .. } => Box::new(state.into_drop_steps().chain(listed)),
        }
    }
}

/// Copies an object of the old content into the new one, unless the list contains it or implies its deletion.
fn retain_object<T: Object>(
    new: &mut Indexer<T>,
    scope: &ListScope,
    list: &CompleteList<T>,
    (key, object): (&ObjectKey, &Rc<T>),
    store: &Store<T>,
) {
    if new.get(key).is_some() {
        return;
    }
    let mark = match (new.stale_object(key), &list.unidentified) {
        _ if !scope.contains(key) => store.stale_object(key),
        (Some(stale), _) => match stale.compare(&**object) {
            CachedState::Outdated => Some(Rc::clone(stale)),
            CachedState::Current => None,
            CachedState::OtherObject => return,
        },
        (None, Some(error)) => Some(Rc::new(StaleObject {
            key: key.clone(),
            uid: object.uid().to_owned(),
            resource_version: String::new(),
            error: error.clone(),
        })),
        (None, None) => return,
    };
    // `put` removes a stale mark, so the mark comes second.
    new.put(Rc::clone(object));
    if let Some(mark) = mark {
        new.mark_stale(mark);
    }
}

/// The notification for a listed object; `None` if handlers were notified of this very state while the list was read.
fn listed_notification<T: Object>(old: &Indexer<T>, object: &Rc<T>, initial: bool) -> Option<Notification<T>> {
    match old.get(&object.key()) {
        Some(before) if Rc::ptr_eq(before, object) => None,
        Some(before) => Some(Notification::Updated { old: Rc::clone(before), new: Rc::clone(object) }),
        None => Some(Notification::Added { object: Rc::clone(object), initial }),
    }
}
