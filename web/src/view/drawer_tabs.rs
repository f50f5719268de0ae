//! The tabs of the drawer.

use leptos::{ev, prelude::*};

use crate::{
    live::{OpenObject, Session, keyboard},
    model::route::Open,
    view::{
        drawer::{ObjectEvents, ObjectOverview, ObjectRelated},
        logs::ObjectLogs,
        object_text::ObjectText,
        timeline::TimelineSlice,
    },
};

/// The tabs of an object, and the one that is shown. Arrows go from tab to tab.
#[component]
pub(crate) fn DrawerTabs(session: Session, object: OpenObject, open: Memo<Open>) -> impl IntoView {
    let has_logs = object.kind().id() == "pods";
    let names: Vec<&'static str> = TABS.iter().copied().filter(|name| has_logs || *name != "logs").collect();
    let names = StoredValue::new(names);
    let tab = Memo::new(move |_| {
        open.with(|open| names.with_value(|all| all.iter().copied().find(|name| *name == open.tab).unwrap_or(all[0])))
    });
    let choose = move |name: &'static str| {
        session.amend(|route| {
            if let Some(open) = route.open.as_mut() {
                open.tab = name.to_owned();
            }
        })
    };
    let walk = move |event: ev::KeyboardEvent| {
        let all = names.get_value();
        let at = all.iter().position(|name| *name == tab.get_untracked()).unwrap_or(0);
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % all.len(),
            "ArrowLeft" => (at + all.len() - 1) % all.len(),
            _ => return,
        };
        event.prevent_default();
        choose(all[to]);
        keyboard::focus(&format!("#tab-{}", all[to]));
    };
    let one = move |name: &'static str| {
        view! {
            <button type="button" role="tab" id=format!("tab-{name}") aria-controls="tab-panel"
                tabindex=move || if tab.get() == name { "0" } else { "-1" }
                aria-selected=move || (tab.get() == name).to_string() on:click=move |_| choose(name)>
                {move || title(session, name)}
            </button>
        }
    };
    let panel = move || match tab.get() {
        "logs" => view! { <ObjectLogs session object/> }.into_any(),
        "events" => view! { <ObjectEvents session object/> }.into_any(),
        "related" => view! { <ObjectRelated session object/> }.into_any(),
        "timeline" => view! { <ObjectTimeline session object/> }.into_any(),
        "yaml" => view! { <ObjectText session object json=Signal::derive(|| false)/> }.into_any(),
        "json" => view! { <ObjectText session object json=Signal::derive(|| true)/> }.into_any(),
        _ => view! { <ObjectOverview session object/> }.into_any(),
    };
    view! {
        <div class="tabs" role="tablist" aria-label=move || session.words().drawer.tabs on:keydown=walk>
            {names.get_value().into_iter().map(one).collect_view()}
        </div>
        <div class="tab-panel" id="tab-panel" role="tabpanel" tabindex="0" data-tab=move || tab.get()
            aria-labelledby=move || format!("tab-{}", tab.get())>{panel}</div>
    }
}

/// What happened to the object and to what it owns.
#[component]
fn ObjectTimeline(session: Session, object: OpenObject) -> impl IntoView {
    let (key, kind) = (object.key(), object.kind().kind);
    let (namespace, name) = (key.namespace().to_owned(), key.name().to_owned());
    view! { <TimelineSlice session kind namespace name/> }
}

/// In the order in which they are shown; the first is shown when none is chosen.
const TABS: &[&str] = &["overview", "logs", "events", "timeline", "related", "yaml", "json"];

fn title(session: Session, name: &str) -> &'static str {
    let words = session.words();
    match name {
        "yaml" => "YAML",
        "json" => "JSON",
        "events" => words.events,
        "logs" => words.drawer.logs,
        "timeline" => words.drawer.timeline,
        "related" => words.drawer.related,
        _ => words.drawer.overview,
    }
}
