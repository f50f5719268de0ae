//! The filter language of tables.
//!
//! Terms stand beside each other and all must hold:
//!
//! | term | holds for rows |
//! |---|---|
//! | `web` or `"back off"` | with this text in the name, the namespace or a visible cell, in any case |
//! | `/^web-\d+$/`, `/web/i` | where such a text matches the regular expression |
//! | `status=Running`, `node=worker-*`, `ns!=kube-system` | whose cell is this, in any case; `*` stands for any text |
//! | `status=Error,Evicted`, `status in (Error, Evicted)` | whose cell is one of these |
//! | `name=/^web/` | whose cell matches the regular expression |
//! | `age<5m`, `restarts>3`, `capacity>=10Gi` | whose age, number or amount is less, or more |
//! | `app=web,tier!=db`, `tier in (a, b)`, `app=web,!canary` | whose labels match the selector |
//! | `!term` | for which the term does not hold |
//!
//! A key is a column by its title, in any case and without what is neither letter nor digit, or `name`, `ns`, `age` or
//! `owner`; any other key is a label, and so is one behind `label:`.
//!
//! A filter comes from links too, so that its length, its terms and the size of all its regular expressions together are
//! bounded. What it does to one row is bounded too, and counted: who tries it on many rows stops in time by
//! [`Filter::take_work`].

mod line;
mod memo;
mod pattern;
mod reader;
mod span;
mod term;

use std::{fmt, ops::Range};

use self::{
    pattern::Effort,
    term::{Scope, Term, Trial},
};
use crate::model::table::{column::Column, row::Row};

/// Decides which rows are shown. The default one shows all of them.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    terms: Vec<Term>,
    scope: Scope,
    effort: Effort,
}

/// How many bytes a filter has at most.
pub const LONGEST: usize = 4096;

/// Why a filter cannot be read: a sentence, and which part of the text it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The bytes of the text that are wrong.
    pub range: Range<usize>,
    /// What is wrong with them.
    pub sentence: String,
}

impl Filter {
    /// Reads a filter of rows that have these columns.
    pub fn parse(text: &str, columns: &[Column]) -> Result<Filter, Mistake> {
        let terms = reader::read(text, columns)?;
        Ok(Filter { terms, scope: Scope::of(columns), effort: Effort::default() })
    }

    /// Looks for free text in the cells at these places, and in the namespace if that is told. At first these are the
    /// cells that are not for wide tables only, and the namespace.
    #[must_use]
    pub fn showing(mut self, places: &[usize], namespace: bool) -> Filter {
        self.scope = Scope::new(places, namespace);
        self
    }

    /// Whether a row is shown, with `now` in milliseconds since 1970. Allocates nothing.
    pub fn matches(&self, row: &Row, now: i64) -> bool {
        self.effort.begin_row();
        let trial = Trial { row, scope: &self.scope, now, effort: &self.effort };
        self.terms.iter().all(|term| term.holds(trial))
    }

    /// The work done since this was last asked, in bytes that were compared; a regular expression compares each of its own
    /// with each of a text.
    pub fn take_work(&self) -> usize {
        self.effort.work.take()
    }

    /// Whether a value was so long that a term was tried on its beginning only.
    pub fn is_cut(&self) -> bool {
        self.effort.cut.get()
    }

    /// Whether it may decide otherwise about the same row as time goes by: it asks for an age, or for what an age may look
    /// like.
    pub fn ticks(&self) -> bool {
        self.terms.iter().any(Term::ticks)
    }

    /// Whether every row is shown.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// The term that asks for this value in the column of this title, written so that [`Filter::parse`] reads it as such.
pub fn term(title: &str, value: &str) -> String {
    let key: String = title.to_ascii_lowercase().replace(' ', "-");
    let is_plain = |c: char| c.is_alphanumeric() || "-_.:+%<>".contains(c);
    match !value.is_empty() && value.chars().all(is_plain) {
        true => format!("{key}={value}"),
        false => format!("{key}=\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Mistake {}

#[cfg(test)]
mod tests;
