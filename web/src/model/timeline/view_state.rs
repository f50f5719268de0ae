//! What decides what the timeline shows, as an address holds it.

use super::{
    lanes::{Grouping, LaneSort},
    strip::Reach,
    window::Window,
};

/// Everything a link has to hold to show the same timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewState {
    /// What the lanes show.
    pub window: Window,
    /// What the strip shows.
    pub reach: Reach,
    /// What lanes are lanes of.
    pub grouping: Grouping,
    /// Their order.
    pub sort: LaneSort,
    /// The filter as it was typed, mistakes included.
    pub filter: String,
    /// Whether the table fills the page.
    pub table: bool,
}

impl ViewState {
    /// As one word of an address, without the filter: the window, then what is not as always, with commas between.
    pub fn print(&self) -> String {
        let usual = ViewState::default();
        let mut words = vec![self.window.print()];
        let mut add = |is_usual: bool, word: &str| {
            if !is_usual {
                words.push(word.to_owned());
            }
        };
        add(self.reach == usual.reach, self.reach.name());
        add(self.grouping == usual.grouping, self.grouping.name());
        add(self.sort == usual.sort, self.sort.name());
        add(!self.table, TABLE);
        if words == [usual.window.print()] { String::new() } else { words.join(",") }
    }

    /// Reads what [`print`](Self::print) writes, with the filter; what cannot be read is as always.
    pub fn parse(text: &str, filter: &str) -> ViewState {
        let mut state = ViewState { filter: filter.to_owned(), ..ViewState::default() };
        for word in text.split(',') {
            state.window = Window::parse(word).unwrap_or(state.window);
            state.reach = named(&Reach::ALL, word, Reach::name).unwrap_or(state.reach);
            state.grouping = named(&Grouping::ALL, word, Grouping::name).unwrap_or(state.grouping);
            state.sort = named(&LaneSort::ALL, word, LaneSort::name).unwrap_or(state.sort);
            state.table |= word == TABLE;
        }
        state
    }
}

const TABLE: &str = "table";

/// The names of reaches, groupings and orders differ, so that each says by itself what it is.
fn named<T: Copy>(all: &[T], word: &str, name: fn(T) -> &'static str) -> Option<T> {
    all.iter().copied().find(|one| name(*one) == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_holds_all_of_it() {
        let state = ViewState {
            window: Window::Fixed { start: 1_794_836_188_000, span: 90_000 },
            reach: Reach::Day,
            grouping: Grouping::Reason,
            sort: LaneSort::Recency,
            filter: "kind=Pod time out".into(),
            table: true,
        };
        assert_eq!(state.print(), "2026-11-16T13:36:28Z~1m30s,24h,reason,recency,table");
        assert_eq!(ViewState::parse(&state.print(), &state.filter), state);
        assert_eq!(ViewState::default().print(), "");
        assert_eq!(ViewState::parse("", ""), ViewState::default());
    }

    #[test]
    fn what_cannot_be_read_is_as_always() {
        assert_eq!(ViewState::parse("soon~5m,9h,colour,,live~9d", ""), ViewState::default());
    }
}
