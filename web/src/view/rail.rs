//! The rail: every kind that the server serves.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        kind::{Kind, Section},
        words::Words,
    },
    view::{
        icon::{Drawing, Icon},
        rail_item::RailItem,
    },
};

/// Kinds in sections, the pinned ones on top, with counts where they are followed.
#[component]
pub(crate) fn Rail(session: Session) -> impl IntoView {
    let sections = Memo::new(move |_| session.kinds.with(|kinds| kinds.as_ref().map(|kinds| kinds.sections())));
    let pinned = Memo::new(move |_| {
        let pinned = session.settings.with(|settings| settings.pinned.clone());
        session.kinds.with(|kinds| {
            let find = |id: &String| kinds.as_ref()?.find(id).cloned();
            pinned.iter().filter_map(find).collect::<Vec<Kind>>()
        })
    });
    let folded = move || session.settings.with(|settings| settings.folded);
    view! {
        <nav class="rail" data-folded=folded aria-label=move || session.words().kinds>
            <div class="rail-scroll">
                <RailItem session id="overview".to_owned() title=Signal::derive(move || session.words().overview.title.to_owned())/>
                <RailItem session id="events".to_owned() title=Signal::derive(move || session.words().events.to_owned())/>
                <Show when=move || pinned.with(|pinned| !pinned.is_empty())>
                    <RailSection session name="pinned".to_owned() title=Signal::derive(move || session.words().pinned.to_owned()) kinds=pinned/>
                </Show>
                {move || sections.get().unwrap_or_default().into_iter().map(|(section, kinds)| {
                    let (name, kinds) = (name(&section), Memo::new(move |_| kinds.clone()));
                    let title = Signal::derive(move || title(&section, session.words()));
                    view! { <RailSection session name title kinds/> }
                }).collect_view()}
            </div>
            <button
                type="button"
                class="rail-fold"
                aria-label=move || session.words().fold
                title=move || session.words().fold
                aria-expanded=move || (!folded()).to_string()
                on:click=move |_| session.settings.update(|settings| settings.folded = !settings.folded)
            >
                <Drawing icon=Icon::Fold/>
            </button>
        </nav>
    }
}

/// A section that opens and closes.
#[component]
fn RailSection(session: Session, name: String, title: Signal<String>, kinds: Memo<Vec<Kind>>) -> impl IntoView {
    let known = StoredValue::new(name.clone());
    let closed = move || session.settings.with(|settings| known.with_value(|name| settings.closed.contains(name)));
    view! {
        <section class="rail-section">
            <h2>
                <button
                    type="button"
                    aria-expanded=move || (!closed()).to_string()
                    on:click=move |_| session.settings.update(|settings| known.with_value(|name| settings.close(name)))
                >
                    {title}
                </button>
            </h2>
            <Show when=move || !closed()>
                <For each=move || kinds.get() key=Kind::id let:kind>
                    <RailItem session id=kind.id() title=Signal::derive(move || kind.title())/>
                </For>
            </Show>
        </section>
    }
}

fn name(section: &Section) -> String {
    match section {
        Section::Custom(group) => group.clone(),
        other => format!("{other:?}").to_ascii_lowercase(),
    }
}

fn title(section: &Section, words: &Words) -> String {
    let title = match section {
        Section::Workloads => words.workloads,
        Section::Network => words.network,
        Section::Config => words.config,
        Section::Storage => words.storage,
        Section::Access => words.access,
        Section::Cluster => words.cluster,
        Section::Custom(group) => return group.clone(),
    };
    title.to_owned()
}
