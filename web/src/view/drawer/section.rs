//! A section of the overview.

use leptos::prelude::*;

/// A heading and what belongs to it.
#[component]
pub(crate) fn Section(#[prop(into)] title: Signal<String>, test: &'static str, children: Children) -> impl IntoView {
    view! {
        <section class="told" data-testid=test>
            <h3>{title}</h3>
            {children()}
        </section>
    }
}
