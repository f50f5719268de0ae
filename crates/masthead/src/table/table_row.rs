//! A row with its columns, as a cache holds it.

use std::rc::Rc;

use super::{Column, Row, Table};
use crate::{
    Error,
    cache::{Labelled, Object, ObjectKey},
};

/// One object's row, and what its cells are.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// What the cells are; shared by all rows of a page or a watch.
    pub columns: Rc<[Column]>,
    /// The cells, and the object's metadata.
    pub row: Row,
}

impl TableRow {
    /// The rows of a table.
    pub(super) fn of_table(table: Table) -> Vec<TableRow> {
        let columns = table.columns;
        table.rows.into_iter().map(|row| TableRow { columns: Rc::clone(&columns), row }).collect()
    }

    /// The row of an event, which is a table of one.
    pub(super) fn of_event(table: Table) -> Result<TableRow, Error> {
        let none = || Error::undecodable("watch table", serde::de::Error::custom("an event without a row"));
        TableRow::of_table(table).into_iter().next().ok_or_else(none)
    }

    fn text(&self, field: impl Fn(&kube_core::ObjectMeta) -> Option<&String>) -> &str {
        self.row.metadata().and_then(field).map_or("", String::as_str)
    }
}

impl Object for TableRow {
    fn key(&self) -> ObjectKey {
        ObjectKey::new(self.text(|metadata| metadata.namespace.as_ref()), self.text(|metadata| metadata.name.as_ref()))
    }

    fn resource_version(&self) -> &str {
        self.text(|metadata| metadata.resource_version.as_ref())
    }

    fn uid(&self) -> &str {
        self.text(|metadata| metadata.uid.as_ref())
    }
}

impl Labelled for TableRow {
    fn label(&self, key: &str) -> Option<&str> {
        self.row.metadata()?.labels.as_ref()?.get(key).map(String::as_str)
    }
}
