//! A list that becomes the state of a store, in pieces that are short and a step that is whole.

use std::rc::Rc;

use super::{Indexer, Notification, Object, Scope, Store, Tombstone};

/// Makes a list the state of a store.
///
/// The new state is built beside the old one, piece by piece; then the two change places, so that a reader sees the one or
/// the other and never a mixture; then what changed is told, piece by piece: first what went, then the list in its order.
/// The old state ends in pieces too: to drop a hundred thousand objects takes a while.
#[derive(Debug)]
pub(super) struct Replacement<T> {
    phase: Phase<T>,
    scope: Scope,
    objects: Vec<Rc<T>>,
    version: String,
    /// Whether this is the first list.
    initial: bool,
}

#[derive(Debug)]
enum Phase<T> {
    /// What is outside the scope moves to the new state; so many places of the old one were looked at.
    Keeping(Indexer<T>, usize),
    /// So many objects of the list are in the new state.
    Building(Indexer<T>, usize),
    /// The old state, and how many places of it were compared with the new one.
    TellingGone { old: Indexer<T>, compared: usize },
    /// The old state, and how many objects of the list were told.
    TellingListed { old: Indexer<T>, told: usize },
}

impl<T: Object> Replacement<T> {
    /// A list that is complete for `scope`; `present` is the state before it.
    pub(super) fn new(
        scope: Scope,
        objects: Vec<Rc<T>>,
        version: String,
        initial: bool,
        present: &Indexer<T>,
    ) -> Replacement<T> {
        let new = present.emptied();
        let phase = if scope == Scope::All { Phase::Building(new, 0) } else { Phase::Keeping(new, 0) };
        Replacement { phase, scope, objects, version, initial }
    }

    /// What it is complete for.
    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Whether the list is the state of the store already.
    pub(super) fn is_stored(&self) -> bool {
        matches!(self.phase, Phase::TellingGone { .. } | Phase::TellingListed { .. })
    }

    /// Goes on for at most `many` objects; gives back what is to be told, and `None` once all was.
    ///
    /// The store is not borrowed while objects are indexed.
    pub(super) fn step(&mut self, many: usize, store: &Store<T>) -> Option<Vec<Notification<T>>> {
        let mut told = Vec::new();
        match &mut self.phase {
            Phase::Keeping(new, looked) => {
                let present = store.snapshot();
                let upto = (*looked + many).min(present.places());
                let others = present.at(*looked..upto).filter(|(key, _)| !self.scope.holds(key));
                others.for_each(|(_, object)| drop(new.put(Rc::clone(object))));
                *looked = upto;
                if upto == present.places() {
                    self.phase = Phase::Building(std::mem::take(new), 0);
                }
            }
            Phase::Building(new, done) => {
                let upto = (*done + many).min(self.objects.len());
                for object in &self.objects[*done..upto] {
                    new.put(Rc::clone(object));
                }
                *done = upto;
                if *done == self.objects.len() {
                    new.bookmark(&self.version);
                    let old = store.exchange(std::mem::take(new));
                    self.phase = Phase::TellingGone { old, compared: 0 };
                }
            }
            Phase::TellingGone { old, compared } => {
                let before = old.snapshot();
                let upto = (*compared + many).min(before.places());
                let gone = before.at(*compared..upto).filter(|(key, _)| store.get(key).is_none());
                told.extend(gone.map(|(key, last)| {
                    let (key, last) = (key.clone(), Some(Rc::clone(last)));
                    Notification::Deleted(Tombstone::FinalStateUnknown { key, last })
                }));
                *compared = upto;
                if upto == before.places() {
                    drop(before);
                    self.phase = Phase::TellingListed { old: std::mem::take(old), told: 0 };
                }
            }
            Phase::TellingListed { told, .. } if *told == self.objects.len() => return None,
            Phase::TellingListed { old, told: done } => {
                let upto = (*done + many).min(self.objects.len());
                told.extend(self.objects[*done..upto].iter().filter_map(|object| changed(old, object, self.initial)));
                *done = upto;
            }
        }
        Some(told)
    }

    /// Drops what is left once all was told, an object with each step of the iterator.
    pub(super) fn into_parts(self) -> Box<dyn Iterator<Item = ()>> {
        let objects = self.objects.into_iter().map(drop);
        match self.phase {
            Phase::Keeping(state, _)
            | Phase::Building(state, _)
            | Phase::TellingGone { old: state, .. }
            | Phase::TellingListed { old: state, .. } => Box::new(state.into_parts().chain(objects)),
        }
    }
}

/// What a listed object is after the old state; nothing if it was told of already.
fn changed<T: Object>(old: &Indexer<T>, object: &Rc<T>, initial: bool) -> Option<Notification<T>> {
    match old.get(&object.key()) {
        Some(before) if Rc::ptr_eq(before, object) => None,
        Some(before) => Some(Notification::Updated { old: Rc::clone(before), new: Rc::clone(object) }),
        None => Some(Notification::Added { object: Rc::clone(object), initial }),
    }
}
