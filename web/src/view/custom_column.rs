//! A column to add.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::table::layout::{Custom, Source},
};

/// A label's key or a JSONPath, and what stands at the head of its column.
#[component]
pub(crate) fn CustomColumn(session: Session, id: Memo<String>) -> impl IntoView {
    let words = move || session.words();
    let (path, text, title) = (RwSignal::new(false), RwSignal::new(String::new()), RwSignal::new(String::new()));
    let source = Memo::new(move |_| {
        let text = text.get().trim().to_owned();
        match (text.is_empty(), path.get()) {
            (true, _) => None,
            (false, true) => Some(Source::Path(text)),
            (false, false) => Some(Source::Label(text)),
        }
    });
    let mistake = Memo::new(move |_| source.get().and_then(|source| source.mistake()));
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(source) = source.get_untracked().filter(|_| mistake.with_untracked(Option::is_none)) else { return };
        let custom = Custom::new(&title.get_untracked(), source);
        session.settings.update(|settings| settings.choose(&id.get_untracked(), |choice| choice.add(custom)));
        text.set(String::new());
        title.set(String::new());
    };
    let kind = move |of_path: bool| {
        view! {
            <button type="button" class="choice" aria-pressed=move || (path.get() == of_path).to_string()
                on:click=move |_| path.set(of_path)>
                {move || if of_path { words().column_path } else { words().column_label }}
            </button>
        }
    };
    view! {
        <form class="custom-column" on:submit=add>
            <h3>{move || words().column_add}</h3>
            <div class="choices" role="group">{[false, true].map(kind).collect_view()}</div>
            <input class="field mono" type="text" autocomplete="off" spellcheck="false" data-testid="column-source"
                aria-label=move || if path.get() { words().column_path } else { words().column_label }
                placeholder=move || if path.get() { ".spec.priorityClassName" } else { "app.kubernetes.io/name" }
                prop:value=text on:input=move |event| text.set(event_target_value(&event))/>
            <input class="field" type="text" autocomplete="off" data-testid="column-title"
                aria-label=move || words().column_title placeholder=move || words().column_title
                prop:value=title on:input=move |event| title.set(event_target_value(&event))/>
            {move || mistake.get().map(|why| view! { <p class="filter-mistake">{(words().column_wrong)(&why)}</p> })}
            <button type="submit" class="button" data-testid="column-add" disabled=move || source.with(Option::is_none)>
                {move || words().column_add}
            </button>
        </form>
    }
}
