//! A row with its columns, as a cache holds it.

use std::rc::Rc;

use super::{Column, Row, Table};
use crate::{
    Error,
    cache::{Labelled, Object, ObjectKey},
    rest::EventType,
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
    /// The rows of a table; those whose metadata cannot be read are among the skipped.
    pub(super) fn of_table(table: &mut Table) -> Vec<TableRow> {
        TableRow::of_rows(table, None)
    }

    /// The row of an event of this type, which is a table of one.
    pub(super) fn of_event(mut table: Table, event: Option<EventType>) -> Result<TableRow, Error> {
        let row = TableRow::of_rows(&mut table, event).into_iter().next();
        row.ok_or_else(|| table.skipped.pop().unwrap_or_else(|| wrong("an event without a row")))
    }

    fn of_rows(table: &mut Table, event: Option<EventType>) -> Vec<TableRow> {
        let rows = std::mem::take(&mut table.rows).into_iter();
        let rows = rows.map(|row| TableRow { columns: Rc::clone(&table.columns), row });
        let (read, unread): (Vec<_>, Vec<_>) = rows.partition(|row| row.wrong_field().is_none());
        table.skipped.extend(unread.into_iter().map(|row| {
            let field = row.wrong_field().unwrap_or_default();
            let object = serde_json::to_vec(&row.row.object).unwrap_or_default();
            wrong(&format!("metadata.{field} is no text")).in_object(&object, event)
        }));
        read
    }

    /// The field of the metadata that tells objects and their states apart, and cannot be read.
    fn wrong_field(&self) -> Option<&'static str> {
        let field =
            |name: &str| self.row.metadata().and_then(|metadata| metadata.get(name)).filter(|value| !value.is_null());
        if self.text("name").is_empty() {
            return Some("name");
        }
        ["namespace", "uid", "resourceVersion"]
            .into_iter()
            .find(|name| field(name).is_some_and(|value| !value.is_string()))
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

    #[test]
    fn metadata_of_the_wrong_type_is_not_taken_for_absent() {
        let row = |metadata: &str| {
            let row = format!(r#"{{"cells":[],"object":{{"metadata":{metadata}}}}}"#);
            serde_json::from_str(&row).expect("a row")
        };
        let mut table = Table {
            columns: [].into(),
            rows: vec![
                row(r#"{"name":"a","namespace":null}"#),
                row(r#"{"name":"b","namespace":7}"#),
                row(r#"{"name":"c","resourceVersion":7}"#),
                row(r#"{"name":"d","uid":{}}"#),
            ],
            resource_version: String::new(),
            continue_token: None,
            remaining_item_count: None,
            skipped: Vec::new(),
        };
        assert_eq!(TableRow::of_table(&mut table).len(), 1);
        let known: Vec<_> = table
            .skipped
            .iter()
            .map(|error| error.undecodable_object().map(|object| object.key().to_string()))
            .collect();
        assert_eq!(known, [None, Some("c".to_owned()), Some("d".to_owned())]);
    }
}
