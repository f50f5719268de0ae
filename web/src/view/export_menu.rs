//! What can be taken out of a table.

use leptos::prelude::*;

use crate::{
    live::{Clip, Overlay, Session},
    view::layer::Layer,
};

/// The chosen rows, or all that are shown: their names, their cells, or the objects themselves.
#[component]
pub(crate) fn ExportMenu(session: Session) -> impl IntoView {
    let label = Signal::derive(move || session.words().export.to_owned());
    view! {
        <Layer session which=Overlay::Export class="menu" label>
            <Sheet session/>
        </Layer>
    }
}

#[component]
fn Sheet(session: Session) -> impl IntoView {
    let clip = Clip::new();
    let words = move || session.words();
    let holds = move || session.table.get().is_some_and(|table| !table.feed().is_served());
    view! {
        <h2>{move || words().export}</h2>
        <button type="button" class="option" data-testid="copy-names" on:click=move |_| clip.copy(session.names())>
            {move || clip.label(words(), words().copy_names)}
        </button>
        <button type="button" class="option" data-testid="export-csv" on:click=move |_| session.export_csv()>
            {move || words().export_csv}
        </button>
        <Show when=holds>
            <button type="button" class="option" data-testid="export-yaml" on:click=move |_| session.export_yaml()>
                {move || words().export_yaml}
            </button>
        </Show>
    }
}
