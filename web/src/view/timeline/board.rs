//! What the parts of the timeline share.

use std::ops::Range;

use leptos::prelude::*;

use crate::{
    live::{TimelineLive, clock},
    model::timeline::{
        filter::Filter,
        lane::LaneKey,
        phase::Phase,
        timeline::{Listing, Question},
        track::PointId,
        view_state::ViewState,
        window::Window,
        words::Words,
    },
};

/// The state of one timeline on screen. Copies are the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) live: TimelineLive,
    pub(super) state: RwSignal<ViewState>,
    /// Milliseconds since 1970; ticks once a second.
    pub(super) now: Signal<i64>,
    pub(super) words: Signal<&'static Words>,
    /// What the pointer is on, in the lanes or in the list.
    pub(super) pointed: RwSignal<Option<Pointed>, LocalStorage>,
    /// The lane whose points the list shows alone.
    pub(super) chosen: RwSignal<Option<Chosen>, LocalStorage>,
    /// The row that the keyboard is at.
    pub(super) cursor: RwSignal<Option<usize>>,
    /// How many pixels of lanes are above the screen.
    pub(super) scroll: RwSignal<f64>,
    /// Since when the window does not follow now.
    pub(super) paused: RwSignal<Option<i64>>,
    /// The last filter without a mistake.
    filter: StoredValue<Filter>,
    /// How many milliseconds were spent on drawing, for whoever measures.
    pub(super) spent: StoredValue<f64>,
}

/// What a pointer is on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pointed {
    /// A place in the lanes.
    Lane(LaneSpot),
    /// A row of the list.
    Listed(PointId),
}

/// A place in the lanes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LaneSpot {
    /// Where, in pixels of the canvas.
    pub(super) at: (f64, f64),
    /// The row's place among all.
    pub(super) place: usize,
    /// What it is a lane of, and whether it is open.
    pub(super) lane: (LaneKey, bool),
    /// The points of the mark there, as places of the lane's track.
    pub(super) mark: Option<Range<usize>>,
    /// The phase there.
    pub(super) phase: Option<Phase>,
}

/// What the list shows alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chosen {
    /// The lane, and whether it is open.
    pub(super) lane: (LaneKey, bool),
    /// Only between these moments, if it is a mark.
    pub(super) between: Option<(i64, i64)>,
}

impl Board {
    /// A board of `live`, which shows what `state` says.
    pub(super) fn new(
        live: TimelineLive,
        state: RwSignal<ViewState>,
        now: Signal<i64>,
        words: Signal<&'static Words>,
    ) -> Board {
        let paused = RwSignal::new(None);
        Effect::new(move || {
            let live = state.with(|state| state.window.is_live());
            if live != paused.get_untracked().is_none() {
                paused.set((!live).then(clock::now));
            }
        });
        Board {
            live,
            state,
            now,
            words,
            pointed: RwSignal::new_local(None),
            chosen: RwSignal::new_local(None),
            cursor: RwSignal::new(None),
            scroll: RwSignal::new(0.0),
            paused,
            filter: StoredValue::new(Filter::default()),
            spent: StoredValue::new(0.0),
        }
    }

    /// What is asked of the model, in the namespaces of `scope`. A filter with a mistake in it leaves the one before.
    pub(super) fn question(self, scope: Vec<String>) -> Question {
        self.state.with(|state| {
            if let Ok(filter) = Filter::parse(&state.filter) {
                self.filter.set_value(filter);
            }
            let filter = self.filter.get_value();
            let (grouping, sort, reach) = (state.grouping, state.sort, state.reach);
            Question { filter, scope, focus: None, grouping, sort, reach }
        })
    }

    /// The window.
    pub(super) fn window(self) -> Window {
        self.state.with_untracked(|state| state.window)
    }

    /// Shows another window; the strip reaches as far as it does.
    pub(super) fn show(self, window: Window) {
        let now = clock::now();
        if self.window() == window {
            return;
        }
        self.state.update(|state| {
            state.window = window;
            state.reach = state.reach.around(window, now);
        });
    }

    /// Draws, and remembers how long that took.
    pub(super) fn timed(self, draw: impl FnOnce()) {
        let before = clock::since_start();
        draw();
        self.spent.update_value(|spent| *spent += clock::since_start() - before);
    }

    /// What the list shows.
    pub(super) fn listing(self) -> Listing {
        let (from, to) = self.state.with(|state| state.window.bounds(self.now.get()));
        self.chosen.with(|chosen| match chosen {
            Some(Chosen { lane, between }) => {
                let (from, to) = between.unwrap_or((from, to));
                Listing { lane: Some(lane.clone()), from, to }
            }
            None => Listing { lane: None, from, to },
        })
    }
}
