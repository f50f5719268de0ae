//! What is to be looked at, now or at a time: keys, never objects.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use masthead::runtime::Instant;

/// A queue of distinct items, and at most one deadline for each. Holds no more than there are items.
#[derive(Debug)]
pub(super) struct Agenda<T> {
    /// In the order they came; each is in `queued`.
    ready: VecDeque<T>,
    queued: BTreeSet<T>,
    /// Soonest first; the same as `deadlines`.
    timers: BTreeSet<(Instant, T)>,
    deadlines: BTreeMap<T, Instant>,
}

impl<T: Clone + Ord> Agenda<T> {
    pub(super) fn new() -> Agenda<T> {
        Agenda { ready: VecDeque::new(), queued: BTreeSet::new(), timers: BTreeSet::new(), deadlines: BTreeMap::new() }
    }

    /// Adds an item to those to look at now, unless it waits there already.
    pub(super) fn push(&mut self, item: T) {
        if self.queued.insert(item.clone()) {
            self.ready.push_back(item);
        }
    }

    /// Looks at an item at a time; takes the place of the deadline it had.
    pub(super) fn set(&mut self, at: Instant, item: T) {
        self.unset(&item);
        self.deadlines.insert(item.clone(), at);
        self.timers.insert((at, item));
    }

    /// Takes an item's deadline away.
    pub(super) fn unset(&mut self, item: &T) {
        if let Some(at) = self.deadlines.remove(item) {
            self.timers.remove(&(at, item.clone()));
        }
    }

    /// Whether an item is to be looked at at a time.
    pub(super) fn has_deadline(&self, item: &T) -> bool {
        self.deadlines.contains_key(item)
    }

    /// The next item to look at: one whose time has come or one that was pushed.
    pub(super) fn pop(&mut self, now: Instant) -> Option<T> {
        while let Some((at, _)) = self.timers.first()
            && *at <= now
            && let Some((_, item)) = self.timers.pop_first()
        {
            self.deadlines.remove(&item);
            self.push(item);
        }
        let item = self.ready.pop_front()?;
        self.queued.remove(&item);
        Some(item)
    }

    /// When the next deadline is; `None` when there is none.
    pub(super) fn next(&self) -> Option<Instant> {
        self.timers.first().map(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use masthead::runtime::Instant;

    use super::Agenda;

    fn at(seconds: u64) -> Instant {
        Instant::ORIGIN + Duration::from_secs(seconds)
    }

    #[test]
    fn an_item_waits_once_however_often_it_is_pushed() {
        let mut agenda = Agenda::new();
        ["a", "b", "a"].into_iter().for_each(|item| agenda.push(item));
        assert_eq!([agenda.pop(at(0)), agenda.pop(at(0)), agenda.pop(at(0))], [Some("a"), Some("b"), None]);
        agenda.push("a");
        assert_eq!(agenda.pop(at(0)), Some("a"));
    }

    #[test]
    fn an_item_has_one_deadline_the_last_that_was_set() {
        let mut agenda = Agenda::new();
        agenda.set(at(5), "a");
        agenda.set(at(9), "a");
        agenda.set(at(7), "b");
        assert_eq!((agenda.next(), agenda.pop(at(6))), (Some(at(7)), None));
        assert_eq!([agenda.pop(at(9)), agenda.pop(at(9)), agenda.pop(at(9))], [Some("b"), Some("a"), None]);
        agenda.set(at(10), "a");
        agenda.unset(&"a");
        assert_eq!(agenda.next(), None);
    }
}
