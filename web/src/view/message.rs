//! A message in place of rows.

use leptos::prelude::*;

use crate::model::visible::excerpt;

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
            <h2>{excerpt(&title, LONGEST).into_owned()}</h2>
            {(!says.is_empty()).then(|| view! { <p>{excerpt(&says, LONGEST).into_owned()}</p> })}
            {children.map(|children| view! { <div class="panel-actions">{children()}</div> })}
        </section>
    }
}

/// A name in a message may come from a link.
const LONGEST: usize = 1000;
