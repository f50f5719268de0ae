//! The filter.

use leptos::{html, prelude::*};

use crate::{
    live::Session,
    model::visible::visible,
    view::icon::{Drawing, Icon},
};

/// One field for every kind of filter; what is wrong with it is said in place.
#[component]
pub(crate) fn FilterBox(session: Session, mistake: RwSignal<Option<String>>) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let text = Memo::new(move |_| session.route.with(|route| route.filter.clone()));
    let wrong = Memo::new(move |_| mistake.with(Option::is_some));
    // It may repeat what a link wrote.
    let says = move || mistake.with(|says| says.as_ref().map(|says| visible(says).into_owned()));
    let clear = move |_| {
        session.amend(|route| route.filter.clear());
        if let Some(input) = input.get_untracked()
            && input.focus().is_err()
        {
            leptos::logging::warn!("the filter did not take the focus");
        }
    };
    view! {
        <div class="filter" data-wrong=move || wrong.get()>
            <Drawing icon=Icon::Search/>
            <input
                node_ref=input
                type="text"
                autocomplete="off"
                spellcheck="false"
                data-testid="filter"
                aria-label=move || session.words().filter
                aria-invalid=move || wrong.get().to_string()
                aria-describedby="filter-mistake"
                placeholder=move || session.words().filter_hint
                prop:value=text
                on:input=move |event| session.amend(|route| route.filter = event_target_value(&event))
            />
            <Show when=move || text.with(|text| !text.is_empty())>
                <button
                    type="button"
                    class="filter-clear"
                    aria-label=move || session.words().clear_filter
                    title=move || session.words().clear_filter
                    on:click=clear
                >
                    <Drawing icon=Icon::Close/>
                </button>
            </Show>
            <p class="filter-mistake" id="filter-mistake" role="status" data-testid="filter-mistake">{says}</p>
        </div>
    }
}
