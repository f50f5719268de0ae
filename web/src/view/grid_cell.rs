//! A cell of a table.

use leptos::prelude::*;

use crate::{
    live::{Session, Slot},
    model::{
        route::{Open, Route},
        table::{cell::Cell, layout::Placed, sort::Field},
        timestamp,
    },
    view::status_chips::tone_name,
};

/// The value of a column; it flashes once when it changes. The name leads to the object.
#[component]
pub(crate) fn GridCell(
    session: Session,
    line: RwSignal<Option<Slot>, LocalStorage>,
    column: Placed,
    at: usize,
) -> impl IntoView {
    let field = column.field;
    let text = move || {
        line.with(|slot| {
            let Some(row) = slot.as_ref().map(|slot| slot.shown.row()) else { return String::new() };
            let ticks = matches!(field, Field::Cell(at) if row.cells.get(at).is_some_and(Cell::ticks));
            field.text(row, if ticks { session.now.get() } else { 0 })
        })
    };
    let hint = move || {
        line.with(|slot| {
            let row = slot.as_ref().map(|slot| slot.shown.row())?;
            match field {
                Field::Cell(at) => hint(row.cells.get(at)?),
                Field::Namespace => None,
            }
        })
    };
    let tone = move || {
        let Field::Cell(at) = field else { return None };
        line.with(|slot| match slot.as_ref()?.shown.row().cells.get(at)? {
            Cell::Status(_, tone) => Some(tone_name(*tone)),
            _ => None,
        })
    };
    let flash = move || {
        let Field::Cell(at) = field else { return None };
        line.with(|slot| {
            let slot = slot.as_ref().filter(|slot| at < 64 && slot.changed & 1 << at != 0)?;
            // Two names for one animation: it starts again only when its name changes.
            Some(if slot.revision % 2 == 0 { "even" } else { "odd" })
        })
    };
    let content = if field == Field::Cell(0) {
        let href = move || {
            line.with(|slot| {
                let key = slot.as_ref().map(|slot| slot.key.clone())?;
                Some(session.route.with(|route| {
                    let before = route.open.clone().unwrap_or_default();
                    let open = Open { namespace: key.namespace().to_owned(), name: key.name().to_owned(), ..before };
                    Route { open: Some(open), ..route.clone() }.write()
                }))
            })
        };
        view! { <a href=href tabindex="-1" draggable="false">{text}</a> }.into_any()
    } else {
        text.into_any()
    };
    view! {
        <div
            class="cell"
            role="gridcell"
            aria-colindex=at + 1
            data-col=column.id
            data-numeric=column.numeric
            data-tone=tone
            data-flash=flash
            title=hint
        >
            {content}
        </div>
    }
}

/// What a cell has no room for: the time of an age, the end of a long text.
fn hint(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Age(Some(time)) | Cell::Restarts { last: Some(time), .. } => Some(timestamp::write(*time)),
        Cell::Text(text) | Cell::Status(text, _) if text.len() > 24 => Some(text.to_string()),
        _ => None,
    }
}
