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
    /// The parameters of an address; what is as always is left out. Values are not escaped.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        let mut params = Vec::new();
        let usual = ViewState::default();
        let mut add = |name: &'static str, is_usual: bool, value: String| {
            if !is_usual {
                params.push((name, value));
            }
        };
        add("window", self.window == usual.window, self.window.print());
        add("range", self.reach == usual.reach, self.reach.name().to_owned());
        add("group", self.grouping == usual.grouping, self.grouping.name().to_owned());
        add("order", self.sort == usual.sort, self.sort.name().to_owned());
        add("filter", self.filter.is_empty(), self.filter.clone());
        add("show", !self.table, "table".to_owned());
        params
    }

    /// Reads what [`params`](Self::params) gives; what cannot be read is as always.
    pub fn read<'a>(params: impl IntoIterator<Item = (&'a str, &'a str)>) -> ViewState {
        let mut state = ViewState::default();
        for (name, value) in params {
            match name {
                "window" => state.window = Window::parse(value).unwrap_or_default(),
                "range" => state.reach = named(&Reach::ALL, value, |reach| reach.name()),
                "group" => state.grouping = named(&Grouping::ALL, value, |grouping| grouping.name()),
                "order" => state.sort = named(&LaneSort::ALL, value, |sort| sort.name()),
                "filter" => state.filter = value.to_owned(),
                "show" => state.table = value == "table",
                _ => {}
            }
        }
        state
    }
}

fn named<T: Copy + Default>(all: &[T], value: &str, name: impl Fn(T) -> &'static str) -> T {
    all.iter().copied().find(|one| name(*one) == value).unwrap_or_default()
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
        let params = state.params();
        assert_eq!(params.len(), 6);
        assert_eq!(ViewState::read(params.iter().map(|(name, value)| (*name, value.as_str()))), state);
        assert!(ViewState::default().params().is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_as_always() {
        let params = [("window", "soon"), ("range", "9h"), ("group", "colour"), ("order", ""), ("what", "ever")];
        assert_eq!(ViewState::read(params), ViewState::default());
    }
}
