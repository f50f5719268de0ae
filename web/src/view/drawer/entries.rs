//! The keys of a ConfigMap.

use leptos::prelude::*;

use crate::{
    live::{Clip, Session},
    model::visible::excerpt,
    view::{
        drawer::section::Section,
        long_text::LongText,
        show_more::{FIRST, ShowMore},
    },
};

/// Each key with its value; long values fold.
#[component]
pub(crate) fn Entries(session: Session, entries: Memo<Vec<(String, String)>>) -> impl IntoView {
    let (shown, all) = (RwSignal::new(FIRST), Memo::new(move |_| entries.with(Vec::len)));
    let some = move || entries.with(|all| all.iter().take(shown.get()).cloned().collect::<Vec<_>>());
    view! {
        <Show when=move || entries.with(|all| !all.is_empty())>
            <Section title=Signal::derive(move || session.words().drawer.keys) test="entries">
                <For each=some key=Clone::clone let:entry>
                    <Entry session key=entry.0 value=entry.1/>
                </For>
                <ShowMore session shown all/>
            </Section>
        </Show>
    }
}

#[component]
fn Entry(session: Session, key: String, value: String) -> impl IntoView {
    let clip = Clip::new();
    let (size, copied, key) = (value.len(), value.clone(), excerpt(&key, 300).into_owned());
    let label = key.clone();
    view! {
        <details class="told-entry" open=size <= SHORT>
            <summary><span class="mono">{key}</span>" "
                <span class="quiet">{move || (session.words().drawer.bytes)(size)}</span></summary>
            <div class="told-value">
                <LongText session text=value code=true/>
                <button type="button" class="button small" aria-label=move || (session.words().drawer.copy_value)(&label)
                    on:click=move |_| clip.copy(copied.clone())>{move || clip.label(session.words(), session.words().copy)}</button>
            </div>
        </details>
    }
}

/// As many bytes as are read at a glance.
const SHORT: usize = 400;
