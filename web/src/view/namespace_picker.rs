//! The choice of namespaces.

use leptos::prelude::*;

use crate::{
    live::{Overlay, Session},
    model::{search::score, supply::Hindrance, visible::visible},
    view::{
        layer::Layer,
        show_more::{FIRST, ShowMore},
    },
};

/// Any number of namespaces, found or typed in: who may not list them can still look at theirs.
#[component]
pub(crate) fn NamespacePicker(session: Session) -> impl IntoView {
    let label = Signal::derive(move || session.words().namespaces.to_owned());
    view! {
        <Layer session which=Overlay::Namespaces class="picker" label>
            <Choice session/>
        </Layer>
    }
}

#[component]
fn Choice(session: Session) -> impl IntoView {
    let query = RwSignal::new(String::new());
    let chosen = Memo::new(move |_| session.route.with(|route| route.namespaces.clone()));
    let matching = Memo::new(move |_| {
        let query = query.get();
        let mut names = session.known_namespaces();
        names.retain(|name| score(&query, name).is_some());
        names
    });
    let (shown, found) = (RwSignal::new(FIRST), Memo::new(move |_| matching.with(Vec::len)));
    let some = move || matching.with(|names| names.iter().take(shown.get()).cloned().collect::<Vec<_>>());
    let new = Memo::new(move |_| {
        let name = query.get().trim().to_ascii_lowercase();
        let valid = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        (valid && matching.with(|names| !names.contains(&name))).then_some(name)
    });
    let refused = move || {
        let feed = session.namespace_feed()?;
        let supply = RwSignal::from(feed.supply.clone());
        supply.with(|supply| matches!(supply.hindrance, Some(Hindrance::Refused(_)))).then_some(())
    };
    let toggle = move |name: String| {
        let mut route = session.route.get_untracked();
        match route.namespaces.iter().position(|known| *known == name) {
            Some(at) => _ = route.namespaces.remove(at),
            None => route.namespaces.push(name),
        }
        route.open = None;
        session.go(route);
    };
    let add = move || {
        if let Some(name) = new.get_untracked() {
            session.settings.update(|settings| settings.keep_namespace(&name));
            toggle(name);
            query.set(String::new());
        }
    };
    let enter = move |event: leptos::ev::KeyboardEvent| {
        if event.key() != "Enter" {
            return;
        }
        event.prevent_default();
        let first = matching.with_untracked(|names| names.first().cloned());
        match first {
            _ if query.with_untracked(|query| query.trim().is_empty()) => session.overlay.set(Overlay::None),
            Some(first) => {
                toggle(first);
                query.set(String::new());
            }
            None => add(),
        }
    };
    let all = move |_| {
        let mut route = session.route.get_untracked();
        route.namespaces.clear();
        route.open = None;
        session.go(route);
    };
    view! {
        <input
            class="layer-input"
            type="text"
            autocomplete="off"
            spellcheck="false"
            autofocus
            data-testid="namespace-input"
            aria-label=move || session.words().find_namespace
            placeholder=move || session.words().find_namespace
            prop:value=query
            on:input=move |event| query.set(event_target_value(&event))
            on:keydown=enter
        />
        <div class="options">
            <label class="option">
                <input type="checkbox" prop:checked=move || chosen.with(Vec::is_empty) on:change=all/>
                <span>{move || session.words().all_namespaces}</span>
            </label>
            <For each=some key=String::clone let:name>
                {
                    let (known, picked) = (name.clone(), name.clone());
                    view! {
                        <label class="option">
                            <input
                                type="checkbox"
                                prop:checked=move || chosen.with(|chosen| chosen.contains(&known))
                                on:change=move |_| toggle(picked.clone())
                            />
                            <span class="mono">{visible(&name).into_owned()}</span>
                        </label>
                    }
                }
            </For>
            <ShowMore session shown all=found/>
            {move || new.get().map(|name| view! {
                <button type="button" class="option" data-testid="namespace-add" on:click=move |_| add()>
                    {(session.words().add_namespace)(&name)}
                </button>
            })}
        </div>
        {move || refused().map(|()| view! { <p class="layer-note">{session.words().namespaces_refused}</p> })}
    }
}
