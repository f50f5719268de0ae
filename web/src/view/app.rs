//! The page.

use leptos::prelude::*;

use crate::{
    live::{Session, place},
    model::screen::{Filled, Screen},
    view::{
        empty::Empty, events::Events, namespace_table::NamespaceTable, no_server::NoServer, notices::Notices,
        refused::Refused, skeleton::Skeleton, top_bar::TopBar,
    },
};

/// The whole page: the bar, and below it what the connection allows to show.
#[component]
pub(crate) fn App() -> impl IntoView {
    if place::is_at("#/events") { view! { <Events/> }.into_any() } else { view! { <Namespaces/> }.into_any() }
}

#[component]
fn Namespaces() -> impl IntoView {
    let session = Session::start();
    let screen =
        Memo::new(move |_| session.connection.with(|connection| Screen::of(connection, session.table.filled.get())));
    let count = move || match session.table.filled.get() {
        Filled::Rows(count) => count.to_string(),
        Filled::Unknown => String::new(),
    };
    view! {
        <TopBar session/>
        <main class="page">
            <header class="page-head">
                <h1>"Namespaces"</h1>
                <span class="count" data-testid="count">{count}</span>
            </header>
            <Notices session/>
            {move || match screen.get() {
                Screen::Skeleton => view! { <Skeleton/> }.into_any(),
                Screen::NoServer(trouble) => view! { <NoServer trouble at_root=session.at_root/> }.into_any(),
                Screen::Refused(refusal) => view! { <Refused refusal version=session.version/> }.into_any(),
                Screen::Empty => view! { <Empty/> }.into_any(),
                Screen::Table => view! { <NamespaceTable table=session.table now=session.now/> }.into_any(),
            }}
        </main>
    }
}
