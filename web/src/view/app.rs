//! The page.

use leptos::prelude::*;

use crate::{
    live::{Session, keyboard, place::Place},
    model::route::Page,
    view::{
        columns_menu::ColumnsMenu, events_page::EventsPage, export_menu::ExportMenu, help::Help,
        namespace_picker::NamespacePicker, overview::OverviewPage, palette::Palette, rail::Rail,
        settings_menu::SettingsMenu, table_page::TablePage, top_bar::TopBar,
    },
};

/// The whole page: the bar, the rail, and what the route says.
#[component]
pub(crate) fn App(place: Place) -> impl IntoView {
    let session = Session::start(place);
    keyboard::listen(session);
    let page = Memo::new(move |_| session.route.with(|route| route.page.clone()));
    let shown = move || match page.get() {
        Page::Overview => view! { <OverviewPage session/> }.into_any(),
        Page::Events => view! { <EventsPage session/> }.into_any(),
        Page::Table(id) => view! { <TablePage session id/> }.into_any(),
    };
    view! {
        <TopBar session/>
        <div class="body">
            <Rail session/>
            <main class="page">{shown}</main>
        </div>
        <Palette session/>
        <NamespacePicker session/>
        <ColumnsMenu session/>
        <ExportMenu session/>
        <SettingsMenu session/>
        <Help session/>
    }
}
