//! How many rows there are of each state.

use std::collections::BTreeMap;

use crate::model::table::{
    cell::{Cell, Tone},
    row::Row,
};

/// Counts rows by the word in their first status cell. A word that was once there stays, with a count of none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    states: BTreeMap<String, State>,
}

/// How many rows have a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// How many there are.
    pub count: usize,
    /// How much attention it asks for.
    pub tone: Tone,
}

impl Tally {
    pub(super) fn add(&mut self, row: &Row) {
        let Some((word, tone)) = state(row) else { return };
        if let Some(state) = self.states.get_mut(word) {
            *state = State { count: state.count + 1, tone };
        } else if self.states.len() < WORDS {
            self.states.insert(word.to_owned(), State { count: 1, tone });
        }
    }

    pub(super) fn remove(&mut self, row: &Row) {
        if let Some(known) = state(row).and_then(|(word, _)| self.states.get_mut(word)) {
            known.count = known.count.saturating_sub(1);
        }
    }

    /// The states, the most frequent of the quiet ones first, then what asks for attention, by count.
    pub fn states(&self) -> Vec<(&str, State)> {
        let mut states: Vec<(&str, State)> = self.states.iter().map(|(word, state)| (word.as_str(), *state)).collect();
        states.sort_by_key(|(_, state)| (state.tone, std::cmp::Reverse(state.count)));
        states
    }
}

/// Servers have a few dozen words; what people put into the columns of their own kinds has no end.
const WORDS: usize = 64;

fn state(row: &Row) -> Option<(&str, Tone)> {
    row.cells.iter().find_map(|cell| match cell {
        Cell::Status(word, tone) => Some((word.as_str(), *tone)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::table::fixture::row;

    #[test]
    fn a_state_that_nobody_has_any_more_stays_with_a_count_of_none() {
        let mut tally = Tally::default();
        let (running, failed) = (row("a/x", "Running", Tone::Quiet), row("a/y", "Error", Tone::Failure));
        [&failed, &running, &running].iter().for_each(|row| tally.add(row));
        tally.remove(&failed);
        let states: Vec<String> =
            tally.states().iter().map(|(word, state)| format!("{word} {}", state.count)).collect();
        assert_eq!(states, ["Running 2", "Error 0"]);
    }
}
