//! Fields whose paths are known at run time only: the columns of a table.

use std::fmt;

use super::{Found, Interned, Lean, Mismatch, Strings};

/// The value of one column.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// The object does not have it.
    #[default]
    Empty,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text, or an array or object as it is written.
    Text(Interned),
    /// What lies at a path with `[*]` more than once.
    Many(Vec<Cell>),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Empty => Ok(()),
            Cell::Bool(value) => value.fmt(f),
            Cell::Number(value) => value.fmt(f),
            Cell::Text(text) => text.fmt(f),
            Cell::Many(cells) => cells.iter().enumerate().try_for_each(|(place, cell)| {
                f.write_str(if place == 0 { "" } else { "," })?;
                cell.fmt(f)
            }),
        }
    }
}

/// The columns of one object, in the order of their paths; see [`Projector::of_paths`](super::Projector::of_paths).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells(Box<[Cell]>);

impl Cells {
    /// The value of the column at this place; empty where there is none.
    pub fn get(&self, place: usize) -> &Cell {
        self.0.get(place).unwrap_or(&Cell::Empty)
    }
}

impl Lean for Cells {
    const PATHS: &'static [&'static str] = &[];

    fn blank(slots: usize) -> Cells {
        Cells(vec![Cell::Empty; slots].into())
    }

    fn set(&mut self, slot: usize, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        let new = match found {
            Found::Null => return Ok(()),
            Found::Bool(value) => Cell::Bool(value),
            Found::Number(text) => Cell::Number(text.parse().map_err(|_| Mismatch { expected: "a number" })?),
            Found::Text(text) => Cell::Text(strings.intern(&text)),
            Found::Nested(json) => Cell::Text(strings.intern(&String::from_utf8_lossy(json))),
        };
        let Some(cell) = self.0.get_mut(slot) else { return Ok(()) };
        match cell {
            Cell::Empty => *cell = new,
            Cell::Many(cells) => cells.push(new),
            _ => {
                let one = std::mem::take(cell);
                *cell = Cell::Many(vec![one, new]);
            }
        }
        Ok(())
    }

    fn heap(&self) -> usize {
        let inside = self.0.iter().map(|cell| match cell {
            Cell::Many(cells) => cells.capacity() * size_of::<Cell>(),
            _ => 0,
        });
        size_of_val(&*self.0) + inside.sum::<usize>()
    }
}
