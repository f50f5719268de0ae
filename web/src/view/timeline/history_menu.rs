//! What is kept between visits, and the switch for it.

use leptos::{html, prelude::*};

use super::board::Board;
use crate::live::on_press_outside;

/// A button with a small panel: keep, how much is kept, and clear.
#[component]
pub(super) fn HistoryMenu(board: Board) -> impl IntoView {
    let (menu, open) = (NodeRef::<html::Span>::new(), RwSignal::new(false));
    on_press_outside(move || menu.get_untracked().map(Into::into), move || open.set(false));
    let history = board.live.history;
    let panel = move || {
        let words = board.words.get();
        let kept = move || history.kept.get().map(|count| (board.words.get().history_kept)(count));
        view! {
            <div class="tl-popup tl-panel" role="dialog" aria-label=words.history>
                <p>{words.history_says}</p>
                <Show
                    when=move || history.works.get()
                    fallback=move || view! { <p class="tl-warn">{words.history_none}</p> }
                >
                    <label>
                        <input
                            type="checkbox"
                            data-testid="history-switch"
                            prop:checked=move || history.on.get()
                            on:change=move |event| history.switch(event_target_checked(&event))
                        />
                        {words.history_on}
                    </label>
                    <p class="tl-quiet" data-testid="history-kept">{kept}</p>
                    <button type="button" class="tl-button" data-testid="history-clear" on:click=move |_| history.clear()>
                        {words.history_clear}
                    </button>
                </Show>
            </div>
        }
    };
    view! {
        <span
            class="tl-menu tl-end"
            node_ref=menu
            on:keydown=move |event| if event.key() == "Escape" { open.set(false) }
        >
            <button
                type="button"
                class="tl-button"
                data-testid="history"
                aria-haspopup="dialog"
                aria-expanded=move || open.get().to_string()
                on:click=move |_| open.update(|open| *open = !*open)
            >
                {move || board.words.get().history}
            </button>
            {move || open.get().then(panel)}
        </span>
    }
}
