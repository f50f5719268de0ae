//! Which row each place in the DOM shows.

use masthead::cache::ObjectKey;

use crate::model::table::{
    grid::{Grid, Id, Shown},
    window::Viewport,
};

/// A row in the DOM.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The row.
    pub id: Id,
    /// Where its object lies.
    pub key: ObjectKey,
    /// At which place of the table it is shown.
    pub place: usize,
    /// What it shows.
    pub shown: Shown,
    /// The cells that the last change of the object changed, a bit for each.
    pub changed: u64,
    /// How often the object changed while it was here: tells one flash from the next.
    pub revision: u32,
}

/// The rows in the DOM. The row at a place is always in the same slot, so that scrolling by one row changes one slot.
#[derive(Debug, Default)]
pub struct Slots {
    /// What each slot shows.
    shown: Vec<Option<Slot>>,
}

impl Slots {
    /// Tells `change` of every slot that shows something else from now on, by number; nothing for an empty one.
    pub fn write(&mut self, grid: &Grid, viewport: Viewport, mut change: impl FnMut(usize, Option<&Slot>)) {
        let moved = self.grow(viewport.slots(), &mut change);
        let (count, rows) = (self.shown.len(), grid.shown());
        let mut used = vec![false; count];
        for place in viewport.range(rows.len()) {
            let at = place % count;
            used[at] = true;
            let before = moved.iter().find(|slot| slot.id == rows[place]);
            let slot = next(self.shown[at].as_ref().or(before), grid, rows[place], place);
            if let Some(slot) = slot.or_else(|| before.cloned()) {
                change(at, Some(&slot));
                self.shown[at] = Some(slot);
            }
        }
        for at in (0..count).filter(|at| !used[*at]) {
            if self.shown[at].take().is_some() {
                change(at, None);
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.shown.len()
    }

    /// Slots are only ever added: a window that became smaller may become larger again.
    /// Then the same place is in another slot: gives back what they showed, and every row finds its slot anew.
    fn grow(&mut self, count: usize, change: &mut impl FnMut(usize, Option<&Slot>)) -> Vec<Slot> {
        if self.shown.len() >= count {
            return Vec::new();
        }
        let shown = std::mem::replace(&mut self.shown, vec![None; count]);
        for (at, slot) in shown.iter().enumerate() {
            if slot.is_some() {
                change(at, None);
            }
        }
        shown.into_iter().flatten().collect()
    }
}

/// What a slot shows next; `None` when it shows it already.
fn next(before: Option<&Slot>, grid: &Grid, id: Id, place: usize) -> Option<Slot> {
    let (shown, key) = (grid.get(id)?.clone(), grid.key(id)?.clone());
    let same = before.filter(|before| before.id == id && before.key == key);
    let Some(before) = same else { return Some(Slot { id, key, place, shown, changed: 0, revision: 0 }) };
    if before.shown.is_same(&shown) {
        return (before.place != place).then(|| Slot { place, ..before.clone() });
    }
    let cells = before.shown.row().cells.iter().zip(&shown.row().cells).take(u64::BITS as usize);
    let changed = cells.enumerate().fold(0, |mask, (at, (one, other))| mask | u64::from(one != other) << at);
    let revision = before.revision.wrapping_add(u32::from(changed != 0));
    Some(Slot { id, key, place, shown, changed, revision })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::model::table::{cell::Tone, fixture::row};

    fn grid(names: &[&str]) -> Grid {
        let mut grid = Grid::default();
        names.iter().for_each(|name| put(&mut grid, name, "Running"));
        grid.flush(0);
        grid
    }

    fn put(grid: &mut Grid, name: &str, status: &str) {
        let shown = Shown::Made(Rc::new(row(name, status, Tone::Quiet)));
        grid.put(name.parse().expect("a key"), shown);
    }

    fn viewport(rows: f64) -> Viewport {
        Viewport { top: 0.0, height: rows * 28.0, row: 28.0 }
    }

    /// What is in the DOM: every change applied to what was there.
    #[derive(Default)]
    struct Dom(Vec<Option<(String, u64)>>);

    impl Dom {
        fn write(&mut self, slots: &mut Slots, grid: &Grid, viewport: Viewport) -> usize {
            let mut changes = 0;
            let rows = &mut self.0;
            slots.write(grid, viewport, |at, slot| {
                changes += 1;
                rows.resize(rows.len().max(at + 1), None);
                rows[at] = slot.map(|slot| (slot.key.to_string(), slot.changed));
            });
            changes
        }

        fn names(&self) -> String {
            let mut names: Vec<&str> = self.0.iter().flatten().map(|(name, _)| name.as_str()).collect();
            names.sort_unstable();
            names.join(" ")
        }
    }

    #[test]
    fn only_what_changed_is_written() {
        let (mut dom, mut slots, mut grid) = (Dom::default(), Slots::default(), grid(&["a/x", "a/y", "a/z"]));
        assert_eq!(dom.write(&mut slots, &grid, viewport(2.0)), 3);
        assert_eq!(dom.write(&mut slots, &grid, viewport(2.0)), 0);
        put(&mut grid, "a/y", "Failed");
        grid.flush(0);
        assert_eq!(dom.write(&mut slots, &grid, viewport(2.0)), 1);
        assert_eq!(dom.names(), "a/x a/y a/z");
        assert!(dom.0.contains(&Some(("a/y".into(), 0b10))), "the cell that changed is told: {:?}", dom.0);
        grid.remove(&"a/x".parse().expect("a key"));
        grid.flush(0);
        dom.write(&mut slots, &grid, viewport(2.0));
        assert_eq!(dom.names(), "a/y a/z");
    }

    #[test]
    fn a_row_that_goes_while_the_window_grows_is_gone() {
        let (mut dom, mut slots, mut grid) = (Dom::default(), Slots::default(), grid(&["a/x", "a/y", "a/z"]));
        dom.write(&mut slots, &grid, viewport(2.0));
        grid.remove(&"a/z".parse().expect("a key"));
        grid.flush(0);
        dom.write(&mut slots, &grid, viewport(9.0));
        assert_eq!(dom.names(), "a/x a/y");
        assert_eq!(slots.count(), viewport(9.0).slots());
    }

    #[test]
    fn a_row_that_changes_while_the_window_grows_tells_so() {
        let (mut dom, mut slots, mut grid) = (Dom::default(), Slots::default(), grid(&["a/x", "a/y"]));
        dom.write(&mut slots, &grid, viewport(2.0));
        put(&mut grid, "a/y", "Failed");
        grid.flush(0);
        dom.write(&mut slots, &grid, viewport(9.0));
        assert_eq!(dom.names(), "a/x a/y");
        assert!(dom.0.contains(&Some(("a/y".into(), 0b10))), "{:?}", dom.0);
        assert_eq!(dom.write(&mut slots, &grid, viewport(9.0)), 0);
    }
}
