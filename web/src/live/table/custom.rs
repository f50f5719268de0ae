//! Cells of columns that a person added.

use std::rc::Rc;

use masthead::cache::ObjectKey;

use crate::{
    live::Feed,
    model::table::{
        cell::Cell,
        grid::Shown,
        layout::{Custom, Source},
        row::Row,
    },
};

/// Adds cells to rows. Without columns of that kind rows stay what they are.
pub(super) struct Maker {
    custom: Vec<Custom>,
}

impl Maker {
    pub(super) fn new(custom: Vec<Custom>) -> Maker {
        Maker { custom }
    }

    /// The row with the cells that were added.
    pub(super) fn make(&self, _feed: &Feed, _key: &ObjectKey, shown: Shown) -> Shown {
        if self.custom.is_empty() {
            return shown;
        }
        let row = shown.row();
        let more = self.custom.iter().map(|custom| match &custom.source {
            Source::Label(label) => Cell::Text(row.label(label).unwrap_or_default().into()),
            Source::Path(_) => Cell::Text("".into()),
        });
        let cells = row.cells.iter().cloned().chain(more).collect();
        Shown::Made(Rc::new(Row { cells, ..row.clone() }))
    }
}
