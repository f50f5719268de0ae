//! The rows that are in the DOM.

use leptos::prelude::{LocalStorage, Owner, RwSignal, Set};
use masthead::cache::ObjectKey;

use crate::model::table::{
    grid::{Grid, Id, Shown},
    window::Viewport,
};

/// A row in the DOM.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) id: Id,
    pub(crate) key: ObjectKey,
    /// At which place of the table it is shown.
    pub(crate) place: usize,
    pub(crate) shown: Shown,
    /// The cells that the last change of the object changed, a bit for each.
    pub(crate) changed: u64,
    /// How often the object changed while it was here: tells one flash from the next.
    pub(crate) revision: u32,
}

/// Writes rows into slots. The row at a place is always in the same slot, so that scrolling by one row writes one signal.
pub(super) struct Slots {
    owner: Owner,
    list: RwSignal<Vec<RwSignal<Option<Slot>, LocalStorage>>>,
    signals: Vec<RwSignal<Option<Slot>, LocalStorage>>,
    /// What was last written.
    written: Vec<Option<Slot>>,
}

impl Slots {
    /// No slot yet; their signals end with `owner`.
    pub(super) fn new(owner: Owner, list: RwSignal<Vec<RwSignal<Option<Slot>, LocalStorage>>>) -> Slots {
        Slots { owner, list, signals: Vec::new(), written: Vec::new() }
    }

    /// Writes what is in sight.
    pub(super) fn write(&mut self, grid: &Grid, viewport: Viewport) {
        self.grow(viewport.slots());
        let count = self.signals.len();
        let shown = grid.shown();
        let range = viewport.range(shown.len());
        let mut used = vec![false; count];
        for place in range {
            let at = place % count;
            used[at] = true;
            let id = shown[place];
            if let Some(slot) = next(self.written[at].as_ref(), grid, id, place) {
                self.written[at] = Some(slot.clone());
                self.signals[at].set(Some(slot));
            }
        }
        for at in (0..count).filter(|at| !used[*at]) {
            if self.written[at].take().is_some() {
                self.signals[at].set(None);
            }
        }
    }

    /// Slots are only ever added: a window that became smaller may become larger again.
    fn grow(&mut self, count: usize) {
        if self.signals.len() >= count {
            return;
        }
        // The same place is now in another slot.
        self.written = vec![None; count];
        let missing = count - self.signals.len();
        self.owner.with(|| self.signals.extend((0..missing).map(|_| RwSignal::new_local(None))));
        self.list.set(self.signals.clone());
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
