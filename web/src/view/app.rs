//! The page.

use leptos::prelude::*;

use crate::{
    live::{Session, keyboard},
    model::route::Page,
    view::{
        columns_menu::ColumnsMenu, export_menu::ExportMenu, help::Help, namespace_picker::NamespacePicker,
        overview::OverviewPage, palette::Palette, rail::Rail, settings_menu::SettingsMenu, table_page::TablePage,
        top_bar::TopBar,
    },
};

/// The whole page: the bar, the rail, and what the route says.
#[component]
pub(crate) fn App() -> impl IntoView {
    let session = Session::start();
    keyboard::listen(session);
    let id = Memo::new(move |_| {
        session.route.with(|route| match &route.page {
            Page::Overview => "overview".to_owned(),
            Page::Events => "events".to_owned(),
            Page::Table(id) => id.clone(),
        })
    });
    view! {
        <TopBar session/>
        <div class="body">
            <Rail session/>
            <main class="page">{move || match id.get() {
                id if id == "overview" => view! { <OverviewPage session/> }.into_any(),
                id => view! { <TablePage session id/> }.into_any(),
            }}</main>
        </div>
        <Palette session/>
        <NamespacePicker session/>
        <ColumnsMenu session/>
        <ExportMenu session/>
        <SettingsMenu session/>
        <Help session/>
    }
}
