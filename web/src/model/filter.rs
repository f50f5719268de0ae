//! A filter of rows by free text.

use std::fmt;

use crate::model::table::{cell::Cell, column::Column, row::Row};

/// Decides which rows are shown; the default one shows all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    text: String,
}

/// Why a filter cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake(String);

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Filter {
    /// Reads a filter.
    pub fn parse(text: &str, _columns: &[Column]) -> Result<Filter, Mistake> {
        Ok(Filter { text: text.trim().to_lowercase() })
    }

    /// Whether a row is shown.
    pub fn matches(&self, row: &Row, _now: i64) -> bool {
        let has = |text: &str| text.to_lowercase().contains(&self.text);
        self.text.is_empty()
            || has(&row.name)
            || has(&row.namespace)
            || row.cells.iter().any(|cell| matches!(cell, Cell::Text(text) | Cell::Status(text, _) if has(text)))
    }
}
