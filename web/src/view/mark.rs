//! Masthead's mark.

use leptos::prelude::*;

/// A pennant at the head of a mast.
#[component]
pub(crate) fn Mark() -> impl IntoView {
    view! {
        <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
            <path class="mark-mast" d="M5 1.5v17"/>
            <path class="mark-pennant" d="M6.5 3 18 6.75 6.5 10.5z"/>
        </svg>
    }
}
