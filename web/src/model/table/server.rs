//! Rows of the server's own tables: any kind that this page has no columns of its own for.

use std::rc::Rc;

use masthead::{
    lean::Interned,
    table::{self, TableRow},
};
use serde_json::Value;

use crate::model::{
    table::{
        cell::{Cell, Tone},
        column::Column,
        load::Load,
        row::{Owner, Row},
    },
    timestamp,
};

/// The server's columns as this page has them.
pub fn columns(columns: &[table::Column]) -> Vec<Column> {
    let column = |column: &table::Column| Column {
        title: column.name.to_ascii_uppercase(),
        wide: column.priority > 0,
        numeric: matches!(column.kind.as_str(), "integer" | "number"),
    };
    columns.iter().map(column).collect()
}

/// A row of the server's as this page has it. Its `AGE` ticks, where the server's is a text of the moment.
pub fn row(row: &TableRow) -> Row {
    let metadata = row.row.metadata().unwrap_or(&Value::Null);
    let text = |field: &str| metadata[field].as_str().unwrap_or_default();
    let created = timestamp::parse(text("creationTimestamp"));
    let cell = |(column, value): (&table::Column, &Value)| match column.name.to_ascii_uppercase().as_str() {
        "AGE" | "CREATED AT" if created.is_some() => Cell::Age(created),
        title => cell(title, &column.kind, value),
    };
    let cells: Box<[Cell]> = row.columns.iter().zip(&row.row.cells).map(cell).collect();
    let labels = metadata["labels"].as_object().into_iter().flatten();
    let label = |(key, value): (&String, &Value)| Some((key.as_str().into(), value.as_str()?.into()));
    let mut owners = metadata["ownerReferences"].as_array().into_iter().flatten();
    Row {
        uid: text("uid").into(),
        version: text("resourceVersion").into(),
        namespace: text("namespace").into(),
        name: text("name").into(),
        labels: labels.filter_map(label).collect::<Rc<[_]>>(),
        owner: owners.find(|owner| owner["controller"] == true).map(|owner| {
            let [kind, name, uid] =
                ["kind", "name", "uid"].map(|field| owner[field].as_str().unwrap_or_default().into());
            Owner { kind, name, uid }
        }),
        created,
        tone: cells.iter().map(tone).max().unwrap_or_default(),
        load: Load::default(),
        life: None,
        cells,
    }
}

fn cell(title: &str, kind: &str, value: &Value) -> Cell {
    match (kind, value) {
        (_, Value::Null) => Cell::Text(Interned::default()),
        ("integer" | "number", Value::Number(number)) => match number.as_i64() {
            Some(count) => Cell::Count(count),
            None => Cell::Quantity(number.to_string().as_str().into(), number.as_f64().unwrap_or(f64::NAN)),
        },
        ("date", Value::String(text)) => match (timestamp::parse(text), seconds(text)) {
            (Some(time), _) => Cell::Age(Some(time)),
            (None, Some(seconds)) => Cell::Quantity(text.as_str().into(), seconds),
            (None, None) => Cell::Text(text.as_str().into()),
        },
        (_, Value::String(text)) => word(title, text),
        (_, other) => word(title, &other.to_string()),
    }
}

fn word(title: &str, text: &str) -> Cell {
    let says_how = matches!(title, "STATUS" | "STATE" | "PHASE" | "READY" | "HEALTH" | "SYNC STATUS" | "HEALTH STATUS");
    match judged(text) {
        Some(tone) if says_how => Cell::Status(text.into(), tone),
        None if says_how && !text.is_empty() && title != "READY" => Cell::Status(text.into(), Tone::Quiet),
        _ => Cell::Text(text.into()),
    }
}

/// What words that controllers write into such columns mean.
fn judged(text: &str) -> Option<Tone> {
    let tone = match text.to_ascii_lowercase().as_str() {
        "true" | "ready" | "running" | "active" | "bound" | "available" | "succeeded" | "healthy" | "synced"
        | "completed" | "complete" | "established" | "approved,issued" => Tone::Quiet,
        "pending" | "progressing" | "creating" | "terminating" | "reconciling" | "issuing" | "provisioning"
        | "waiting" | "updating" => Tone::Busy,
        "false" | "unknown" | "outofsync" | "suspended" | "missing" | "notready" => Tone::Warning,
        "failed" | "error" | "degraded" | "denied" | "invalid" | "lost" | "crashloopbackoff" => Tone::Failure,
        _ => return None,
    };
    Some(tone)
}

fn tone(cell: &Cell) -> Tone {
    match cell {
        Cell::Status(_, tone) => *tone,
        _ => Tone::Quiet,
    }
}

/// How long `3d4h` is, so that ages of which nothing else is known sort by what they mean.
fn seconds(text: &str) -> Option<f64> {
    let (mut sum, mut number) = (0.0, None::<f64>);
    for letter in text.chars() {
        match letter.to_digit(10) {
            Some(digit) => number = Some(number.unwrap_or(0.0) * 10.0 + f64::from(digit)),
            None => {
                let unit = match letter {
                    's' => 1.0,
                    'm' => 60.0,
                    'h' => 3600.0,
                    'd' => 86_400.0,
                    'y' => 31_536_000.0,
                    _ => return None,
                };
                sum += number.take()? * unit;
            }
        }
    }
    (number.is_none() && !text.is_empty()).then_some(sum)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn served(columns: &[(&str, &str)], cells: Vec<Value>) -> TableRow {
        let column = |(name, kind): &(&str, &str)| table::Column {
            name: (*name).into(),
            kind: (*kind).into(),
            priority: i32::from(*name == "Wide"),
            ..table::Column::default()
        };
        let object = json!({
            "apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata",
            "metadata": {
                "name": "r1", "namespace": "shop", "uid": "u", "resourceVersion": "7", "labels": { "app": "web" },
                "creationTimestamp": "2026-11-16T13:36:28Z",
                "ownerReferences": [{ "apiVersion": "v1", "kind": "Fleet", "name": "f", "uid": "o", "controller": true }]
            }
        });
        let row = serde_json::from_value(json!({ "cells": cells, "object": object })).expect("a row");
        TableRow { columns: columns.iter().map(column).collect(), row }
    }

    #[test]
    fn cells_have_values_and_ages_tick() {
        let served = served(
            &[
                ("Name", "string"),
                ("Count", "integer"),
                ("Ratio", "number"),
                ("Phase", "string"),
                ("Wide", "date"),
                ("Age", "date"),
                ("None", "string"),
            ],
            vec![json!("r1"), json!(3), json!(0.5), json!("Degraded"), json!("3d4h"), json!("9d"), Value::Null],
        );
        let row = row(&served);
        let created = timestamp::parse("2026-11-16T13:36:28Z");
        let expected = [
            Cell::Text("r1".into()),
            Cell::Count(3),
            Cell::Quantity("0.5".into(), 0.5),
            Cell::Status("Degraded".into(), Tone::Failure),
            Cell::Quantity("3d4h".into(), 273_600.0),
            Cell::Age(created),
            Cell::Text("".into()),
        ];
        assert_eq!(*row.cells, expected);
        assert_eq!((row.tone, row.label("app"), row.created), (Tone::Failure, Some("web"), created));
        assert_eq!(row.owner.map(|owner| owner.name.to_string()).as_deref(), Some("f"));
        let columns = columns(&served.columns);
        assert_eq!(
            columns.iter().filter(|column| column.wide).map(|column| column.title.as_str()).collect::<Vec<_>>(),
            ["WIDE"]
        );
    }

    #[test]
    fn only_durations_are_durations() {
        assert_eq!(seconds("2y1d"), Some(63_158_400.0));
        for text in ["", "5", "d", "5x", "<unknown>", "5d3"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
