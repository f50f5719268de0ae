//! The end of a long list, which is shown piece by piece.

use leptos::prelude::*;

use crate::live::Session;

/// How many entries of a list are in the page at first.
pub(crate) const FIRST: usize = 50;

/// How many more a click brings.
const STEP: usize = 200;

/// How many of `all` entries are shown, with a button for more; nothing when that is all of them.
#[component]
pub(crate) fn ShowMore(
    session: Session,
    shown: RwSignal<usize>,
    #[prop(into)] all: Signal<usize>,
    #[prop(optional, default = STEP)] step: usize,
) -> impl IntoView {
    view! {
        <Show when=move || { shown.get() < all.get() }>
            <p class="quiet more" data-testid="more">
                {move || (session.words().shown_of)(shown.get(), all.get())}" "
                <button type="button" class="button small" data-testid="show-more"
                    on:click=move |_| shown.update(|shown| *shown = shown.saturating_add(step))>
                    {move || session.words().show_more}
                </button>
            </p>
        </Show>
    }
}
