//! The page of a server without namespaces.

use leptos::prelude::*;

/// Says that the list is complete and empty.
#[component]
pub(crate) fn Empty() -> impl IntoView {
    view! {
        <section class="panel" data-testid="empty">
            <h2>"No namespaces"</h2>
            <p>"The server listed its namespaces and there are none. A new one appears here by itself."</p>
        </section>
    }
}
