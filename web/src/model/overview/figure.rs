//! A number, and the table that shows what it counts.

use super::tally::Tally;
use crate::model::{filter::term, table::cell::Tone};

/// A figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The server's word for what it counts; empty where the page has one.
    pub word: String,
    /// How many.
    pub count: usize,
    /// How much attention it asks for.
    pub tone: Tone,
    /// The id of the kind in whose table they are.
    pub kind: &'static str,
    /// The filter that shows them; empty where there are too many to name.
    pub filter: String,
}

impl Figure {
    pub(super) fn of_state(kind: &'static str, column: &str, word: &str, tally: &Tally) -> Figure {
        let filter = term(column, word);
        Figure { word: word.to_owned(), count: tally.count(), tone: tally.tone(), kind, filter }
    }

    pub(super) fn of_names(kind: &'static str, word: &str, tally: &Tally) -> Figure {
        let names = tally.names().map(|names| names.map(|(_, name)| name.to_owned()).collect::<Vec<_>>());
        let filter = match names.as_deref() {
            None | Some([]) => String::new(),
            Some(names) => format!("name={}", names.join(",")),
        };
        Figure { word: word.to_owned(), count: tally.count(), tone: tally.tone(), kind, filter }
    }

    pub(super) fn most_first(figures: impl Iterator<Item = Figure>) -> Vec<Figure> {
        let mut figures: Vec<Figure> = figures.collect();
        figures.sort_by(|one, other| (other.count, &one.word).cmp(&(one.count, &other.word)));
        figures.truncate(MOST);
        figures
    }
}

/// As many as a person compares.
const MOST: usize = 8;
