//! A list that becomes the state of a store, in pieces that are short and a step that is whole.

use std::rc::Rc;

use super::{Indexer, Notification, Object, ObjectKey, Scope, Tombstone};
use crate::sorting;

/// Makes a list the state of a store.
///
/// The new state is built beside the old one, piece by piece; then the two change places, so that a reader sees the one or
/// the other and never a mixture; then what changed is told, piece by piece: first what went, then the list in its order.
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
    /// So many objects of the list are in the new state.
    Building(Indexer<T>, usize),
    /// The old state, how many places of it were compared with the new one, and what is missing there.
    Comparing { old: Indexer<T>, compared: usize, missing: Vec<ObjectKey> },
    /// The old state, what is missing from the new one, and how much of that was told.
    TellingGone { old: Indexer<T>, missing: Vec<ObjectKey>, told: usize },
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
        let mut new = present.emptied();
        if scope != Scope::All {
            let others = present.list().filter(|object| !scope.holds(&object.key()));
            others.for_each(|object| drop(new.put(Rc::clone(object))));
        }
        Replacement { phase: Phase::Building(new, 0), scope, objects, version, initial }
    }

    /// What it is complete for.
    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Goes on for at most `many` objects; gives back what is to be told, and `None` once all was.
    pub(super) fn step(&mut self, many: usize, store: &mut Indexer<T>) -> Option<Vec<Notification<T>>> {
        match &mut self.phase {
            Phase::Building(new, done) => {
                let upto = (*done + many).min(self.objects.len());
                for object in &self.objects[*done..upto] {
                    new.put(Rc::clone(object));
                }
                *done = upto;
                if *done == self.objects.len() {
                    new.bookmark(&self.version);
                    let old = std::mem::replace(store, std::mem::take(new));
                    self.phase = Phase::Comparing { old, compared: 0, missing: Vec::new() };
                }
                Some(Vec::new())
            }
            Phase::Comparing { old, compared, missing } => {
                let upto = (*compared + many).min(old.places());
                missing.extend(old.keys_at(*compared..upto).filter(|key| store.get(key).is_none()).cloned());
                *compared = upto;
                if upto == old.places() {
                    sorting::sort(missing);
                    let (old, missing) = (std::mem::take(old), std::mem::take(missing));
                    self.phase = Phase::TellingGone { old, missing, told: 0 };
                }
                Some(Vec::new())
            }
            Phase::TellingGone { old, missing, told } if *told < missing.len() => {
                let upto = (*told + many).min(missing.len());
                let gone = missing[*told..upto].iter().map(|key| {
                    let last = old.get(key).cloned();
                    Notification::Deleted(Tombstone::FinalStateUnknown { key: key.clone(), last })
                });
                let gone = gone.collect();
                *told = upto;
                Some(gone)
            }
            Phase::TellingGone { old, .. } => {
                self.phase = Phase::TellingListed { old: std::mem::take(old), told: 0 };
                Some(Vec::new())
            }
            Phase::TellingListed { told, .. } if *told == self.objects.len() => None,
            Phase::TellingListed { old, told } => {
                let upto = (*told + many).min(self.objects.len());
                let initial = self.initial;
                let listed = self.objects[*told..upto].iter().filter_map(|object| changed(old, object, initial));
                let listed = listed.collect();
                *told = upto;
                Some(listed)
            }
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
