//! The bar at the top of the page.

use leptos::prelude::*;

use crate::{
    live::{Overlay, Session},
    model::visible::excerpt,
    view::{
        connection_chip::ConnectionChip,
        icon::{Drawing, Icon},
        mark::Mark,
        theme_toggle::ThemeToggle,
    },
};

/// Where one is, what is searched, and how the connection stands.
#[component]
pub(crate) fn TopBar(session: Session) -> impl IntoView {
    let scope = move || {
        session.route.with(|route| match route.namespaces.as_slice() {
            [] => session.words().all_namespaces.to_owned(),
            few if few.len() <= 3 => excerpt(&few.join(", "), 200).into_owned(),
            many => (session.words().some_namespaces)(many.len()),
        })
    };
    view! {
        <header class="bar">
            <span class="brand"><Mark/>"Masthead"</span>
            <Show
                when=move || session.is_demo()
                fallback=move || view! {
                    <span class="server-version" data-testid="server-version" title=move || session.words().server_version>
                        {move || session.version.get()}
                    </span>
                }
            >
                <span class="badge" data-testid="demo" title=move || session.words().demo_says>
                    {move || session.words().demo}
                </span>
            </Show>
            <button
                type="button"
                class="pick"
                data-testid="namespaces"
                aria-haspopup="dialog"
                title=move || session.words().namespaces
                on:click=move |_| session.overlay.set(Overlay::Namespaces)
            >
                <span class="pick-word">"ns"</span>
                <span class="pick-value">{scope}</span>
                <Drawing icon=Icon::Down/>
            </button>
            <button
                type="button"
                class="search"
                data-testid="search"
                aria-haspopup="dialog"
                on:click=move |_| session.overlay.set(Overlay::Palette)
            >
                <Drawing icon=Icon::Search/>
                <span>{move || session.words().palette_hint}</span>
                <kbd>"Ctrl K"</kbd>
            </button>
            <span class="spacer"></span>
            <ConnectionChip session/>
            <button
                type="button"
                class="icon-button"
                data-testid="settings"
                aria-label=move || session.words().settings
                title=move || session.words().settings
                on:click=move |_| session.overlay.set(Overlay::Settings)
            >
                <Drawing icon=Icon::Gear/>
            </button>
            <ThemeToggle session/>
        </header>
    }
}
