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
    /// The rows of a table; those of no object that could be told from others are among the skipped.
    pub(super) fn of_table(table: &mut Table) -> Vec<TableRow> {
        let rows = std::mem::take(&mut table.rows).into_iter();
        let rows = rows.map(|row| TableRow { columns: Rc::clone(&table.columns), row });
        let (named, nameless): (Vec<_>, Vec<_>) = rows.partition(|row| !row.text("name").is_empty());
        table.skipped.extend(nameless.iter().map(|_| wrong("a row without metadata.name")));
        named
    }

    /// The row of an event, which is a table of one.
    pub(super) fn of_event(mut table: Table) -> Result<TableRow, Error> {
        let row = TableRow::of_table(&mut table).into_iter().next();
        row.ok_or_else(|| table.skipped.pop().unwrap_or_else(|| wrong("an event without a row")))
    }

    fn text(&self, field: &str) -> &str {
        self.row.metadata().and_then(|metadata| metadata.get(field)?.as_str()).unwrap_or_default()
    }
}

impl Object for TableRow {
    fn key(&self) -> ObjectKey {
        ObjectKey::new(self.text("namespace"), self.text("name"))
    }

    fn resource_version(&self) -> &str {
        self.text("resourceVersion")
    }

    fn uid(&self) -> &str {
        self.text("uid")
    }
}

impl Labelled for TableRow {
    fn label(&self, key: &str) -> Option<&str> {
        self.row.metadata()?.get("labels")?.get(key)?.as_str()
    }
}

fn wrong(why: &str) -> Error {
    Error::undecodable("read table", serde::de::Error::custom(why))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Table, TableRow};

    #[test]
    fn a_row_that_names_no_object_is_told_and_costs_no_other() {
        let row = |object| serde_json::from_value(json!({ "cells": [], "object": object })).expect("a row");
        let mut table = Table {
            columns: [].into(),
            rows: vec![row(json!({ "metadata": { "name": "a" } })), row(json!({ "metadata": {} })), row(json!(null))],
            resource_version: String::new(),
            continue_token: None,
            remaining_item_count: None,
            skipped: Vec::new(),
        };
        let rows = TableRow::of_table(&mut table);
        assert_eq!(rows.iter().map(|row| row.text("name")).collect::<Vec<_>>(), ["a"]);
        assert_eq!(table.skipped.len(), 2);
    }
}
