//! The rows of a table.

use leptos::{html, prelude::*};
use masthead::cache::ObjectKey;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::ResizeObserver;

use crate::{
    live::{Session, TableView},
    model::table::layout::Placed,
    view::{grid_head::GridHead, grid_row::GridRow},
};

/// A grid of as many rows as there is room for, whatever their number; all of them for whoever scrolls or asks.
#[component]
pub(crate) fn Grid(session: Session, table: TableView, placed: Memo<Vec<Placed>>, label: String) -> impl IntoView {
    let scroller = NodeRef::<html::Div>::new();
    let signals = table.signals;
    scroller.on_load(move |element| {
        let observed = Closure::<dyn FnMut()>::new(move || table.measure());
        let observer = ResizeObserver::new(observed.as_ref().unchecked_ref());
        table.attach(element.clone().into());
        match observer {
            Ok(observer) => {
                observer.observe(&element);
                let held = StoredValue::new_local((observer, observed));
                on_cleanup(move || held.with_value(|(observer, _)| observer.disconnect()));
            }
            Err(_) => leptos::logging::warn!("a table does not learn of its size"),
        }
    });
    Effect::new(move || {
        session.settings.with(|settings| settings.comfortable);
        table.measure();
    });
    // The head is a row of the grid too.
    let row_count = move || signals.count.get().shown + 1;
    let tracks = Memo::new(move |_| signals.widths.with(|widths| placed.with(|placed| widths.tracks(placed))));
    let active = Memo::new(move |_| {
        let active = signals.selection.with(|selection| selection.active.clone())?;
        let slots = signals.slots.get();
        let at =
            slots.iter().position(|slot| slot.with(|slot| slot.as_ref().is_some_and(|slot| slot.key == active)))?;
        Some(format!("row-{at}"))
    });
    let opened = Memo::new(move |_| {
        session
            .route
            .with(|route| route.open.as_ref().map(|open| ObjectKey::new(&open.namespace, &open.name).to_string()))
    });
    view! {
        <div
            class="grid"
            role="grid"
            data-testid="grid"
            aria-label=label
            aria-multiselectable="true"
            aria-rowcount=row_count
            aria-colcount=move || placed.with(Vec::len)
            aria-activedescendant=move || active.get()
            tabindex="0"
            node_ref=scroller
            style:--tracks=move || tracks.get()
            on:scroll=move |_| table.scrolled()
            on:pointermove=move |_| table.hold()
        >
            <GridHead session placed/>
            <div class="grid-body" role="rowgroup" style:--rows=move || signals.count.get().shown.to_string()>
                <For
                    each=move || signals.slots.get().into_iter().enumerate()
                    key=|(at, _)| *at
                    children=move |(at, line)| view! { <GridRow session table line at placed opened/> }
                />
            </div>
        </div>
    }
}
