//! The events of the window, as a table: what a screen reader gets.

use leptos::{html, prelude::*};

use super::{
    board::{Board, Pointed},
    list_row::{EventRow, ListRow},
};
use crate::{live::clock, model::timeline::timeline::Listing};

/// The points of the window, the latest first. However many there are, the page holds those on screen.
#[component]
pub(super) fn EventList(board: Board) -> impl IntoView {
    let scrolled = Scrolled::new(board);
    let count = Memo::new(move |_| scrolled.count());
    let rows = Memo::new(move |_| scrolled.rows());
    Effect::new(move || {
        scrolled.node.track();
        board.state.track();
        scrolled.measure();
    });
    let leave = move |_| {
        let listed = board.pointed.with_untracked(|pointed| matches!(pointed, Some(Pointed::Listed(_))));
        if listed {
            board.pointed.set(None);
        }
    };
    let (height, shift) = (move || format!("{}px", count.get() as f64 * ROW), move || scrolled.shift());
    view! {
        <div
            class="tl-list"
            tabindex="0"
            node_ref=scrolled.node
            on:scroll=move |_| scrolled.measure()
            on:pointerleave=leave
        >
            <div
                role="grid"
                data-testid="timeline-list"
                aria-label=move || board.words.get().title
                aria-rowcount=move || count.get() + 1
            >
                <Head board/>
                <div class="tl-rows" role="rowgroup" style:height=height>
                    <div class="tl-window" role="presentation" style:transform=shift>
                        <For each=move || rows.get() key=|row| (row.id, row.place, row.weight) let:row>
                            <EventRow board row/>
                        </For>
                    </div>
                </div>
            </div>
            <Show when=move || count.get() == 0>
                <p class="tl-none">{move || board.words.get().nothing_here}</p>
            </Show>
        </div>
    }
}

#[component]
fn Head(board: Board) -> impl IntoView {
    view! {
        <div role="rowgroup" class="tl-top">
            <div class="tl-head" role="row" aria-rowindex="1">
                <span role="columnheader" aria-sort="descending">{move || board.words.get().time}</span>
                <span role="columnheader">{move || board.words.get().reason}</span>
                <span role="columnheader">{move || board.words.get().object}</span>
                <span role="columnheader">{move || board.words.get().message}</span>
                <span role="columnheader">{move || board.words.get().source}</span>
            </div>
        </div>
    }
}

/// The part of the list that is on screen.
#[derive(Clone, Copy, Debug)]
struct Scrolled {
    board: Board,
    node: NodeRef<html::Div>,
    top: RwSignal<f64>,
    height: RwSignal<f64>,
    /// Further down, what came since does not push away what somebody reads.
    until: RwSignal<Option<i64>>,
}

impl Scrolled {
    fn new(board: Board) -> Scrolled {
        let (top, height) = (RwSignal::new(0.0), RwSignal::new(400.0));
        Scrolled { board, node: NodeRef::new(), top, height, until: RwSignal::new(None) }
    }

    fn listing(self) -> Listing {
        let mut listing = self.board.listing();
        listing.to = self.until.get().map_or(listing.to, |until| until.min(listing.to));
        listing
    }

    fn count(self) -> usize {
        self.board.live.revision.track();
        let listing = self.listing();
        self.board.live.with(|model| model.listed(&listing).1.len())
    }

    fn rows(self) -> Vec<ListRow> {
        self.board.live.revision.track();
        let shown = (self.height.get() / ROW).ceil() as usize + 2;
        let (listing, first, offset) = (self.listing(), self.first(), clock::offset());
        self.board.live.with(|model| {
            let (track, places) = model.listed(&listing);
            let newest = places.rev().enumerate().skip(first).take(shown);
            newest.map(|(place, at)| ListRow::of(model, track.id(at), place, offset)).collect()
        })
    }

    fn first(self) -> usize {
        (self.top.get() / ROW).floor().max(0.0) as usize
    }

    fn shift(self) -> String {
        format!("translateY({}px)", self.first() as f64 * ROW)
    }

    fn measure(self) {
        let Some(element) = self.node.get_untracked() else { return };
        self.height.set(f64::from(element.client_height()));
        self.top.set(f64::from(element.scroll_top()));
        let away = element.scroll_top() > 0;
        if away != self.until.get_untracked().is_some() {
            self.until.set(away.then(clock::now));
        }
    }
}

/// How high a row is; the style sheet has the same.
const ROW: f64 = 26.0;
