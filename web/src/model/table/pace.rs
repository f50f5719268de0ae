//! How many rows are tried on a filter between two looks at the clock.

/// Few rows at first, then as many as the work of the last ones allows: a word is tried on five hundred rows in the time that
/// a large regular expression takes for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    rows: usize,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { rows: FIRST }
    }
}

impl Pace {
    /// How many rows to try next.
    pub fn rows(self) -> usize {
        self.rows
    }

    /// That many rows were tried, at most, with this much work as [`Filter::take_work`] counts it.
    ///
    /// [`Filter::take_work`]: crate::model::filter::Filter::take_work
    pub fn tried(&mut self, work: usize) {
        self.rows = match work > WORK {
            true => (self.rows.saturating_mul(WORK) / work).max(1),
            false => (self.rows * 2).min(MOST),
        };
    }
}

/// Rows that are tried while nothing is known of the filter.
const FIRST: usize = 4;

/// As many rows as take less than a millisecond with a filter of a few words.
const MOST: usize = 500;

/// About a millisecond of matching a regular expression.
const WORK: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use super::{FIRST, MOST, Pace, WORK};

    #[test]
    fn cheap_filters_are_tried_on_many_rows_and_dear_ones_on_one() {
        let mut pace = Pace::default();
        assert_eq!(pace.rows(), FIRST);
        for _ in 0..20 {
            pace.tried(1000);
        }
        assert_eq!(pace.rows(), MOST);
        pace.tried(WORK * 10);
        assert_eq!(pace.rows(), MOST / 10);
        pace.tried(usize::MAX);
        assert_eq!(pace.rows(), 1);
        pace.tried(0);
        assert_eq!(pace.rows(), 2);
    }
}
