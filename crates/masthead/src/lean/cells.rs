//! Fields whose paths are known at run time only: the columns of a table.

use std::fmt;

use serde_json::Number;

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
            // Written and read as JSON is: the standard library's ways are twenty kilobytes more in a page.
            Cell::Number(value) => match Number::from_f64(*value) {
                Some(_) if value.fract() == 0.0 && value.abs() <= EXACT => (*value as i64).fmt(f),
                Some(number) => number.fmt(f),
                None => f.write_str("NaN"),
            },
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
            Found::Number(text) => Cell::Number(number(text).ok_or(Mismatch { expected: "a number" })?),
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

/// The number that a text of JSON is.
pub(super) fn number(text: &str) -> Option<f64> {
    match text.parse::<i64>() {
        Ok(whole) if whole.unsigned_abs() <= EXACT as u64 => Some(whole as f64),
        _ => serde_json::from_str(text).ok(),
    }
}

/// Whole numbers are exact up to here.
const EXACT: f64 = (1u64 << 53) as f64;

#[cfg(test)]
mod tests {
    use super::{Cell, number};

    #[test]
    fn numbers_are_shown_as_they_were_written() {
        for text in ["0", "-7", "9007199254740992", "1.5", "-0.25", "1e+300", "0.1"] {
            let shown = number(text).map(|number| Cell::Number(number).to_string());
            assert_eq!(shown.as_deref(), Some(text));
        }
        for (text, shown) in
            [("1.0", "1"), ("1e3", "1000"), ("18446744073709551615", "1.8446744073709552e+19"), ("-0", "0")]
        {
            assert_eq!(number(text).map(|number| Cell::Number(number).to_string()).as_deref(), Some(shown), "{text}");
        }
        assert_eq!(number("1x"), None);
    }
}
