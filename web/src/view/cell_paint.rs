//! The element of a cell, written only where it changes.

use web_sys::{Document, Element, Node};

use crate::{
    model::{
        table::{cell::Cell, layout::Placed, row::Row, sort::Field},
        timestamp,
        visible::excerpt,
    },
    view::{row_paint::set, status_chips::tone_name},
};

/// A cell in the DOM. It flashes once when it changes.
pub(super) struct CellPaint {
    element: Element,
    /// Where the text stands.
    text: Node,
    /// The name leads to the object.
    link: Option<Element>,
    field: Field,
    /// What is shown.
    value: Option<Cell>,
    /// How that was last written.
    written: String,
    flash: Option<&'static str>,
}

impl CellPaint {
    /// An empty cell of this column, the one at `place`.
    pub(super) fn new(document: &Document, column: &Placed, place: usize) -> Option<CellPaint> {
        let element = document.create_element("div").ok()?;
        set(&element, "class", Some("cell"));
        set(&element, "role", Some("gridcell"));
        set(&element, "aria-colindex", Some(&(place + 1).to_string()));
        set(&element, "data-col", Some(&column.id));
        set(&element, "data-numeric", column.numeric.then_some(""));
        let text: Node = document.create_text_node("").into();
        let mut link = None;
        if column.field == Field::Cell(0) {
            let name = document.create_element("a").ok()?;
            set(&name, "tabindex", Some("-1"));
            set(&name, "draggable", Some("false"));
            name.append_child(&text).ok()?;
            element.append_child(&name).ok()?;
            link = Some(name);
        } else {
            element.append_child(&text).ok()?;
        }
        Some(CellPaint { element, text, link, field: column.field, value: None, written: String::new(), flash: None })
    }

    pub(super) fn element(&self) -> &Element {
        &self.element
    }

    /// Whether the cell of this row changes as time goes by.
    pub(super) fn ticks(&self, row: &Row) -> bool {
        matches!(self.field, Field::Cell(at) if row.cells.get(at).is_some_and(Cell::ticks))
    }

    /// Shows the cell of `row` at this time; `changed` has a bit for each cell that changed last, `revision` tells one change
    /// from the next.
    pub(super) fn show(&mut self, row: Option<&Row>, now: i64, (changed, revision): (u64, u32)) {
        let new = row.and_then(|row| match self.field {
            Field::Namespace => Some(Cell::Text(row.namespace.clone())),
            Field::Cell(at) => row.cells.get(at).cloned(),
        });
        let same = self.value == new;
        if !same || new.as_ref().is_some_and(Cell::ticks) {
            let text = new.as_ref().map(|cell| written(cell, now)).unwrap_or_default();
            if self.written != text {
                self.text.set_node_value(Some(&text));
                self.written = text;
            }
        }
        if !same {
            set(&self.element, "title", new.as_ref().and_then(hint).as_deref());
            let tones = [&self.value, &new].map(|cell| cell.as_ref().and_then(tone));
            if tones[0] != tones[1] {
                set(&self.element, "data-tone", tones[1]);
            }
            self.value = new;
        }
        let flashes = matches!(self.field, Field::Cell(at) if at < 64 && changed & 1 << at != 0);
        // Two names for one animation: it starts again only when its name changes.
        let flash = flashes.then_some(if revision % 2 == 0 { "even" } else { "odd" });
        if self.flash != flash {
            set(&self.element, "data-flash", flash);
            self.flash = flash;
        }
    }

    /// Leads to this address, if it is the cell of the name.
    pub(super) fn lead(&self, address: &str) {
        if let Some(link) = &self.link {
            set(link, "href", Some(address));
        }
    }
}

fn tone(cell: &Cell) -> Option<&'static str> {
    match cell {
        Cell::Status(_, tone) => Some(tone_name(*tone)),
        _ => None,
    }
}

/// What a cell has no room for: the time of an age, the end of a long text.
fn hint(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Age(Some(time)) | Cell::Restarts { last: Some(time), .. } => Some(timestamp::write(*time)),
        Cell::Text(text) | Cell::Status(text, _) if text.len() > 24 => Some(excerpt(text, HINT).into_owned()),
        _ => None,
    }
}

/// What a cell shows. No column is as wide as the longest text.
fn written(cell: &Cell, now: i64) -> String {
    match cell {
        Cell::Text(text) | Cell::Status(text, _) | Cell::Quantity(text, _) => excerpt(text, SHOWN).into_owned(),
        figure => figure.text(now),
    }
}

const SHOWN: usize = 400;
const HINT: usize = 2000;
