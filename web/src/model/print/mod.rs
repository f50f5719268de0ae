//! The rows of built-in kinds, with the columns and the words of `kubectl get`.
//!
//! Each kind is a struct of the fields that its columns need, read straight from the bytes, and a function that makes cells
//! of them. Cells are values: ages tick and amounts sort by how much they are. Where there is no printer, the server's own
//! table shows the kind. Secrets have none on purpose: who lists them as objects has their data.

mod access;
mod admission;
mod autoscaler;
mod cells;
mod condition;
mod decoder;
mod event;
mod heading;
mod job;
mod limit;
mod moment;
mod nested;
mod network;
mod node;
mod plain;
mod pod;
mod presence;
mod registry;
mod requests;
mod scalar;
mod selector;
mod service;
mod subject;
mod volume;
mod words;
mod workload;

use std::{fmt, rc::Rc};

use masthead::{packed::Packed, rest::Decoder};

use crate::model::table::{column::Column, row::Row};

pub use registry::printer;

/// What makes rows of the objects of one kind.
#[derive(Clone)]
pub struct Printer {
    /// The columns, those of `kubectl get -o wide` among them.
    pub columns: Vec<Column>,
    /// Reads objects as rows, with the complete object packed behind each. All printers of a page share their texts.
    pub decoder: Rc<dyn Decoder<Packed<Row>>>,
}

impl fmt::Debug for Printer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Printer").field("columns", &self.columns).finish_non_exhaustive()
    }
}
