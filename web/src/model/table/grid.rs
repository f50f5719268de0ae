//! The rows of a table in the order they are shown, kept so while they change.
//!
//! What a change costs: a place in a hash table and a mark. Once a frame, [`Grid::flush`] puts everything that was marked
//! into its place, with one pass over the order however many rows changed. A new filter is tried on a bounded number of
//! rows at a time, in the order of the table, so that the first rows of the result are the right ones at once.

mod order;
mod shown;

use std::cmp::Ordering;

use masthead::cache::ObjectKey;
use rustc_hash::FxHashMap;

use self::order::Leaving;
use crate::model::table::{
    row::Row,
    sort::{self, Field},
    tally::Tally,
};

pub use shown::Shown;

/// A row for as long as it is there. A name that is given again is another row.
pub type Id = u32;

/// Decides whether a row is shown, at a time in milliseconds since 1970.
pub type Predicate = Box<dyn Fn(&Row, i64) -> bool>;

/// The rows of a table.
#[derive(Default)]
pub struct Grid {
    /// By id. A row that went stays until the next flush, so that its id is not given again before.
    entries: Vec<Option<Entry>>,
    /// Ids that can be given again.
    free: Vec<Id>,
    ids: FxHashMap<ObjectKey, Id>,
    /// Every row that was flushed, by namespace and name.
    named: Vec<Id>,
    /// Every row that was flushed, in the order asked for; unused while that is the order of names.
    sorted: Vec<Id>,
    /// The rows that the filter lets through, in the order asked for.
    shown: Vec<Id>,
    order: Option<(Field, bool)>,
    filter: Option<Predicate>,
    /// How many rows a flush tries on the filter; any number without one.
    tries: Option<usize>,
    /// Which filter a verdict is of.
    epoch: u32,
    /// How many rows of the order were tried, if not all.
    scan: Option<usize>,
    marked: Vec<Id>,
    tally: Tally,
}

struct Entry {
    key: ObjectKey,
    shown: Shown,
    /// As [`Field::rank`] has it for the column that is sorted by.
    rank: u128,
    verdict: Verdict,
    marked: bool,
    /// Whether it is in the orders.
    placed: bool,
    gone: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Verdict {
    epoch: u32,
    passes: bool,
}

/// The epoch of no filter.
const UNTRIED: u32 = u32::MAX;

/// What a flush changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Flushed {
    /// Rows that came, changed or went.
    pub changed: Vec<Id>,
    /// Whether rows are shown at other places than before.
    pub moved: bool,
}

impl Grid {
    /// Takes a row, or another state of one. Shown after the next flush.
    pub fn put(&mut self, key: ObjectKey, shown: Shown) {
        if let Some(id) = self.ids.get(&key).copied() {
            let same = self.entry(id).is_some_and(|entry| entry.shown.row().uid == shown.row().uid);
            if same {
                return self.change(id, shown);
            }
            self.remove(&key);
        }
        self.tally.add(shown.row());
        let entry = Entry {
            key: key.clone(),
            shown,
            rank: 0,
            verdict: Verdict { epoch: UNTRIED, passes: false },
            marked: false,
            placed: false,
            gone: false,
        };
        let id = match self.free.pop() {
            Some(id) => id,
            None => {
                self.entries.push(None);
                Id::try_from(self.entries.len() - 1).expect("fewer rows than fit into the memory of a page")
            }
        };
        self.entries[id as usize] = Some(entry);
        self.ids.insert(key, id);
        self.mark(id);
    }

    /// Takes a row out. Gone after the next flush.
    pub fn remove(&mut self, key: &ObjectKey) {
        let Some(id) = self.ids.remove(key) else { return };
        if let Some(entry) = self.entries[id as usize].as_mut() {
            entry.gone = true;
            self.tally.remove(entry.shown.row());
        }
        self.mark(id);
    }

    /// Lets a flush try the filter on `rows` rows. When more have changed, all of them wait for [`scan`](Self::scan).
    pub fn try_in_flush(&mut self, rows: usize) {
        self.tries = Some(rows);
    }

    /// Puts every change into its place.
    pub fn flush(&mut self, now: i64) -> Flushed {
        let marked = std::mem::take(&mut self.marked);
        if marked.is_empty() {
            return Flushed::default();
        }
        let deferred = self.filter.is_some() && self.tries.is_some_and(|tries| marked.len() > tries);
        let (mut new, mut again, mut appear) = (Vec::new(), Vec::new(), Vec::new());
        let [mut gone, mut vanish] = [(); 2].map(|()| Leaving::none_of(self.entries.len()));
        for id in &marked {
            let Some(entry) = self.entries[*id as usize].as_mut() else { continue };
            entry.marked = false;
            let passed = entry.placed && entry.verdict.epoch == self.epoch && entry.verdict.passes;
            if entry.gone {
                if entry.placed {
                    gone.add(*id);
                }
                if passed {
                    vanish.add(*id);
                }
                entry.verdict.passes = false;
                continue;
            }
            let row = entry.shown.row();
            let rank = self.order.map_or(0, |(field, _)| field.rank(row));
            let passes = !deferred && self.filter.as_ref().is_none_or(|filter| filter(row, now));
            // Equal ranks may still be of different values, so that a changed row is put into its place again.
            let stays = entry.placed && self.order.is_none();
            let epoch = if deferred { UNTRIED } else { self.epoch };
            (entry.rank, entry.verdict) = (rank, Verdict { epoch, passes });
            if !entry.placed {
                entry.placed = true;
                new.push(*id);
            } else if !stays {
                again.push(*id);
            }
            if passes && !(passed && stays) {
                appear.push(*id);
            }
            if passed && !(passes && stays) {
                vanish.add(*id);
            }
        }
        self.place(new, again, gone);
        let moved = deferred || !vanish.is_empty() || !appear.is_empty();
        if deferred || self.scan.is_some() {
            self.rescan();
        } else if moved {
            let mut shown = std::mem::take(&mut self.shown);
            order::update(&mut shown, &vanish, appear, &|one, other| self.compare(one, other));
            self.shown = shown;
        }
        for id in &marked {
            if self.entries[*id as usize].as_ref().is_some_and(|entry| entry.gone) {
                self.entries[*id as usize] = None;
                self.free.push(*id);
            }
        }
        Flushed { changed: marked, moved }
    }

    /// Sorts by a column, the largest first if so asked; by namespace and name without one.
    pub fn sort(&mut self, order: Option<(Field, bool)>) {
        self.order = order;
        self.sorted.clear();
        if let Some((field, descending)) = order {
            let mut ranked = Vec::with_capacity(self.named.len());
            for (at, id) in self.named.iter().enumerate() {
                let Some(entry) = self.entries[*id as usize].as_mut() else { continue };
                entry.rank = field.rank(entry.shown.row());
                // Rows of equal values stay in the order of their names.
                ranked.push((if descending { !entry.rank } else { entry.rank }, at));
            }
            ranked.sort_unstable();
            for equal in ranked.chunk_by_mut(|one, other| one.0 == other.0) {
                let rank = if descending { !equal[0].0 } else { equal[0].0 };
                if equal.len() > 1 && !sort::settles(rank) {
                    equal
                        .sort_by(|one, other| self.by_value(self.named[one.1], self.named[other.1], field, descending));
                }
            }
            self.sorted = ranked.into_iter().map(|(_, at)| self.named[at]).collect();
        }
        match self.scan {
            Some(_) => self.rescan(),
            None => self.shown = self.every().iter().copied().filter(|id| self.passes(*id)).collect(),
        }
    }

    /// Shows only rows that `filter` lets through, as far as [`scan`](Self::scan) has tried them.
    pub fn filter(&mut self, filter: Option<Predicate>) {
        self.filter = filter;
        self.epoch += 1;
        self.rescan();
    }

    /// Tries the filter on up to `many` more rows; says whether all were tried.
    pub fn scan(&mut self, many: usize, now: i64) -> bool {
        let Some(from) = self.scan else { return true };
        let order = if self.order.is_some() { &self.sorted } else { &self.named };
        let mut left = many;
        for (at, id) in order.iter().enumerate().skip(from) {
            let Some(entry) = self.entries[*id as usize].as_mut() else { continue };
            if entry.verdict.epoch != self.epoch {
                if left == 0 {
                    self.scan = Some(at);
                    return false;
                }
                left -= 1;
                let passes = self.filter.as_ref().is_none_or(|filter| filter(entry.shown.row(), now));
                entry.verdict = Verdict { epoch: self.epoch, passes };
            }
            if entry.verdict.passes {
                self.shown.push(*id);
            }
        }
        self.scan = None;
        true
    }

    /// Tries the filter again on `many` rows from the number `from` on, and marks those that it lets through by now, or no
    /// longer. Gives the number to go on from; nothing behind the last.
    pub fn recheck(&mut self, from: usize, many: usize, now: i64) -> Option<usize> {
        let filter = self.filter.as_ref().filter(|_| self.scan.is_none())?;
        let upto = (from + many).min(self.entries.len());
        let entries = self.entries.get_mut(from..upto)?;
        for (id, entry) in (from..).zip(entries) {
            let Some(entry) = entry.as_mut().filter(|entry| entry.placed && !entry.marked) else { continue };
            if filter(entry.shown.row(), now) != entry.verdict.passes {
                entry.marked = true;
                self.marked.push(id as Id);
            }
        }
        (upto < self.entries.len()).then_some(upto)
    }

    /// Whether rows have yet to be tried on the filter.
    pub fn is_scanning(&self) -> bool {
        self.scan.is_some()
    }

    /// Whether changes wait for a flush.
    pub fn is_dirty(&self) -> bool {
        !self.marked.is_empty()
    }

    /// The rows that are shown, in their order.
    pub fn shown(&self) -> &[Id] {
        &self.shown
    }

    /// How many rows there are, shown or not.
    pub fn total(&self) -> usize {
        self.ids.len()
    }

    /// How many rows of each state there are.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// A row.
    pub fn get(&self, id: Id) -> Option<&Shown> {
        self.entry(id).map(|entry| &entry.shown)
    }

    /// Where a row lies.
    pub fn key(&self, id: Id) -> Option<&ObjectKey> {
        self.entry(id).map(|entry| &entry.key)
    }

    /// The row of this key.
    pub fn find(&self, key: &ObjectKey) -> Option<Id> {
        self.ids.get(key).copied()
    }

    /// At which place a row is shown.
    pub fn position(&self, id: Id) -> Option<usize> {
        self.entry(id).filter(|entry| entry.placed)?;
        let at = self.shown.partition_point(|other| self.compare(*other, id) == Ordering::Less);
        self.shown.get(at).is_some_and(|found| *found == id).then_some(at)
    }

    /// Every row, in the order asked for.
    pub fn every(&self) -> &[Id] {
        if self.order.is_some() { &self.sorted } else { &self.named }
    }

    fn change(&mut self, id: Id, shown: Shown) {
        if let Some(entry) = self.entries[id as usize].as_mut() {
            self.tally.remove(entry.shown.row());
            self.tally.add(shown.row());
            entry.shown = shown;
        }
        self.mark(id);
    }

    fn mark(&mut self, id: Id) {
        if let Some(entry) = self.entries[id as usize].as_mut()
            && !entry.marked
        {
            entry.marked = true;
            self.marked.push(id);
        }
    }

    fn entry(&self, id: Id) -> Option<&Entry> {
        self.entries.get(id as usize)?.as_ref()
    }

    /// Puts rows into the orders of all rows.
    fn place(&mut self, mut new: Vec<Id>, again: Vec<Id>, mut gone: Leaving) {
        let mut named = std::mem::take(&mut self.named);
        order::update(&mut named, &gone, new.clone(), &|one, other| self.by_name(one, other));
        self.named = named;
        if self.order.is_some() {
            let mut sorted = std::mem::take(&mut self.sorted);
            again.iter().for_each(|id| gone.add(*id));
            new.extend(again);
            order::update(&mut sorted, &gone, new, &|one, other| self.compare(one, other));
            self.sorted = sorted;
        }
    }

    /// Begins the scan anew; what is known already is not tried again.
    fn rescan(&mut self) {
        self.scan = Some(0);
        self.shown.clear();
    }

    fn passes(&self, id: Id) -> bool {
        self.entry(id).is_some_and(|entry| entry.verdict == Verdict { epoch: self.epoch, passes: true })
    }

    fn compare(&self, one: Id, other: Id) -> Ordering {
        let by_value = self.order.map_or(Ordering::Equal, |(field, down)| self.by_value(one, other, field, down));
        by_value.then_with(|| self.by_name(one, other))
    }

    fn by_value(&self, one: Id, other: Id, field: Field, descending: bool) -> Ordering {
        let (Some(one), Some(other)) = (self.entry(one), self.entry(other)) else { return Ordering::Equal };
        let order = one.rank.cmp(&other.rank).then_with(|| field.order(one.shown.row(), other.shown.row()));
        if descending { order.reverse() } else { order }
    }

    /// Two rows of one name, of which one went, are told apart by their uid.
    fn by_name(&self, one: Id, other: Id) -> Ordering {
        let (Some(one), Some(other)) = (self.entry(one), self.entry(other)) else { return Ordering::Equal };
        let (one, other) = (one.shown.row(), other.shown.row());
        let by_name = one.namespace.cmp(&other.namespace).then_with(|| one.name.cmp(&other.name));
        by_name.then_with(|| one.uid.cmp(&other.uid))
    }
}

impl std::fmt::Debug for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grid").field("total", &self.total()).field("shown", &self.shown.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
