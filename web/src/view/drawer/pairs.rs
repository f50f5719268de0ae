//! Labels and annotations.

use leptos::prelude::*;

use crate::{
    live::{Clip, Session},
    model::visible::excerpt,
    view::{
        drawer::section::Section,
        show_more::{FIRST, ShowMore},
    },
};

/// Each pair is a button that copies it.
#[component]
pub(crate) fn Pairs(
    session: Session,
    title: Signal<&'static str>,
    test: &'static str,
    pairs: Memo<Vec<(String, String)>>,
) -> impl IntoView {
    let (shown, all) = (RwSignal::new(FIRST), Memo::new(move |_| pairs.with(Vec::len)));
    let some = move || pairs.with(|all| all.iter().take(shown.get()).cloned().collect::<Vec<_>>());
    view! {
        <Show when=move || pairs.with(|all| !all.is_empty())>
            <Section title test>
                <ul class="pairs">
                    <For each=some key=Clone::clone let:pair><Pair session pair/></For>
                </ul>
                <ShowMore session shown all/>
            </Section>
        </Show>
    }
}

#[component]
fn Pair(session: Session, pair: (String, String)) -> impl IntoView {
    let clip = Clip::new();
    let (key, value) = pair;
    let shown = [excerpt(&key, KEY).into_owned(), excerpt(&value, VALUE).into_owned()];
    let text = format!("{key}={value}");
    let [key, value] = shown;
    let hint = move || clip.label(session.words(), session.words().copy);
    view! {
        <li>
            <button type="button" class="pair mono" title=hint on:click=move |_| clip.copy(text.clone())>
                <span class="quiet">{key}"="</span><bdi>{value}</bdi>
                <span class="pair-word" role="status">{move || {
                    let said = clip.label(session.words(), "");
                    (!said.is_empty()).then_some(said)
                }}</span>
            </button>
        </li>
    }
}

/// How many bytes of a key and of a value are shown; a click copies all of them.
const KEY: usize = 320;
const VALUE: usize = 600;
