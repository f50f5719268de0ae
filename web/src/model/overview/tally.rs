//! Objects of one state.

use std::collections::BTreeSet;

use crate::model::table::{
    cell::{Cell, Tone},
    row::Row,
};

/// How many objects there are of a state, and some of their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    count: usize,
    worst: Tone,
    /// At most [`NAMES`]: for a link, which has no room for more.
    names: BTreeSet<(Box<str>, Box<str>)>,
}

const NAMES: usize = 20;

impl Tally {
    pub(super) fn add(&mut self, row: &Row) {
        self.count += 1;
        let state = row.cells.iter().find_map(|cell| if let Cell::Status(_, tone) = cell { Some(*tone) } else { None });
        self.worst = self.worst.max(row.tone).max(state.unwrap_or_default());
        if self.names.len() < NAMES {
            self.names.insert(name(row));
        }
    }

    pub(super) fn remove(&mut self, row: &Row) {
        self.count = self.count.saturating_sub(1);
        self.names.remove(&name(row));
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn tone(&self) -> Tone {
        self.worst
    }

    /// The names, if all are known.
    pub(super) fn names(&self) -> Option<impl Iterator<Item = (&str, &str)>> {
        let all = self.names.len() == self.count;
        all.then(|| self.names.iter().map(|(namespace, name)| (&**namespace, &**name)))
    }
}

fn name(row: &Row) -> (Box<str>, Box<str>) {
    (row.namespace.as_str().into(), row.name.as_str().into())
}
