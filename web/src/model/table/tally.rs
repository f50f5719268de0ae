//! How many rows there are of each state.

use std::collections::BTreeMap;

use crate::model::table::{
    cell::{Cell, Tone},
    row::Row,
};

/// Counts rows by the word in their first status cell. A word that was once there stays, with a count of none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many rows have a word, by how much attention it asks for in each: a pod that runs may be ready or not.
    states: BTreeMap<String, [usize; TONES.len()]>,
}

/// How many rows have a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// How many there are.
    pub count: usize,
    /// How much attention it asks for in most rows.
    pub tone: Tone,
}

const TONES: [Tone; 4] = [Tone::Quiet, Tone::Busy, Tone::Warning, Tone::Failure];

impl Tally {
    pub(super) fn add(&mut self, row: &Row) {
        let Some((word, tone)) = state(row) else { return };
        if let Some(counts) = self.states.get_mut(word) {
            counts[tone as usize] += 1;
        } else if self.states.len() < WORDS {
            let mut counts = [0; TONES.len()];
            counts[tone as usize] = 1;
            self.states.insert(word.to_owned(), counts);
        }
    }

    pub(super) fn remove(&mut self, row: &Row) {
        if let Some((word, tone)) = state(row)
            && let Some(counts) = self.states.get_mut(word)
        {
            counts[tone as usize] = counts[tone as usize].saturating_sub(1);
        }
    }

    /// The states, the most frequent of the quiet ones first, then what asks for attention, by count.
    pub fn states(&self) -> Vec<(&str, State)> {
        let mut states: Vec<(&str, State)> =
            self.states.iter().map(|(word, counts)| (word.as_str(), State::of(counts))).collect();
        states.sort_by_key(|(_, state)| (state.tone, std::cmp::Reverse(state.count)));
        states
    }
}

impl State {
    fn of(counts: &[usize; TONES.len()]) -> State {
        let most = TONES.into_iter().rev().max_by_key(|tone| counts[*tone as usize]).unwrap_or_default();
        State { count: counts.iter().sum(), tone: most }
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

    fn states(tally: &Tally) -> Vec<String> {
        tally.states().iter().map(|(word, state)| format!("{word} {} {:?}", state.count, state.tone)).collect()
    }

    #[test]
    fn a_state_that_nobody_has_any_more_stays_with_a_count_of_none() {
        let mut tally = Tally::default();
        let (running, failed) = (row("a/x", "Running", Tone::Quiet), row("a/y", "Error", Tone::Failure));
        [&failed, &running, &running].iter().for_each(|row| tally.add(row));
        assert_eq!(states(&tally), ["Running 2 Quiet", "Error 1 Failure"]);
        tally.remove(&failed);
        assert!(states(&tally).iter().any(|state| state.starts_with("Error 0")));
    }

    #[test]
    fn a_state_has_the_tone_of_most_of_its_rows() {
        let mut tally = Tally::default();
        let unready = row("a/z", "Running", Tone::Warning);
        ["a/x", "a/y"].iter().for_each(|key| tally.add(&row(key, "Running", Tone::Quiet)));
        tally.add(&unready);
        assert_eq!(states(&tally), ["Running 3 Quiet"]);
        tally.add(&unready);
        tally.add(&unready);
        assert_eq!(states(&tally), ["Running 5 Warning"]);
    }
}
