//! A signal for each row in the DOM.

use leptos::prelude::{LocalStorage, Owner, RwSignal, Set};

use crate::model::table::{
    grid::Grid,
    slots::{Slot, Slots},
    window::Viewport,
};

/// Writes the rows in sight into one signal each.
pub(super) struct SlotSignals {
    owner: Owner,
    list: RwSignal<Vec<RwSignal<Option<Slot>, LocalStorage>>>,
    /// One for each slot; the last ones written to `list`.
    signals: Vec<RwSignal<Option<Slot>, LocalStorage>>,
    slots: Slots,
}

impl SlotSignals {
    /// No slot yet; their signals end with `owner`.
    pub(super) fn new(owner: Owner, list: RwSignal<Vec<RwSignal<Option<Slot>, LocalStorage>>>) -> SlotSignals {
        SlotSignals { owner, list, signals: Vec::new(), slots: Slots::default() }
    }

    /// Writes what is in sight.
    pub(super) fn write(&mut self, grid: &Grid, viewport: Viewport) {
        let missing = viewport.slots().saturating_sub(self.signals.len());
        if missing > 0 {
            self.owner.with(|| self.signals.extend((0..missing).map(|_| RwSignal::new_local(None))));
            self.list.set(self.signals.clone());
        }
        self.slots.write(grid, viewport, |at, slot| self.signals[at].set(slot.cloned()));
    }
}
