//! What changed of late.

use std::collections::BTreeMap;

use super::Counted;
use crate::model::table::{cell::Cell, row::Row};

/// The latest changes: at most [`Changes::MOST`], the oldest go first.
///
/// Of the time before the page was open it is known what was created then; from then on every change is seen.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// By time, and then by order of arrival.
    all: BTreeMap<(i64, u64), Change>,
    arrived: u64,
}

/// A change of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// When, in milliseconds since 1970.
    pub time: i64,
    /// What happened.
    pub what: What,
    /// The kind of the object.
    pub kind: Counted,
    /// Its namespace; empty for what has none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// What it is now, in the words of its table: `2/3`, `NotReady`.
    pub state: String,
}

/// What happened to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum What {
    Created,
    Changed,
    Deleted,
}

impl Changes {
    /// How many are kept.
    pub const MOST: usize = 40;

    pub(super) fn note(&mut self, kind: Counted, before: Option<&Row>, after: Option<&Row>, now: i64) {
        let (what, time) = match (before, after) {
            (None, Some(row)) => (What::Created, row.created.unwrap_or(now)),
            (Some(before), Some(after)) if state(before) != state(after) => (What::Changed, now),
            (Some(_), None) => (What::Deleted, now),
            _ => return,
        };
        let Some(row) = after.or(before) else { return };
        let full = self.all.len() >= Changes::MOST;
        if full && self.all.first_key_value().is_some_and(|((oldest, _), _)| time < *oldest) {
            return;
        }
        let (namespace, name) = (row.namespace.to_string(), row.name.to_string());
        self.arrived += 1;
        let change = Change { time, what, kind, namespace, name, state: state(row).unwrap_or_default() };
        self.all.insert((time, self.arrived), change);
        if self.all.len() > Changes::MOST {
            self.all.pop_first();
        }
    }

    /// The latest first.
    pub fn latest(&self, most: usize) -> Vec<Change> {
        self.all.values().rev().take(most).cloned().collect()
    }
}

/// How an object is, in the words of its table: its state, or how many there are of how many. A daemon set has both as
/// plain numbers.
fn state(row: &Row) -> Option<String> {
    let told = row.cells.iter().find(|cell| matches!(cell, Cell::Status(..) | Cell::Ratio { .. }));
    let counts = || match row.cells.get(1..4)? {
        [Cell::Count(wanted), _, Cell::Count(ready)] => Some(format!("{ready}/{wanted}")),
        _ => None,
    };
    told.map(|cell| cell.text(0)).or_else(counts)
}
