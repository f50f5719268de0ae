//! The namespace table as signals: one per row, one for the order.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use leptos::prelude::{ArcRwSignal, GetUntracked, RwSignal, Set, Update};
use masthead::Error;

use crate::model::{
    namespace::Namespace,
    rows::{Change, Changed, Rows},
    screen::Filled,
};

/// A row as a view reads it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) namespace: Namespace,
    /// How often the row changed since it was first listed; 0 while it is as the first list had it.
    pub(crate) revision: u32,
}

/// A row's identity and its signal. Equal uids are the same row for as long as it lives.
#[derive(Clone, Debug)]
pub(crate) struct RowSignal {
    pub(crate) uid: Arc<str>,
    pub(crate) row: ArcRwSignal<Row>,
}

/// Objects that the server sent and this page could not read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Unread {
    pub(crate) count: usize,
    /// The latest reason.
    pub(crate) latest: String,
}

/// What views read of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableSignals {
    pub(crate) order: RwSignal<Vec<RowSignal>>,
    pub(crate) filled: RwSignal<Filled>,
    pub(crate) unread: RwSignal<Unread>,
}

impl TableSignals {
    pub(crate) fn new() -> Self {
        Self {
            order: RwSignal::new(Vec::new()),
            filled: RwSignal::new(Filled::default()),
            unread: RwSignal::new(Unread::default()),
        }
    }
}

/// The one writer of the table's signals.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Rows,
    cells: HashMap<Arc<str>, ArcRwSignal<Row>>,
    signals: TableSignals,
    /// The uids of the list under way.
    seen: HashSet<String>,
    /// Rows of the first list are not news.
    listed_once: bool,
}

impl Table {
    pub(crate) fn new(signals: TableSignals) -> Self {
        Self { rows: Rows::default(), cells: HashMap::new(), signals, seen: HashSet::new(), listed_once: false }
    }

    /// A list begins.
    pub(crate) fn begin_list(&mut self) {
        self.seen.clear();
        self.signals.unread.set(Unread::default());
    }

    /// One page of the list: its rows are on screen at once.
    pub(crate) fn page(&mut self, items: Vec<Namespace>) {
        self.seen.extend(items.iter().map(|item| item.uid.clone()));
        self.apply(items.into_iter().map(Change::Present));
    }

    /// The list is complete: rows it did not have are gone.
    pub(crate) fn end_list(&mut self) {
        let changed = self.rows.retain(&self.seen);
        self.seen = HashSet::new();
        self.publish(changed);
        self.listed_once = true;
        self.signals.filled.set(Filled::Rows(self.rows.order().len()));
    }

    /// A batch of changes from the watch.
    pub(crate) fn apply(&mut self, batch: impl IntoIterator<Item = Change>) {
        let changed = self.rows.apply(batch);
        self.publish(changed);
    }

    /// Reports objects that could not be read.
    pub(crate) fn report(&mut self, errors: &[Error]) {
        if let Some(latest) = errors.last() {
            self.signals.unread.update(|unread| {
                unread.count += errors.len();
                unread.latest = latest.to_string();
            });
        }
    }

    fn publish(&mut self, changed: Changed) {
        if changed.is_empty() {
            return;
        }
        let mut moved = !changed.removed.is_empty();
        for uid in changed.removed {
            self.cells.remove(&uid);
        }
        for uid in changed.written {
            let Some(namespace) = self.rows.get(&uid).cloned() else { continue };
            match self.cells.get(&uid) {
                Some(cell) => cell.update(|row| {
                    row.namespace = namespace;
                    row.revision = row.revision.wrapping_add(1).max(1);
                }),
                None => {
                    let revision = u32::from(self.listed_once);
                    self.cells.insert(uid, ArcRwSignal::new(Row { namespace, revision }));
                    moved = true;
                }
            }
        }
        if moved {
            self.publish_order();
        }
    }

    fn publish_order(&self) {
        let order: Vec<RowSignal> = self
            .rows
            .order()
            .iter()
            .filter_map(|uid| Some(RowSignal { uid: uid.clone(), row: self.cells.get(uid)?.clone() }))
            .collect();
        let filled = Filled::Rows(order.len());
        self.signals.order.set(order);
        let counted = self.listed_once || filled != Filled::Rows(0);
        if counted && self.signals.filled.get_untracked() != filled {
            self.signals.filled.set(filled);
        }
    }
}
