//! The namespace table.

use leptos::prelude::*;

use crate::{live::TableSignals, view::namespace_row::NamespaceRow};

/// kubectl's columns, in its order, live.
#[component]
pub(crate) fn NamespaceTable(table: TableSignals, now: RwSignal<i64>) -> impl IntoView {
    // The header is a row of the grid too.
    let row_count = move || table.order.with(|order| order.len() + 1);
    view! {
        <div class="table" role="grid" aria-label="Namespaces" aria-rowcount=row_count tabindex="0">
            <div class="head" role="rowgroup">
                <div class="row" role="row">
                    <span role="columnheader" aria-sort="ascending">"Name"</span>
                    <span role="columnheader">"Status"</span>
                    <span role="columnheader">"Age"</span>
                </div>
            </div>
            <div role="rowgroup">
                <For each=move || table.order.get() key=|row| row.uid.clone() let:row>
                    <NamespaceRow row=row.row now/>
                </For>
            </div>
        </div>
    }
}
