//! What stands where rows will be.

use leptos::prelude::*;

/// Rows without words, while the first page is on its way.
#[component]
pub(crate) fn Skeleton(label: String) -> impl IntoView {
    let row = |_| {
        view! { <div class="ghost" aria-hidden="true"><i></i><i></i><i></i><i></i></div> }
    };
    view! {
        <div class="skeleton" data-testid="skeleton" role="status" aria-label=label>
            {(0..ROWS).map(row).collect_view()}
        </div>
    }
}

/// About a screen.
const ROWS: usize = 24;
