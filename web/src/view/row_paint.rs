//! The elements of a row, written only where they change.
//!
//! There are sixty rows of ten cells in the DOM and a key in the filter may change all of them: an effect for each attribute
//! would make four thousand.

use masthead::cache::ObjectKey;
use web_sys::{Element, HtmlElement};

use crate::{
    model::table::{layout::Placed, slots::Slot},
    view::cell_paint::CellPaint,
};

/// A row in the DOM.
pub(super) struct RowPaint {
    row: HtmlElement,
    columns: Vec<Placed>,
    /// One for each column.
    cells: Vec<CellPaint>,
    /// Whose row it is and at which place of the table; none while it is hidden.
    shown: Option<(ObjectKey, usize)>,
    marks: Marks,
}

/// What a row is besides what it shows.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// Chosen by the person.
    pub(super) chosen: bool,
    /// Where the cursor is.
    pub(super) active: bool,
    /// Open beside the table.
    pub(super) open: bool,
    /// An earlier state than the server has: how that is said.
    pub(super) stale: Option<&'static str>,
}

impl RowPaint {
    /// A row that is hidden and shows nothing yet.
    pub(super) fn new(row: HtmlElement) -> RowPaint {
        RowPaint { row, columns: Vec::new(), cells: Vec::new(), shown: None, marks: Marks::default() }
    }

    /// Has a cell for each of these columns.
    pub(super) fn lay_out(&mut self, columns: &[Placed], address: impl Fn(&ObjectKey) -> String) {
        if self.columns == columns {
            return;
        }
        let Some(document) = self.row.owner_document() else { return };
        self.row.set_text_content(None);
        self.columns = columns.to_vec();
        self.cells = (0..).zip(columns).filter_map(|(at, column)| CellPaint::new(&document, column, at)).collect();
        for cell in &self.cells {
            self.row.append_child(cell.element()).ok();
        }
        self.lead(address);
    }

    /// Whether any of it changes as time goes by.
    pub(super) fn ticks(&self, slot: &Slot) -> bool {
        self.cells.iter().any(|cell| cell.ticks(slot.shown.row()))
    }

    /// Shows what is in the slot at this time.
    pub(super) fn show(&mut self, slot: Option<&Slot>, marks: Marks, now: i64, address: impl Fn(&ObjectKey) -> String) {
        self.identify(slot, address);
        self.mark(marks);
        let change = slot.map_or((0, 0), |slot| (slot.changed, slot.revision));
        for cell in &mut self.cells {
            cell.show(slot.map(|slot| slot.shown.row()), now, change);
        }
    }

    /// Leads to this address.
    pub(super) fn lead(&self, address: impl Fn(&ObjectKey) -> String) {
        if let Some((key, _)) = &self.shown {
            let address = address(key);
            self.cells.iter().for_each(|cell| cell.lead(&address));
        }
    }

    fn identify(&mut self, slot: Option<&Slot>, address: impl Fn(&ObjectKey) -> String) {
        let Some(slot) = slot else {
            if self.shown.take().is_some() {
                set(&self.row, "hidden", Some(""));
                set(&self.row, "data-name", None);
                set(&self.row, "data-namespace", None);
            }
            return;
        };
        let before = self.shown.as_ref();
        let (same, still) = before.map_or((false, false), |(key, place)| (*key == slot.key, *place == slot.place));
        if before.is_none() {
            set(&self.row, "hidden", None);
        }
        if !same {
            set(&self.row, "data-name", Some(slot.key.name()));
            set(&self.row, "data-namespace", Some(slot.key.namespace()));
        }
        if !still {
            // The head is the first row.
            set(&self.row, "aria-rowindex", Some(&(slot.place + 2).to_string()));
            self.row.style().set_property("--place", &slot.place.to_string()).ok();
        }
        if !same || !still {
            self.shown = Some((slot.key.clone(), slot.place));
        }
        if !same {
            self.lead(address);
        }
    }

    fn mark(&mut self, marks: Marks) {
        let before = std::mem::replace(&mut self.marks, marks);
        if before.chosen != marks.chosen {
            set(&self.row, "aria-selected", Some(if marks.chosen { "true" } else { "false" }));
        }
        if before.active != marks.active {
            set(&self.row, "data-active", marks.active.then_some(""));
        }
        if before.open != marks.open {
            set(&self.row, "data-open", marks.open.then_some(""));
        }
        if before.stale != marks.stale {
            set(&self.row, "data-stale", marks.stale.map(|_| ""));
            set(&self.row, "title", marks.stale);
        }
    }
}

/// Writes an attribute, or takes it away. Ours have names that browsers take.
pub(super) fn set(element: &Element, name: &str, value: Option<&str>) {
    match value {
        Some(value) => element.set_attribute(name, value).ok(),
        None => element.remove_attribute(name).ok(),
    };
}
