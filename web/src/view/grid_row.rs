//! A row of a table.

use leptos::{ev, prelude::*};
use masthead::cache::ObjectKey;

use crate::{
    live::{Session, Slot, TableView},
    model::table::{layout::Placed, selection::Selection},
    view::grid_cell::GridCell,
};

/// The row that is in a slot: another one when the table is scrolled.
#[component]
pub(crate) fn GridRow(
    session: Session,
    table: TableView,
    line: RwSignal<Option<Slot>, LocalStorage>,
    at: usize,
    placed: Memo<Vec<Placed>>,
) -> impl IntoView {
    let selection = table.signals.selection;
    let of = move |read: fn(&Slot) -> String| line.with(|slot| slot.as_ref().map(read).unwrap_or_default());
    let name = move || of(|slot| slot.shown.row().name.to_string());
    let namespace = move || of(|slot| slot.shown.row().namespace.to_string());
    let index = move || line.with(|slot| slot.as_ref().map(|slot| slot.place + 2));
    let place = move || of(|slot| slot.place.to_string());
    let has = move |test: fn(&Selection, &Slot) -> bool| {
        line.with(|slot| slot.as_ref().is_some_and(|slot| selection.with(|selection| test(selection, slot))))
    };
    let chosen = move || has(|selection, slot| selection.has(&slot.key));
    let active = move || has(|selection, slot| selection.active.as_ref() == Some(&slot.key));
    let open = move || line.with(|slot| slot.as_ref().is_some_and(|slot| is_open(session, &slot.key)));
    let at_hand = move || line.with_untracked(|slot| slot.as_ref().map(|slot| (slot.key.clone(), slot.place)));
    let clicked = move |event: ev::MouseEvent| {
        if let Some((key, place)) = at_hand() {
            click(session, table, &event, (&key, place));
        }
    };
    let opened = move |_| {
        if let Some((key, _)) = at_hand() {
            session.open(key.namespace(), key.name());
        }
    };
    view! {
        <div
            class="row"
            role="row"
            id=format!("row-{at}")
            data-testid="row"
            data-name=name
            data-namespace=namespace
            data-active=active
            data-open=open
            aria-rowindex=index
            aria-selected=move || chosen().to_string()
            hidden=move || line.with(Option::is_none)
            style:--place=place
            on:click=clicked
            on:dblclick=opened
        >
            {move || placed.get().into_iter().enumerate().map(|(at, column)| {
                view! { <GridCell session line column at/> }
            }).collect_view()}
        </div>
    }
}

fn is_open(session: Session, key: &ObjectKey) -> bool {
    session.route.with(|route| {
        route.open.as_ref().is_some_and(|open| open.name == key.name() && open.namespace == key.namespace())
    })
}

/// A click puts the cursor on a row; with Shift it chooses a range, with Control one row more. While an object is open, the
/// one that is clicked takes its place.
fn click(session: Session, table: TableView, event: &ev::MouseEvent, (key, place): (&ObjectKey, usize)) {
    if event.shift_key() {
        return table.extend_to(place);
    }
    table.put_cursor(place);
    if event.ctrl_key() || event.meta_key() {
        table.toggle();
    } else if session.route.with_untracked(|route| route.open.is_some()) {
        session.open(key.namespace(), key.name());
    }
}
