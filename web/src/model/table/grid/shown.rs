//! A row as a table holds it.

use std::rc::Rc;

use masthead::packed::Packed;

use crate::model::table::row::Row;

/// A row, shared with the cache that it came from where that holds rows.
#[derive(Clone, Debug)]
pub enum Shown {
    /// Of a cache of complete objects.
    Packed(Rc<Packed<Row>>),
    /// Made for the table.
    Made(Rc<Row>),
}

impl Shown {
    /// The row.
    pub fn row(&self) -> &Row {
        match self {
            Shown::Packed(packed) => packed.fields(),
            Shown::Made(row) => row,
        }
    }

    /// Whether both are one row in one state, not merely equal ones.
    pub fn is_same(&self, other: &Shown) -> bool {
        std::ptr::eq(self.row(), other.row())
    }
}
