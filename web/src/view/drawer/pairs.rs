//! Labels and annotations.

use leptos::prelude::*;

use crate::{
    live::{Clip, Session},
    view::drawer::section::Section,
};

/// Each pair is a button that copies it.
#[component]
pub(crate) fn Pairs(
    session: Session,
    title: Signal<&'static str>,
    test: &'static str,
    pairs: Memo<Vec<(String, String)>>,
) -> impl IntoView {
    view! {
        <Show when=move || pairs.with(|all| !all.is_empty())>
            <Section title test>
                <ul class="pairs">
                    <For each=move || pairs.get() key=Clone::clone let:pair><Pair session pair/></For>
                </ul>
            </Section>
        </Show>
    }
}

#[component]
fn Pair(session: Session, pair: (String, String)) -> impl IntoView {
    let clip = Clip::new();
    let (key, value) = pair;
    let text = format!("{key}={value}");
    let hint = move || clip.label(session.words(), session.words().copy);
    view! {
        <li>
            <button type="button" class="pair mono" title=hint on:click=move |_| clip.copy(text.clone())>
                <span class="quiet">{key}"="</span>{value}
                <span class="pair-word" role="status">{move || {
                    let said = clip.label(session.words(), "");
                    (!said.is_empty()).then_some(said)
                }}</span>
            </button>
        </li>
    }
}
