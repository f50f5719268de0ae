//! The bar at the top of the page.

use leptos::prelude::*;

use crate::{
    live::Session,
    view::{connection_chip::ConnectionChip, mark::Mark, theme_toggle::ThemeToggle},
};

/// The mark, the server's version, the state of the connection and the theme.
#[component]
pub(crate) fn TopBar(session: Session) -> impl IntoView {
    view! {
        <header class="bar">
            <span class="brand"><Mark/>"Masthead"</span>
            <span class="server-version" data-testid="server-version" title="Version of the API server">
                {move || session.version.get()}
            </span>
            <span class="spacer"></span>
            <ConnectionChip connection=session.connection now=session.now/>
            <ThemeToggle theme=session.theme/>
        </header>
    }
}
