//! Who owns an object.

use leptos::prelude::*;

use crate::{
    live::{self, Session},
    model::detail::Reference,
    view::drawer::ObjectLink,
};

/// The chain of owners, the outermost first.
#[component]
pub(crate) fn Owners(session: Session, nearest: Memo<Option<Reference>>) -> impl IntoView {
    let chain = live::owners::chain(session, nearest);
    let owner = move |to: Reference| view! { <li><ObjectLink session to kind=true/></li> };
    view! {
        <Show when=move || chain.with(|chain| !chain.is_empty())>
            <nav class="owners" data-testid="owners" aria-label=move || session.words().drawer.owners>
                <span class="quiet">{move || session.words().drawer.owners}</span>
                <ol>{move || chain.get().into_iter().rev().map(owner).collect_view()}</ol>
            </nav>
        </Show>
    }
}
