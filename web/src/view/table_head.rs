//! The head of a table.

use leptos::prelude::*;

use crate::{
    live::{Overlay, Session, TableView},
    model::visible::excerpt,
    view::{
        filter_box::FilterBox,
        icon::{Drawing, Icon},
    },
};

/// What is shown, how much of it, and what can be done with it.
#[component]
pub(crate) fn TableHead(
    session: Session,
    table: TableView,
    title: String,
    mistake: RwSignal<Option<String>>,
) -> impl IntoView {
    let count = move || {
        let count = table.signals.count.get();
        match session.route.with(|route| route.filter.trim().is_empty()) {
            true => (session.words().count)(count.total),
            false => (session.words().count_of)(count.shown, count.total),
        }
    };
    let selected = Memo::new(move |_| table.signals.selection.with(|selection| selection.chosen().len()));
    view! {
        <header class="page-head">
            <h1>{excerpt(&title, 200).into_owned()}</h1>
            <span class="count" data-testid="count">{count}</span>
            <FilterBox session mistake/>
            <span class="chosen" role="status">
                {move || (selected.get() > 0).then(|| (session.words().selected)(selected.get()))}
            </span>
            <button type="button" class="icon-button" data-testid="export"
                aria-label=move || session.words().export title=move || session.words().export
                on:click=move |_| session.overlay.set(Overlay::Export)><Drawing icon=Icon::Export/></button>
            <button type="button" class="icon-button" data-testid="columns"
                aria-label=move || session.words().columns title=move || session.words().columns
                on:click=move |_| session.overlay.set(Overlay::Columns)><Drawing icon=Icon::Columns/></button>
        </header>
    }
}
