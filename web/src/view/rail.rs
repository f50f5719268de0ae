//! The rail: every kind that the server serves.

use leptos::prelude::*;

use crate::{
    live::{Session, frame::Frame},
    model::{
        kind::{Kind, Section},
        route::Route,
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
    // A section in each frame: eighty kinds in one would keep the rows waiting.
    let revealed = RwSignal::new(1);
    let next = StoredValue::new_local(Frame::new(move || revealed.update(|count| *count += 1)));
    Effect::new(move || {
        let known = sections.with(|sections| sections.as_ref().map_or(0, Vec::len));
        if revealed.get() < known {
            next.with_value(Frame::ask);
        }
    });
    let here = Memo::new(move |_| session.route.with(|route| route.to(route.page.clone())));
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
                <RailItem session here id="overview".to_owned() title=Signal::derive(move || session.words().overview.title.to_owned())/>
                <RailItem session here id="events".to_owned() title=Signal::derive(move || session.words().events.to_owned())/>
                <Show when=move || pinned.with(|pinned| !pinned.is_empty())>
                    <RailSection session here name="pinned".to_owned() title=Signal::derive(move || session.words().pinned.to_owned()) kinds=pinned/>
                </Show>
                <For
                    each=move || shown(sections, revealed.get())
                    key=|section| name(section)
                    children=move |section| {
                        let (name, kinds) = (name(&section), kinds_of(sections, section.clone()));
                        let title = Signal::derive(move || title(&section, session.words()));
                        view! { <RailSection session here name title kinds/> }
                    }
                />
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

type Sections = Option<Vec<(Section, Vec<Kind>)>>;

/// The first so many sections.
fn shown(sections: Memo<Sections>, count: usize) -> Vec<Section> {
    sections.with(|all| all.iter().flatten().take(count).map(|(section, _)| section.clone()).collect())
}

fn kinds_of(sections: Memo<Sections>, section: Section) -> Memo<Vec<Kind>> {
    Memo::new(move |_| {
        let of = |all: &Sections| all.iter().flatten().find(|(one, _)| *one == section).map(|(_, kinds)| kinds.clone());
        sections.with(of).unwrap_or_default()
    })
}

/// A section that opens and closes.
#[component]
fn RailSection(
    session: Session,
    here: Memo<Route>,
    name: String,
    title: Signal<String>,
    kinds: Memo<Vec<Kind>>,
) -> impl IntoView {
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
                    <RailItem session here id=kind.id() title=Signal::derive(move || kind.title())/>
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
