//! The cursor of a table, and what is chosen with it.

use leptos::prelude::{GetValue, Update, WithUntracked};
use masthead::cache::ObjectKey;

use super::TableView;

impl TableView {
    /// Moves the cursor by so many rows; to the first row that is in sight when there is none.
    pub(crate) fn step(self, by: isize) {
        let to = match self.cursor() {
            Some(place) => place.saturating_add_signed(by),
            None => self.first_in_sight(),
        };
        self.put_cursor(to);
    }

    /// Moves the cursor by so many rows and chooses all on the way.
    pub(crate) fn extend(self, by: isize) {
        let Some(from) = self.cursor() else { return self.step(by) };
        let to = from.saturating_add_signed(by).min(self.last());
        self.extend_to(to);
    }

    /// Chooses everything from the anchor to this place.
    pub(crate) fn extend_to(self, to: usize) {
        let anchor = self.signals.selection.with_untracked(|selection| selection.anchor().cloned());
        let from = anchor.and_then(|key| self.place_of(&key)).unwrap_or(to);
        let range = self.keys_between(from.min(to), from.max(to));
        let Some(active) = self.key_at(to) else { return };
        self.signals.selection.update(|selection| selection.extend(active, range));
        self.reveal(to);
    }

    /// Moves the cursor by so many pages.
    pub(crate) fn page(self, by: isize) {
        let rows = self.state.get_value().viewport.get().page();
        self.step(by.saturating_mul(isize::try_from(rows).unwrap_or(isize::MAX)));
    }

    /// Moves the cursor to the first row.
    pub(crate) fn first(self) {
        self.put_cursor(0);
    }

    /// Moves the cursor to the last row.
    pub(crate) fn end(self) {
        self.put_cursor(self.last());
    }

    /// Chooses the row with the cursor, or no longer.
    pub(crate) fn toggle(self) {
        self.signals.selection.update(|selection| {
            if let Some(active) = selection.active.clone() {
                selection.toggle(&active);
            }
        });
    }

    /// Chooses every row that is shown.
    pub(crate) fn choose_all(self) {
        let keys = self.shown_keys();
        self.signals.selection.update(|selection| selection.choose(keys));
    }

    /// The row with the cursor.
    pub(crate) fn active(self) -> Option<ObjectKey> {
        self.signals.selection.with_untracked(|selection| selection.active.clone())
    }

    /// Puts the cursor on a row and brings it into sight.
    pub(crate) fn put_cursor(self, place: usize) {
        let place = place.min(self.last());
        if let Some(key) = self.key_at(place) {
            self.signals.selection.update(|selection| selection.activate(key));
            self.reveal(place);
        }
    }

    fn cursor(self) -> Option<usize> {
        self.active().and_then(|key| self.place_of(&key))
    }

    fn place_of(self, key: &ObjectKey) -> Option<usize> {
        let state = self.state.get_value();
        let grid = state.grid.borrow();
        grid.position(grid.find(key)?)
    }

    fn key_at(self, place: usize) -> Option<ObjectKey> {
        let state = self.state.get_value();
        let grid = state.grid.borrow();
        grid.key(*grid.shown().get(place)?).cloned()
    }

    fn keys_between(self, from: usize, to: usize) -> Vec<ObjectKey> {
        let state = self.state.get_value();
        let grid = state.grid.borrow();
        let to = (to + 1).min(grid.shown().len());
        grid.shown()[from.min(to)..to].iter().filter_map(|id| grid.key(*id).cloned()).collect()
    }

    fn last(self) -> usize {
        self.state.get_value().grid.borrow().shown().len().saturating_sub(1)
    }

    fn first_in_sight(self) -> usize {
        let viewport = self.state.get_value().viewport.get();
        (viewport.top / viewport.row).ceil() as usize
    }

    fn reveal(self, place: usize) {
        let state = self.state.get_value();
        if let Some(top) = state.viewport.get().reveal(place) {
            state.scroll_to(top);
        }
        state.redraw();
    }
}
