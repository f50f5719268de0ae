//! A row of a table.

use std::{cell::RefCell, rc::Rc};

use leptos::{ev, html, prelude::*};
use masthead::cache::ObjectKey;

use crate::{
    live::{Session, TableView},
    model::{
        route::{Open, Route},
        table::{layout::Placed, slots::Slot},
    },
    view::row_paint::{Marks, RowPaint},
};

/// The row that is in a slot: another one when the table is scrolled.
#[component]
pub(crate) fn GridRow(
    session: Session,
    table: TableView,
    line: RwSignal<Option<Slot>, LocalStorage>,
    at: usize,
    placed: Memo<Vec<Placed>>,
    /// The key of the object that is open beside the table.
    opened: Memo<Option<String>>,
) -> impl IntoView {
    let element = NodeRef::<html::Div>::new();
    let paint = StoredValue::new_local(Rc::new(RefCell::new(None::<RowPaint>)));
    Effect::new(move || {
        let Some(element) = element.get() else { return };
        let paint = paint.get_value();
        let mut paint = paint.borrow_mut();
        let paint = paint.get_or_insert_with(|| RowPaint::new(element.into()));
        placed.with(|columns| paint.lay_out(columns, |key| address(session, key)));
        line.with(|slot| {
            let slot = slot.as_ref();
            let marks = slot.map(|slot| marks(session, table, opened, &slot.key)).unwrap_or_default();
            let now = if slot.is_some_and(|slot| paint.ticks(slot)) { session.now.get() } else { 0 };
            paint.show(slot, marks, now, |key| address(session, key));
        });
    });
    // The address of the view changes with every key in the filter, and matters when somebody follows the link.
    let approached = move |_| {
        if let Some(paint) = &*paint.get_value().borrow() {
            paint.lead(|key| address(session, key));
        }
    };
    let at_hand = move || line.with_untracked(|slot| slot.as_ref().map(|slot| (slot.key.clone(), slot.place)));
    let clicked = move |event: ev::MouseEvent| {
        if let Some((key, place)) = at_hand() {
            click(session, table, &event, (&key, place));
        }
    };
    let double_clicked = move |_| {
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
            aria-selected="false"
            hidden=true
            node_ref=element
            on:pointerenter=approached
            on:click=clicked
            on:dblclick=double_clicked
        ></div>
    }
}

fn marks(session: Session, table: TableView, opened: Memo<Option<String>>, key: &ObjectKey) -> Marks {
    let stale = table.feed().supply.with(|supply| supply.stale.why(key.as_str()).is_some());
    table.signals.selection.with(|selection| Marks {
        chosen: selection.has(key),
        active: selection.active.as_ref() == Some(key),
        open: opened.with(|opened| opened.as_deref() == Some(key.as_str())),
        stale: stale.then(|| session.words().stale_row),
    })
}

/// Where the object is open beside what is on screen now.
fn address(session: Session, key: &ObjectKey) -> String {
    session.route.with_untracked(|route| {
        let before = route.open.clone().unwrap_or_default();
        let open = Open { namespace: key.namespace().to_owned(), name: key.name().to_owned(), ..before };
        Route { open: Some(open), ..route.clone() }.write()
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
