//! The keys of a ConfigMap.

use leptos::prelude::*;

use crate::{
    live::{Clip, Session},
    view::drawer::section::Section,
};

/// Each key with its value; long values fold.
#[component]
pub(crate) fn Entries(session: Session, entries: Memo<Vec<(String, String)>>) -> impl IntoView {
    view! {
        <Show when=move || entries.with(|all| !all.is_empty())>
            <Section title=Signal::derive(move || session.words().drawer.keys) test="entries">
                <For each=move || entries.get() key=Clone::clone let:entry>
                    <Entry session key=entry.0 value=entry.1/>
                </For>
            </Section>
        </Show>
    }
}

#[component]
fn Entry(session: Session, key: String, value: String) -> impl IntoView {
    let clip = Clip::new();
    let (size, copied, label) = (value.len(), value.clone(), key.clone());
    view! {
        <details class="told-entry" open=size <= SHORT>
            <summary><span class="mono">{key}</span>" "
                <span class="quiet">{move || (session.words().drawer.bytes)(size)}</span></summary>
            <div class="told-value">
                <pre class="code">{value}</pre>
                <button type="button" class="button small" aria-label=move || (session.words().drawer.copy_value)(&label)
                    on:click=move |_| clip.copy(copied.clone())>{move || clip.label(session.words(), session.words().copy)}</button>
            </div>
        </details>
    }
}

/// As many bytes as are read at a glance.
const SHORT: usize = 400;
