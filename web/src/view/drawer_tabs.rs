//! The tabs of the drawer.

use leptos::prelude::*;

use crate::{
    live::{OpenObject, Session},
    model::route::Open,
    view::object_text::ObjectText,
};

/// The tabs of an object, and the one that is shown.
#[component]
pub(crate) fn DrawerTabs(session: Session, object: OpenObject, open: Memo<Open>) -> impl IntoView {
    let tab = Memo::new(move |_| open.with(|open| if open.tab == "json" { "json" } else { "yaml" }));
    let choose = move |name: &'static str| {
        session.amend(|route| {
            if let Some(open) = route.open.as_mut() {
                open.tab = name.to_owned();
            }
        })
    };
    let one = move |(name, title): (&'static str, &'static str)| {
        view! {
            <button type="button" role="tab" id=format!("tab-{name}") aria-controls="tab-panel"
                aria-selected=move || (tab.get() == name).to_string() on:click=move |_| choose(name)>{title}</button>
        }
    };
    view! {
        <div class="tabs" role="tablist">{[("yaml", "YAML"), ("json", "JSON")].map(one).collect_view()}</div>
        <div class="tab-panel" id="tab-panel" role="tabpanel" tabindex="0" aria-labelledby=move || format!("tab-{}", tab.get())>
            <ObjectText session object json=Signal::derive(move || tab.get() == "json")/>
        </div>
    }
}
