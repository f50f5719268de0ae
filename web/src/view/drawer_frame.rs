//! The drawer: the object that is open, beside the list that stays live.

use leptos::prelude::*;
use masthead::cache::ObjectKey;

use crate::{
    live::{OpenObject, Session, TableView, keyboard},
    model::visible::{excerpt, visible},
    view::{
        drawer_edge::DrawerEdge,
        drawer_tabs::DrawerTabs,
        icon::{Drawing, Icon},
    },
};

/// The frame: name, tabs, width, full page.
#[component]
pub(crate) fn DrawerFrame(session: Session, table: TableView) -> impl IntoView {
    let open = Memo::new(move |_| session.route.with(|route| route.open.clone().unwrap_or_default()));
    let named = Memo::new(move |_| open.with(|open| (open.namespace.clone(), open.name.clone())));
    let full = Memo::new(move |_| open.with(|open| open.full));
    let width = move || session.settings.with(|settings| format!("{}px", settings.drawer));
    let feed = table.feed();
    let kind = feed.subject.kind.kind.clone();
    let supply = feed.supply.clone();
    let stale = Memo::new(move |_| {
        let key = named.with(|(namespace, name)| ObjectKey::new(namespace, name));
        supply.with(|supply| supply.stale.why(key.as_str()).map(|why| (session.words().stale_open)(why)))
    });
    let stale_line = |text: String| {
        view! { <p class="notice" role="status" data-testid="stale">{excerpt(&text, 2000).into_owned()}</p> }
    };
    let close = move |_| {
        let mut route = session.route.get_untracked();
        route.open = None;
        session.go(route);
        keyboard::focus("[role=grid]");
    };
    let fill = move |_| {
        session.amend(|route| {
            if let Some(open) = route.open.as_mut() {
                open.full = !open.full;
            }
        })
    };
    view! {
        <aside class="drawer" data-testid="drawer" data-full=move || full.get() style:--drawer=width
            aria-label=move || named.with(|(_, name)| visible(name).into_owned())>
            <DrawerEdge session/>
            <header class="drawer-head">
                <div class="drawer-title">
                    <span class="drawer-kind">{kind}</span>
                    <h2 class="mono" data-testid="drawer-name">{move || named.with(|(_, name)| visible(name).into_owned())}</h2>
                    <span class="drawer-place mono">{move || named.with(|(namespace, _)| visible(namespace).into_owned())}</span>
                </div>
                <button type="button" class="icon-button" data-testid="full" aria-pressed=move || full.get().to_string()
                    aria-label=move || session.words().full_page title=move || session.words().full_page on:click=fill>
                    <Drawing icon=Icon::Expand/></button>
                <button type="button" class="icon-button" data-testid="close-drawer"
                    aria-label=move || session.words().close title=move || session.words().close on:click=close>
                    <Drawing icon=Icon::Close/></button>
            </header>
            {move || stale.get().map(stale_line)}
            {move || {
                let (namespace, name) = named.get();
                let key = ObjectKey::new(&namespace, &name);
                let object = OpenObject::new(table, session.client(), key);
                view! { <DrawerTabs session object open/> }
            }}
        </aside>
    }
}
