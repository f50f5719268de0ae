//! The chip that says whether the window follows now.

use leptos::prelude::*;

use super::board::Board;

/// Live, or how much is new since it is not: a click goes live.
#[component]
pub(super) fn LiveChip(board: Board) -> impl IntoView {
    let fresh = Memo::new(move |_| {
        board.live.revision.track();
        let paused = board.paused.get()?;
        Some(board.live.with(|model| {
            let track = model.shown();
            track.tally(track.range(paused, i64::MAX)).all
        }))
    });
    let label = move || {
        let words = board.words.get();
        match fresh.get() {
            None => words.live.to_owned(),
            Some(0) => format!("{} — {}", words.paused, words.go_live),
            Some(count) => format!("{} — {}", (words.new_points)(count), words.go_live),
        }
    };
    view! {
        <button
            type="button"
            class="tl-live"
            data-testid="timeline-live"
            data-state=move || if fresh.get().is_some() { "paused" } else { "live" }
            aria-pressed=move || fresh.get().is_none().to_string()
            on:click=move |_| board.show(board.window().live())
        >
            <span class="glyph" aria-hidden="true"></span>
            {label}
        </button>
    }
}
