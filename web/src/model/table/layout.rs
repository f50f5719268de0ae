//! Which columns of a table are on screen, and how wide they are.

use serde::{Deserialize, Serialize};

use crate::model::{
    custom_column::CustomColumn,
    table::{column::Column, row::Row, sort::Field},
};

/// What a person changed about the columns of a kind. Columns go by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// Columns that are off by default and were turned on.
    pub on: Vec<String>,
    /// Columns that are on by default and were turned off.
    pub off: Vec<String>,
    /// Columns that the person added, as they are written.
    pub custom: Vec<String>,
}

/// A column on screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// What it shows.
    pub field: Field,
    /// What stands at its head.
    pub title: String,
    /// Its name in filters, routes and settings.
    pub id: String,
    /// Whether its values stand at the right.
    pub numeric: bool,
}

impl Choice {
    /// Adds a column; one of the same title is replaced.
    pub fn add(&mut self, custom: &CustomColumn) {
        self.custom.retain(|known| CustomColumn::parse(known).is_ok_and(|known| known.column() != custom.column()));
        self.custom.push(custom.to_string());
    }

    /// The columns that the person added, without those that cannot be read.
    pub fn added(&self) -> Vec<CustomColumn> {
        self.custom.iter().filter_map(|written| CustomColumn::parse(written).ok()).collect()
    }

    /// Whether a column is on screen.
    pub fn shows(&self, column: &Column) -> bool {
        let id = id(&column.title);
        if column.wide { self.on.contains(&id) } else { !self.off.contains(&id) }
    }

    /// Turns a column on or off.
    pub fn toggle(&mut self, column: &Column) {
        let id = id(&column.title);
        let list = if column.wide { &mut self.on } else { &mut self.off };
        match list.iter().position(|known| *known == id) {
            Some(at) => _ = list.remove(at),
            None => list.push(id),
        }
    }
}

/// The name of a column in filters, routes and settings: in lower case, with `-` for a space.
pub fn id(title: &str) -> String {
    title.to_ascii_lowercase().replace(' ', "-")
}

/// The columns on screen. The first one names the object and cannot be turned off.
pub fn placed(columns: &[Column], choice: &Choice, with_namespace: bool) -> Vec<Placed> {
    let namespace = with_namespace.then(|| Placed {
        field: Field::Namespace,
        title: "NAMESPACE".to_owned(),
        id: "namespace".to_owned(),
        numeric: false,
    });
    let shown = columns.iter().enumerate().filter(|(at, column)| *at == 0 || choice.shows(column));
    let shown = shown.map(|(at, column)| Placed {
        field: Field::Cell(at),
        title: column.title.clone(),
        id: id(&column.title),
        numeric: column.numeric,
    });
    namespace.into_iter().chain(shown).collect()
}

/// How many letters the widest value of each column has. Columns only grow while a table is on screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    namespace: usize,
    cells: Vec<usize>,
}

impl Widths {
    /// Makes room for a row; says whether a column grew.
    pub fn note(&mut self, row: &Row) -> bool {
        if self.cells.len() < row.cells.len() {
            self.cells.resize(row.cells.len(), 0);
        }
        let mut grew = grow(&mut self.namespace, row.namespace.len());
        for (known, cell) in self.cells.iter_mut().zip(&row.cells) {
            grew |= grow(known, cell.width());
        }
        grew
    }

    /// The tracks of a grid with these columns, as CSS writes them. What is left over stays empty at the right, unless the
    /// last column has use for it.
    pub fn tracks(&self, columns: &[Placed]) -> String {
        let mut tracks = Vec::new();
        for column in columns {
            let widest = match column.field {
                Field::Namespace => self.namespace,
                Field::Cell(at) => self.cells.get(at).copied().unwrap_or(0),
            };
            // A head is set in small letters with a sign for the order behind it.
            tracks.push(widest.max(column.title.chars().count() + 1));
        }
        let last = tracks.pop_if(|letters| *letters > FILLS);
        let fixed = tracks.iter().map(|letters| format!("calc({}ch + var(--cell-gap)) ", letters.min(&LIMIT)));
        let rest = last.map_or("1fr".to_owned(), |_| format!("minmax({FILLS}ch, 1fr)"));
        fixed.chain([rest]).collect()
    }
}

fn grow(known: &mut usize, width: usize) -> bool {
    let grows = width > *known;
    if grows {
        *known = width;
    }
    grows
}

/// Longer values are cut on screen and whole in the tooltip, the clipboard and the drawer.
const LIMIT: usize = 64;

/// A last column of longer values takes all the space that is left.
const FILLS: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::table::{cell::Tone, fixture::row};

    fn columns() -> Vec<Column> {
        let column = |title: &str, wide| Column { title: title.into(), wide, numeric: false };
        vec![column("NAME", false), column("STATUS", false), column("NOMINATED NODE", true)]
    }

    fn titles(choice: &Choice, with_namespace: bool) -> String {
        placed(&columns(), choice, with_namespace).iter().map(|placed| placed.id.clone()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_person_turns_columns_on_and_off_but_never_the_name() {
        let mut choice = Choice::default();
        assert_eq!(titles(&choice, true), "namespace name status");
        columns().iter().for_each(|column| choice.toggle(column));
        assert_eq!(titles(&choice, false), "name nominated-node");
        columns().iter().for_each(|column| choice.toggle(column));
        assert_eq!(choice, Choice::default());
    }

    #[test]
    fn columns_grow_with_what_is_in_them_up_to_a_bound() {
        let mut widths = Widths::default();
        assert!(widths.note(&row("shop/web", "Running", Tone::Quiet)));
        assert!(!widths.note(&row("shop/db", "Running", Tone::Quiet)));
        assert!(widths.note(&row(&format!("shop/{}", "x".repeat(300)), "OK", Tone::Quiet)));
        let tracks = widths.tracks(&placed(&columns(), &Choice::default(), true));
        let letters: Vec<&str> = tracks.split("calc(").filter_map(|track| track.split("ch").next()).collect();
        assert_eq!(letters, ["", "10", "64", "9"]);
        assert!(tracks.ends_with(" 1fr"), "{tracks}");
        widths.note(&row("shop/web", &"very ".repeat(20), Tone::Quiet));
        let tracks = widths.tracks(&placed(&columns(), &Choice::default(), false));
        assert_eq!(tracks, "calc(64ch + var(--cell-gap)) minmax(32ch, 1fr)");
    }
}
