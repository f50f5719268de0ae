//! A list that becomes the state of a store, in pieces that are short and a step that is whole.

use std::rc::Rc;

use super::{
    CompleteList, Indexer, ListScope, Notification, Object, ObjectKey, StaleObject, Store, Tombstone,
    delta::CachedState,
};

/// Makes a list the state of a store.
///
/// The new state is built beside the old one, piece by piece; then the two change slots, so that a reader sees the one or
/// the other and never a mixture; then what changed is told, piece by piece: first what went, then the list in its order.
/// The old state ends in pieces too: to drop a hundred thousand objects takes a while.
///
/// An item that could not be decoded leaves the entry of its object as it was, marked as stale.
#[derive(Debug)]
pub(super) struct Replace<T> {
    phase: Phase<T>,
    scope: ListScope,
    list: CompleteList<T>,
    /// Whether this is the first list.
    initial: bool,
}

#[derive(Debug)]
enum Phase<T> {
    /// So limit objects of the list are in the new state.
    Building(Indexer<T>, usize),
    /// So limit items that could not be decoded are marked in the new state.
    Marking(Indexer<T>, usize),
    /// What the list says nothing of moves to the new state; so limit slots of the old one were scanned at.
    Retaining(Indexer<T>, usize),
    /// The old state, and how limit slots of it were compared with the new one.
    NotifyingDeleted { old: Indexer<T>, compared: usize },
    /// The old state, and how limit objects of the list were told.
    NotifyingListed { old: Indexer<T>, notified: usize },
    /// The old state, and how limit marks were told.
    NotifyingStale { old: Indexer<T>, notified: usize },
}

/// What is to be told after a step.
#[derive(Debug)]
pub(super) struct Step<T> {
    pub(super) notifications: Vec<Notification<T>>,
    pub(super) stale: Vec<Rc<StaleObject>>,
}

impl<T: Object> Replace<T> {
    /// A list that is complete for `scope`; `present` is the state before it.
    pub(super) fn new(scope: ListScope, list: CompleteList<T>, initial: bool, current: &Indexer<T>) -> Replace<T> {
        let new = current.empty_copy(list.objects.len());
        Replace { phase: Phase::Building(new, 0), scope, list, initial }
    }

    /// What it is complete for.
    pub(super) fn scope(&self) -> &ListScope {
        &self.scope
    }

    /// Whether the list is the state of the store already.
    pub(super) fn is_stored(&self) -> bool {
        matches!(
            self.phase,
            Phase::NotifyingDeleted { .. } | Phase::NotifyingListed { .. } | Phase::NotifyingStale { .. }
        )
    }

    /// Goes on for at most `limit` objects; gives back what is to be told, and `None` once all was.
    ///
    /// The store is not borrowed while objects are indexed.
    pub(super) fn step(&mut self, limit: usize, store: &Store<T>) -> Option<Step<T>> {
        if self.is_stored() {
            return self.notify(limit, store);
        }
        self.build(limit, store);
        Some(Step { notifications: Vec::new(), stale: Vec::new() })
    }

    /// Builds the new state, and makes it that of the store when it is complete.
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

    /// Tells what changed.
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

    /// Moves the marks that the list says nothing of to the new state; the next phase, which does so with objects.
    fn retain_stale_marks(&self, mut new: Indexer<T>, store: &Store<T>) -> Phase<T> {
        if self.scope == ListScope::All && self.list.stale.is_empty() && self.list.unidentified.is_none() {
            return self.swap(new, store);
        }
        for stale in store.read().stale_objects() {
            let unidentified = self.list.unidentified.is_some() && new.get(&stale.key).is_none();
            if (!self.scope.contains(&stale.key) || unidentified) && new.stale_object(&stale.key).is_none() {
                new.mark_stale(Rc::clone(stale));
            }
        }
        Phase::Retaining(new, 0)
    }

    /// Makes the new state that of the store.
    fn swap(&self, mut new: Indexer<T>, store: &Store<T>) -> Phase<T> {
        new.bookmark(&self.list.resource_version);
        Phase::NotifyingDeleted { old: store.swap(new), compared: 0 }
    }

    /// Drops what is left once all was told, an object with each step of the iterator.
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

/// Moves an object of the old state to the new one, unless the list has it or says that it is gone.
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
    // What is stored is not stale: the mark follows.
    new.put(Rc::clone(object));
    if let Some(mark) = mark {
        new.mark_stale(mark);
    }
}

/// What a listed object is after the old state; nothing if it was told of already.
fn listed_notification<T: Object>(old: &Indexer<T>, object: &Rc<T>, initial: bool) -> Option<Notification<T>> {
    match old.get(&object.key()) {
        Some(before) if Rc::ptr_eq(before, object) => None,
        Some(before) => Some(Notification::Updated { old: Rc::clone(before), new: Rc::clone(object) }),
        None => Some(Notification::Added { object: Rc::clone(object), initial }),
    }
}
