//! Cells of columns that a person added.

use std::rc::Rc;

use serde_json::Value;

use crate::model::{
    custom_column::CustomColumn,
    table::{grid::Shown, row::Row},
};

/// Adds cells to rows. Without columns of that kind rows stay what they are.
pub(super) struct Maker {
    custom: Vec<CustomColumn>,
}

impl Maker {
    pub(super) fn new(custom: Vec<CustomColumn>) -> Maker {
        Maker { custom }
    }

    /// The row with the cells that were added. The object is unpacked only for columns that look into it; where it is not
    /// here, as with the server's own tables, they are empty.
    pub(super) fn make(&self, shown: Shown) -> Shown {
        if self.custom.is_empty() {
            return shown;
        }
        let object = match &shown {
            Shown::Packed(packed) if !self.custom.iter().all(CustomColumn::is_label) => {
                packed.read().unwrap_or_default()
            }
            _ => Value::Null,
        };
        let row = shown.row();
        let more = self.custom.iter().map(|column| column.cell(row, &object));
        let cells = row.cells.iter().cloned().chain(more).collect();
        Shown::Made(Rc::new(Row { cells, ..row.clone() }))
    }
}
