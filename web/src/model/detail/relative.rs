//! A related object in a line.

use super::Told;
use crate::model::table::{cell::Cell, column::Column, row::Row};

/// An object as a line of a small table tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// Its uid.
    pub uid: String,
    /// The version that the line shows. Opaque.
    pub version: String,
    /// Its namespace; empty for what has none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// A value for each of its kind's columns but the name and those for wide tables.
    pub cells: Vec<Told>,
}

impl Relative {
    /// The line of an object whose kind has these columns.
    pub fn of(row: &Row, columns: &[Column]) -> Relative {
        let cells = columns.iter().zip(&row.cells).skip(1).filter(|(column, _)| !column.wide);
        let cells = cells.map(|(_, cell)| match cell {
            Cell::Status(word, tone) => Told::State(word.to_string(), *tone),
            Cell::Age(Some(time)) => Told::Time(*time),
            Cell::Restarts { count, .. } => Told::Text(count.to_string()),
            cell => Told::Text(cell.text(0)),
        });
        Relative {
            uid: row.uid.to_string(),
            version: row.version.to_string(),
            namespace: row.namespace.to_string(),
            name: row.name.to_string(),
            cells: cells.collect(),
        }
    }
}
