//! A message in place of rows.

use leptos::prelude::*;

/// One sentence, one that explains it, and what can be done.
#[component]
pub(crate) fn Message(
    test: &'static str,
    title: String,
    says: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <section class="panel" data-testid=test>
            <h2>{title}</h2>
            {(!says.is_empty()).then(|| view! { <p>{says}</p> })}
            {children.map(|children| view! { <div class="panel-actions">{children()}</div> })}
        </section>
    }
}
