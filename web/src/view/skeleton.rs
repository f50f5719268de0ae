//! What stands where rows will be.

use leptos::prelude::*;

/// Rows without words, while the first page is on its way.
#[component]
pub(crate) fn Skeleton() -> impl IntoView {
    view! {
        <div class="table" data-testid="skeleton" role="status" aria-label="Loading namespaces">
            <div class="head">
                <div class="row"><span>"Name"</span><span>"Status"</span><span>"Age"</span></div>
            </div>
            {(0..ROWS)
                .map(|_| {
                    view! {
                        <div class="row ghost" aria-hidden="true">
                            <span><i></i></span><span><i></i></span><span><i></i></span>
                        </div>
                    }
                })
                .collect_view()}
        </div>
    }
}

/// About what a small cluster has.
const ROWS: usize = 8;
