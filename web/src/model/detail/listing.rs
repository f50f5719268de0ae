//! A few things of one sort, in lines.

use super::{Told, label::Label};

/// A small table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// What its lines are.
    pub label: Label,
    /// The heads of its columns.
    pub heads: Vec<Label>,
    /// A value for each column.
    pub lines: Vec<Vec<Told>>,
}

impl Listing {
    /// A table of these lines, unless there is none.
    pub(super) fn new(label: Label, heads: &[Label], lines: impl Iterator<Item = Vec<Told>>) -> Option<Listing> {
        let lines: Vec<Vec<Told>> = lines.collect();
        (!lines.is_empty()).then(|| Listing { label, heads: heads.to_vec(), lines })
    }
}

pub(super) fn text(text: impl Into<String>) -> Told {
    Told::Text(text.into())
}
