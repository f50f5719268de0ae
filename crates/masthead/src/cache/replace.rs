//! A list that becomes the state of a store, in pieces that are short and a step that is whole.

use std::rc::Rc;

use super::{
    CompleteList, Indexer, ListScope, Notification, Object, ObjectKey, StaleObject, Store, Tombstone, delta::Verdict,
};

/// Makes a list the state of a store.
///
/// The new state is built beside the old one, piece by piece; then the two change places, so that a reader sees the one or
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
    /// So many objects of the list are in the new state.
    Building(Indexer<T>, usize),
    /// So many items that could not be decoded are marked in the new state.
    Marking(Indexer<T>, usize),
    /// What the list says nothing of moves to the new state; so many places of the old one were looked at.
    Keeping(Indexer<T>, usize),
    /// The old state, and how many places of it were compared with the new one.
    TellingGone { old: Indexer<T>, compared: usize },
    /// The old state, and how many objects of the list were told.
    TellingListed { old: Indexer<T>, told: usize },
    /// The old state, and how many marks were told.
    TellingStale { old: Indexer<T>, told: usize },
}

/// What is to be told after a step.
#[derive(Debug)]
pub(super) struct Step<T> {
    pub(super) notifications: Vec<Notification<T>>,
    pub(super) stale: Vec<Rc<StaleObject>>,
}

impl<T: Object> Replace<T> {
    /// A list that is complete for `scope`; `present` is the state before it.
    pub(super) fn new(scope: ListScope, list: CompleteList<T>, initial: bool, present: &Indexer<T>) -> Replace<T> {
        let new = present.emptied(list.objects.len());
        Replace { phase: Phase::Building(new, 0), scope, list, initial }
    }

    /// What it is complete for.
    pub(super) fn scope(&self) -> &ListScope {
        &self.scope
    }

    /// Whether the list is the state of the store already.
    pub(super) fn is_stored(&self) -> bool {
        matches!(self.phase, Phase::TellingGone { .. } | Phase::TellingListed { .. } | Phase::TellingStale { .. })
    }

    /// Goes on for at most `many` objects; gives back what is to be told, and `None` once all was.
    ///
    /// The store is not borrowed while objects are indexed.
    pub(super) fn step(&mut self, many: usize, store: &Store<T>) -> Option<Step<T>> {
        if self.is_stored() {
            return self.tell(many, store);
        }
        self.build(many, store);
        Some(Step { notifications: Vec::new(), stale: Vec::new() })
    }

    /// Builds the new state, and makes it that of the store when it is complete.
    fn build(&mut self, many: usize, store: &Store<T>) {
        match &mut self.phase {
            Phase::Building(new, done) => {
                let upto = (*done + many).min(self.list.objects.len());
                for object in &self.list.objects[*done..upto] {
                    new.put(Rc::clone(object));
                }
                *done = upto;
                if *done == self.list.objects.len() {
                    self.phase = Phase::Marking(std::mem::take(new), 0);
                }
            }
            Phase::Marking(new, done) => {
                let upto = (*done + many).min(self.list.stale.len());
                for stale in &self.list.stale[*done..upto] {
                    new.mark_stale(Rc::clone(stale));
                }
                *done = upto;
                if *done == self.list.stale.len() {
                    let new = std::mem::take(new);
                    self.phase = self.keep_marks(new, store);
                }
            }
            Phase::Keeping(new, looked) => {
                let present = store.snapshot();
                let upto = (*looked + many).min(present.places());
                for (key, object) in present.at(*looked..upto) {
                    keep(new, &self.scope, &self.list, (key, object), store);
                }
                *looked = upto;
                if upto == present.places() {
                    drop(present);
                    let new = std::mem::take(new);
                    self.phase = self.exchange(new, store);
                }
            }
            Phase::TellingGone { .. } | Phase::TellingListed { .. } | Phase::TellingStale { .. } => {}
        }
    }

    /// Tells what changed.
    fn tell(&mut self, many: usize, store: &Store<T>) -> Option<Step<T>> {
        let mut step = Step { notifications: Vec::new(), stale: Vec::new() };
        match &mut self.phase {
            Phase::Building(..) | Phase::Marking(..) | Phase::Keeping(..) => {}
            Phase::TellingGone { old, compared } => {
                let before = old.snapshot();
                let upto = (*compared + many).min(before.places());
                let gone = before.at(*compared..upto).filter(|(key, _)| store.get(key).is_none());
                step.notifications.extend(gone.map(|(key, last)| {
                    let (key, last) = (key.clone(), Some(Rc::clone(last)));
                    Notification::Deleted(Tombstone::FinalStateUnknown { key, last })
                }));
                *compared = upto;
                if upto == before.places() {
                    drop(before);
                    self.phase = Phase::TellingListed { old: std::mem::take(old), told: 0 };
                }
            }
            Phase::TellingListed { old, told } if *told == self.list.objects.len() => {
                self.phase = Phase::TellingStale { old: std::mem::take(old), told: 0 };
            }
            Phase::TellingListed { old, told } => {
                let upto = (*told + many).min(self.list.objects.len());
                let listed = &self.list.objects[*told..upto];
                step.notifications.extend(listed.iter().filter_map(|object| changed(old, object, self.initial)));
                *told = upto;
            }
            Phase::TellingStale { told, .. } if *told == self.list.stale.len() => return None,
            Phase::TellingStale { told, .. } => {
                let upto = (*told + many).min(self.list.stale.len());
                let stale = self.list.stale[*told..upto].iter();
                step.stale.extend(stale.filter(|stale| store.stale_object(&stale.key).is_some()).cloned());
                *told = upto;
            }
        }
        Some(step)
    }

    /// Moves the marks that the list says nothing of to the new state; the next phase, which does so with objects.
    fn keep_marks(&self, mut new: Indexer<T>, store: &Store<T>) -> Phase<T> {
        if self.scope == ListScope::All && self.list.stale.is_empty() && self.list.unidentified.is_none() {
            return self.exchange(new, store);
        }
        for stale in store.read().stale_objects() {
            let unknown = self.list.unidentified.is_some() && new.get(&stale.key).is_none();
            if (!self.scope.holds(&stale.key) || unknown) && new.stale_object(&stale.key).is_none() {
                new.mark_stale(Rc::clone(stale));
            }
        }
        Phase::Keeping(new, 0)
    }

    /// Makes the new state that of the store.
    fn exchange(&self, mut new: Indexer<T>, store: &Store<T>) -> Phase<T> {
        new.bookmark(&self.list.resource_version);
        Phase::TellingGone { old: store.exchange(new), compared: 0 }
    }

    /// Drops what is left once all was told, an object with each step of the iterator.
    pub(super) fn into_parts(self) -> Box<dyn Iterator<Item = ()>> {
        let CompleteList { objects, stale, .. } = self.list;
        let listed = objects.into_iter().map(drop).chain(stale.into_iter().map(drop));
        match self.phase {
            Phase::Keeping(state, _)
            | Phase::Building(state, _)
            | Phase::Marking(state, _)
            | Phase::TellingGone { old: state, .. }
            | Phase::TellingListed { old: state, .. }
            | Phase::TellingStale { old: state, .. } => Box::new(state.into_parts().chain(listed)),
        }
    }
}

/// Moves an object of the old state to the new one, unless the list has it or says that it is gone.
fn keep<T: Object>(
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
        _ if !scope.holds(key) => store.stale_object(key),
        (Some(stale), _) => match stale.judge(&**object) {
            Verdict::Stale => Some(Rc::clone(stale)),
            Verdict::Current => None,
            Verdict::Gone => return,
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
fn changed<T: Object>(old: &Indexer<T>, object: &Rc<T>, initial: bool) -> Option<Notification<T>> {
    match old.get(&object.key()) {
        Some(before) if Rc::ptr_eq(before, object) => None,
        Some(before) => Some(Notification::Updated { old: Rc::clone(before), new: Rc::clone(object) }),
        None => Some(Notification::Added { object: Rc::clone(object), initial }),
    }
}
