//! Which rows of many are in the DOM.

use std::ops::Range;

/// How a table is scrolled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Viewport {
    /// How far it is scrolled, in pixels.
    pub top: f64,
    /// How much of it is visible, in pixels.
    pub height: f64,
    /// The height of a row, in pixels.
    pub row: f64,
}

impl Viewport {
    /// The places that are in the DOM: those in sight, and a margin for the moment before the next frame.
    pub fn range(self, total: usize) -> Range<usize> {
        let first = (self.top / self.row).floor().max(0.0) as usize;
        let visible = (self.height / self.row).ceil() as usize + 1;
        let end = first.saturating_add(visible + MARGIN).min(total);
        first.saturating_sub(MARGIN).min(end)..end
    }

    /// As many rows are in the DOM at most; the row at a place is in slot `place % slots`.
    pub fn slots(self) -> usize {
        (self.height / self.row).ceil() as usize + 1 + 2 * MARGIN
    }

    /// How far to scroll so that the row at `place` is in sight; `None` when it is.
    pub fn reveal(self, place: usize) -> Option<f64> {
        let from = place as f64 * self.row;
        if from < self.top {
            Some(from)
        } else if from + self.row > self.top + self.height {
            Some(from + self.row - self.height)
        } else {
            None
        }
    }

    /// How many rows a page has.
    pub fn page(self) -> usize {
        ((self.height / self.row).floor() as usize).saturating_sub(1).max(1)
    }
}

/// Rows above and below the visible ones. Browsers scroll on another thread: what is not there yet is blank for a frame.
const MARGIN: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn viewport(top: f64) -> Viewport {
        Viewport { top, height: 280.0, row: 28.0 }
    }

    #[test]
    fn the_dom_holds_what_is_in_sight_and_a_margin() {
        assert_eq!(viewport(0.0).range(50_000), 0..23);
        assert_eq!(viewport(28.0 * 1000.0).range(50_000), 988..1023);
        assert_eq!(viewport(28.0 * 49_990.0).range(50_000), 49_978..50_000);
        assert_eq!(viewport(0.0).range(3), 0..3);
        assert_eq!(viewport(9999.0).range(3), 3..3, "a list that became short");
        assert!(viewport(14.0).range(50_000).len() <= viewport(14.0).slots());
        assert!(viewport(28.0 * 1000.0).range(50_000).len() <= viewport(0.0).slots());
    }

    #[test]
    fn a_row_out_of_sight_is_scrolled_to_by_as_little_as_possible() {
        assert_eq!(viewport(280.0).reveal(10), None);
        assert_eq!(viewport(280.0).reveal(9), Some(252.0));
        assert_eq!(viewport(0.0).reveal(10), Some(28.0));
        assert_eq!(viewport(0.0).page(), 9);
    }
}
