//! The events of the window, as a table: what a screen reader gets.

use leptos::{html, prelude::*};

use super::{
    board::{Board, Pointed},
    list_row::{EventRow, ListRow},
};
use crate::live::clock;

/// The points of the window, the latest first. However many there are, the page holds those on screen.
#[component]
pub(super) fn EventList(board: Board) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    let (top, height) = (RwSignal::new(0.0), RwSignal::new(400.0));
    // Further down, what is new does not push away what somebody reads.
    let until = RwSignal::new(None::<i64>);
    let listing = move || {
        let mut listing = board.listing();
        listing.to = until.get().map_or(listing.to, |until| until.min(listing.to));
        listing
    };
    let count = Memo::new(move |_| {
        board.live.revision.track();
        let listing = listing();
        board.live.with(|model| model.listed(&listing).1.len())
    });
    let rows = Memo::new(move |_| {
        board.live.revision.track();
        let first = (top.get() / ROW).floor().max(0.0) as usize;
        let shown = (height.get() / ROW).ceil() as usize + 2;
        let (listing, offset) = (listing(), clock::offset());
        board.live.with(|model| {
            let (track, places) = model.listed(&listing);
            let newest = places.rev().enumerate().skip(first).take(shown);
            newest.map(|(place, at)| ListRow::of(model, track.id(at), place, offset)).collect::<Vec<_>>()
        })
    });
    let measure = move || {
        let Some(element) = node.get_untracked() else { return };
        height.set(f64::from(element.client_height()));
        top.set(f64::from(element.scroll_top()));
        let away = element.scroll_top() > 0;
        if away != until.get_untracked().is_some() {
            until.set(away.then(clock::now));
        }
    };
    Effect::new(move || {
        node.track();
        board.state.track();
        measure();
    });
    let leave = move |_| {
        let listed = board.pointed.with_untracked(|pointed| matches!(pointed, Some(Pointed::Listed(_))));
        if listed {
            board.pointed.set(None);
        }
    };
    view! {
        <div
            class="tl-list"
            role="grid"
            tabindex="0"
            data-testid="timeline-list"
            aria-label=move || board.words.get().title
            aria-rowcount=move || count.get() + 1
            node_ref=node
            on:scroll=move |_| measure()
            on:pointerleave=leave
        >
            <div class="tl-head" role="row" aria-rowindex="1">
                <span role="columnheader" aria-sort="descending">{move || board.words.get().time}</span>
                <span role="columnheader">{move || board.words.get().reason}</span>
                <span role="columnheader">{move || board.words.get().object}</span>
                <span role="columnheader">{move || board.words.get().message}</span>
                <span role="columnheader">{move || board.words.get().source}</span>
            </div>
            <div class="tl-rows" role="rowgroup" style:height=move || format!("{}px", count.get() as f64 * ROW)>
                <div
                    class="tl-window"
                    role="presentation"
                    style:transform=move || format!("translateY({}px)", (top.get() / ROW).floor().max(0.0) * ROW)
                >
                    <For each=move || rows.get() key=|row| (row.id, row.place, row.weight) let:row>
                        <EventRow board row/>
                    </For>
                </div>
            </div>
            <Show when=move || count.get() == 0>
                <p class="tl-none">{move || board.words.get().nothing_here}</p>
            </Show>
        </div>
    }
}

/// How high a row is; the style sheet has the same.
const ROW: f64 = 26.0;
