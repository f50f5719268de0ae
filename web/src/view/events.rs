//! The page of events at `#/events`, for as long as the frame has no routes of its own.

use leptos::prelude::*;

use crate::{
    live::{clock, place, theme},
    model::timeline::view_state::ViewState,
    view::{
        theme_toggle::ThemeToggle,
        timeline::{TimelinePage, TimelineSlice},
    },
};

/// The timeline of the whole cluster, or with `object=Kind/namespace/name` in the address, of one object.
#[component]
pub(crate) fn Events() -> impl IntoView {
    let client = place::client();
    let (now, theme) = (clock::ticking(), theme::chosen());
    let params = place::params();
    let param = |name: &str| params.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    let state = RwSignal::new(ViewState::parse(&param("window").unwrap_or_default(), &param("q").unwrap_or_default()));
    let tag = if param("lang").is_some_and(|lang| lang == "zh-CN") { "zh-CN" } else { "en" };
    let tag = Signal::derive(move || tag);
    let page = match param("object") {
        Some(path) => {
            let mut parts = path.splitn(3, '/').map(str::to_owned);
            let [kind, namespace, name] = std::array::from_fn(|_| parts.next().unwrap_or_default());
            view! { <TimelineSlice client kind namespace name now tag/> }.into_any()
        }
        None => {
            let namespaces = Signal::derive(Vec::new);
            view! { <TimelinePage client namespaces now state tag keep=true/> }.into_any()
        }
    };
    view! {
        <header class="bar"><span class="spacer"></span><ThemeToggle theme/></header>
        <main class="page">{page}</main>
    }
}
