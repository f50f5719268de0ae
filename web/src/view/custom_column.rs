//! A column to add.

use leptos::prelude::*;

use crate::{live::Session, model::custom_column::CustomColumn as Added};

/// A label's key or a JSONPath, and what stands at the head of its column.
#[component]
pub(crate) fn CustomColumn(session: Session, id: Memo<String>) -> impl IntoView {
    let words = move || session.words();
    let (path, text, title) = (RwSignal::new(false), RwSignal::new(String::new()), RwSignal::new(String::new()));
    let column = Memo::new(move |_| {
        let (text, title) = (text.get(), title.get());
        // Without a title of its own a column is called by the end of what it shows.
        let own =
            text.trim().trim_end_matches(['}', ']']).rsplit(['/', '.', ':']).next().unwrap_or_default().to_owned();
        let title = if title.trim().is_empty() { own } else { title };
        let read = if path.get() { Added::path } else { Added::label };
        (!text.trim().is_empty()).then(|| read(&title, &text))
    });
    let mistake = move || column.with(|column| column.as_ref().and_then(|column| column.as_ref().err().cloned()));
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if let Some(Ok(column)) = column.get_untracked() {
            session.settings.update(|settings| settings.choose(&id.get_untracked(), |choice| choice.add(&column)));
            text.set(String::new());
            title.set(String::new());
        }
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
            {move || mistake().map(|why| view! { <p class="filter-mistake" role="status">{why}</p> })}
            <button type="submit" class="button" data-testid="column-add"
                disabled=move || column.with(|column| !matches!(column, Some(Ok(_))))>
                {move || words().column_add}
            </button>
        </form>
    }
}
