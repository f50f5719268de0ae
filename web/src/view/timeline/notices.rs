//! What is in the way of the timeline, and what to do about it.

use leptos::prelude::*;

use super::board::Board;
use crate::model::visible::excerpt;

/// Which kinds cannot be followed, and what the server says of the first.
#[component]
pub(super) fn Refusals(board: Board) -> impl IntoView {
    move || {
        let refused = board.live.refused.get();
        let kinds = refused.iter().map(|one| one.resource.as_str()).collect::<Vec<_>>().join(", ");
        refused.first().map(|first| {
            let line = (board.words.get().refused)(&kinds, &first.why);
            view! { <p class="notice" role="status" data-testid="notice">{excerpt(&line, 2000).into_owned()}</p> }
        })
    }
}

/// Why there is nothing to see, where there is nothing.
#[component]
pub(super) fn Nothing(board: Board) -> impl IntoView {
    let counts = Memo::new(move |_| {
        board.live.revision.track();
        board.live.with(|model| (model.shown().len(), model.len()))
    });
    move || {
        let words = board.words.get();
        match (counts.get(), board.live.complete.get()) {
            ((1.., _), _) => None,
            ((0, 0), false) => {
                Some(view! { <div class="tl-empty" role="status"><p>{words.loading}</p></div> }.into_any())
            }
            ((0, 0), true) if board.live.refused.with(|all| all.iter().any(|one| one.resource == "events")) => Some(
                view! { <div class="tl-empty"><h2>{words.not_allowed}</h2><p>{words.not_allowed_says}</p></div> }
                    .into_any(),
            ),
            ((0, 0), true) => Some(
                view! { <div class="tl-empty"><h2>{words.nothing}</h2><p>{words.nothing_says}</p></div> }.into_any(),
            ),
            ((0, hidden), _) => {
                let clear = move |_| board.state.update(|state| state.filter.clear());
                Some(
                    view! {
                        <div class="tl-empty" data-testid="timeline-hidden">
                            <p>{(words.hidden)(hidden)}</p>
                            <button type="button" class="tl-button" on:click=clear>{words.clear_filter}</button>
                        </div>
                    }
                    .into_any(),
                )
            }
        }
    }
}
