//! The palette.

use leptos::prelude::*;

use crate::{
    live::{Find, Found, Overlay, Session},
    model::visible::excerpt,
    view::layer::Layer,
};

/// Search for a kind, an object, a namespace or an action, and go there.
#[component]
pub(crate) fn Palette(session: Session) -> impl IntoView {
    let label = Signal::derive(move || session.words().palette.to_owned());
    view! {
        <Layer session which=Overlay::Palette class="palette" label>
            <Search session/>
        </Layer>
    }
}

#[component]
fn Search(session: Session) -> impl IntoView {
    let (query, at) = (RwSignal::new(String::new()), RwSignal::new(0_usize));
    let found = Memo::new(move |_| session.find(&query.get()));
    let choose = move |at: usize| {
        if let Some(find) = found.with_untracked(|found| found.get(at).map(|found| found.find.clone())) {
            session.choose(&find);
        }
    };
    let keys = move |event: leptos::ev::KeyboardEvent| {
        let last = found.with_untracked(Vec::len).saturating_sub(1);
        match event.key().as_str() {
            "ArrowDown" => at.update(|at| *at = (*at + 1).min(last)),
            "ArrowUp" => at.update(|at| *at = at.saturating_sub(1)),
            "Enter" => choose(at.get_untracked()),
            _ => return,
        }
        event.prevent_default();
    };
    let entry = move |(place, entry): (usize, Found)| {
        let words = session.words();
        let sort = match &entry.find {
            Find::Kind(_) => words.kind,
            Find::Namespace(_) => words.namespace,
            Find::Object { .. } => words.object,
            Find::Action(_) => words.action,
        };
        view! {
            <div
                class="found"
                role="option"
                id=format!("found-{place}")
                aria-selected=move || (at.get() == place).to_string()
                on:click=move |_| choose(place)
                on:pointermove=move |_| at.set(place)
            >
                <span class="found-title">{excerpt(&entry.title, 300).into_owned()}</span>
                <span class="found-detail">{excerpt(&entry.detail, 300).into_owned()}</span>
                <span class="found-sort">{sort}</span>
            </div>
        }
    };
    view! {
        <input
            class="layer-input"
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck="false"
            autofocus
            data-testid="palette-input"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant=move || format!("found-{}", at.get())
            aria-label=move || session.words().palette
            placeholder=move || session.words().palette_hint
            prop:value=query
            on:input=move |event| {
                query.set(event_target_value(&event));
                at.set(0);
            }
            on:keydown=keys
        />
        <div class="founds" id="palette-list" role="listbox" aria-label=move || session.words().palette>
            {move || found.get().into_iter().enumerate().map(entry).collect_view()}
        </div>
        <Show when=move || found.with(Vec::is_empty)>
            <p class="layer-note">{move || session.words().palette_nothing}</p>
        </Show>
    }
}
