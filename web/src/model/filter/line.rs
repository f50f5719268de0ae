//! A short text without memory of its own.

use std::fmt;

use crate::model::table::cell::Cell;

/// The text of a cell that is a number or a time. What does not fit is left out; the longest fits.
pub(super) struct Line {
    bytes: [u8; 64],
    length: usize,
}

impl Line {
    /// What a cell shows.
    pub(super) fn of(cell: &Cell, now: i64) -> Line {
        let mut line = Line { bytes: [0; 64], length: 0 };
        cell.show(now, &mut line).unwrap_or_default();
        line
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let room = self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}
