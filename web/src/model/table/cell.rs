//! What one cell of a table shows, and what it sorts by.

use std::{cmp::Ordering, fmt};

use masthead::lean::Interned;

use crate::model::age;

/// A cell. It keeps the value, not the text: ages tick, and `10` sorts behind `9`.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text as it is.
    Text(Interned),
    /// One word that says how an object is.
    Status(Interned, Tone),
    /// A whole number.
    Count(i64),
    /// So many of so many, as in `1/2`.
    Ratio {
        /// How many there are.
        part: u32,
        /// How many there should be.
        of: u32,
    },
    /// How often something was restarted, and when for the last time, in milliseconds since 1970.
    Restarts {
        /// How often.
        count: u32,
        /// When last, if that is known.
        last: Option<i64>,
    },
    /// The age of something that began then, in milliseconds since 1970.
    Age(Option<i64>),
    /// How long something took, in milliseconds.
    Span(i64),
    /// An amount with its unit, as it is written, and what it comes to.
    Quantity(Interned, f64),
}

/// How much attention a state asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tone {
    /// As it should be.
    #[default]
    Quiet,
    /// On its way.
    Busy,
    /// Somebody should look.
    Warning,
    /// Something is broken.
    Failure,
}

impl Cell {
    /// Writes what kubectl writes, with `now` in milliseconds since 1970.
    pub fn show(&self, now: i64, to: &mut impl fmt::Write) -> fmt::Result {
        match self {
            Cell::Text(word) | Cell::Status(word, _) | Cell::Quantity(word, _) => to.write_str(word),
            Cell::Count(count) => write!(to, "{count}"),
            Cell::Ratio { part, of } => write!(to, "{part}/{of}"),
            Cell::Restarts { count, last: None } => write!(to, "{count}"),
            Cell::Restarts { count, last: Some(last) } => {
                write!(to, "{count} (")?;
                age::write(*last, now, to)?;
                to.write_str(" ago)")
            }
            Cell::Age(None) => to.write_str(age::UNKNOWN),
            Cell::Age(Some(began)) => age::write(*began, now, to),
            Cell::Span(millis) => age::write(0, *millis, to),
        }
    }

    /// Appends what kubectl writes, with `now` in milliseconds since 1970.
    pub fn write(&self, now: i64, text: &mut String) {
        self.show(now, text).expect("a text takes whatever is written");
    }

    /// What kubectl writes, with `now` in milliseconds since 1970.
    pub fn text(&self, now: i64) -> String {
        let mut text = String::new();
        self.write(now, &mut text);
        text
    }

    /// How many letters the text has at most, whatever the time is.
    pub fn width(&self) -> usize {
        match self {
            Cell::Text(word) | Cell::Quantity(word, _) => word.chars().count(),
            // With the sign before it.
            Cell::Status(word, _) => word.chars().count() + 2,
            Cell::Count(count) => digits(count.unsigned_abs()) + usize::from(*count < 0),
            Cell::Ratio { part, of } => digits(u64::from(*part)) + 1 + digits(u64::from(*of)),
            Cell::Restarts { count, last } => digits(u64::from(*count)) + last.map_or(0, |_| AGE + " ( ago)".len()),
            Cell::Age(None) => age::UNKNOWN.len(),
            Cell::Age(Some(_)) | Cell::Span(_) => AGE,
        }
    }

    /// Whether the text changes as time goes by.
    pub fn ticks(&self) -> bool {
        matches!(self, Cell::Age(Some(_)) | Cell::Restarts { last: Some(_), .. })
    }

    /// How the cells of one column are ordered: by what they mean. The youngest comes first, as its age is the smallest.
    pub fn order(&self, other: &Cell) -> Ordering {
        match (self, other) {
            (Cell::Count(one), Cell::Count(two)) => one.cmp(two),
            (Cell::Ratio { part: a, of: b }, Cell::Ratio { part: c, of: d }) => (a, b).cmp(&(c, d)),
            (Cell::Restarts { count: a, last: b }, Cell::Restarts { count: c, last: d }) => (a, b).cmp(&(c, d)),
            (Cell::Age(one), Cell::Age(two)) => two.cmp(one),
            (Cell::Span(one), Cell::Span(two)) => one.cmp(two),
            (Cell::Quantity(_, one), Cell::Quantity(_, two)) => one.total_cmp(two),
            (Cell::Text(one) | Cell::Status(one, _), Cell::Text(two) | Cell::Status(two, _)) => one.cmp(two),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    /// Cells of different kinds in one column: words such as `<none>` after values. Each kind has its own rank, or the order
    /// would not be one.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Cell::Count(_) => 0,
            Cell::Ratio { .. } => 1,
            Cell::Restarts { .. } => 2,
            Cell::Quantity(..) => 3,
            Cell::Span(_) => 4,
            Cell::Age(_) => 5,
            Cell::Text(_) | Cell::Status(..) => TEXT_RANK,
        }
    }
}

/// The rank of texts: behind all else.
pub(super) const TEXT_RANK: u8 = 6;

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// The letters of the longest age.
const AGE: usize = "7y364d".len();

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{Cell, Tone};

    #[test]
    fn cells_read_as_kubectl_writes_them() {
        let check = |cell: Cell, expected: &str| assert_eq!(cell.text(400_000), expected);
        check(Cell::Text("10.0.0.1".into()), "10.0.0.1");
        check(Cell::Status("CrashLoopBackOff".into(), Tone::Failure), "CrashLoopBackOff");
        check(Cell::Count(-1), "-1");
        check(Cell::Ratio { part: 1, of: 2 }, "1/2");
        check(Cell::Restarts { count: 0, last: None }, "0");
        check(Cell::Restarts { count: 3, last: Some(100_000) }, "3 (5m ago)");
        check(Cell::Age(None), "<unknown>");
        check(Cell::Age(Some(0)), "6m40s");
        check(Cell::Span(7_900), "7s");
        check(Cell::Quantity("10Gi".into(), 10.0 * 1024.0 * 1024.0 * 1024.0), "10Gi");
    }

    #[test]
    fn a_column_has_room_for_every_age() {
        let days = (0..9 * 365).map(|day| day * 86_400);
        for seconds in (0..20_000).chain(days).chain([9 * 86_400 - 1, 8 * 365 * 86_400 - 1]) {
            for cell in [Cell::Age(Some(0)), Cell::Restarts { count: 36, last: Some(0) }] {
                let text = cell.text(seconds * 1000);
                assert!(text.len() <= cell.width(), "{text}");
            }
        }
    }

    #[test]
    fn cells_sort_by_what_they_mean() {
        let ascending = |one: Cell, two: Cell| {
            assert_eq!(one.order(&two), Ordering::Less, "{one:?} {two:?}");
            assert_eq!(two.order(&one), Ordering::Greater, "{one:?} {two:?}");
        };
        ascending(Cell::Count(9), Cell::Count(10));
        ascending(Cell::Age(Some(2)), Cell::Age(Some(1)));
        ascending(Cell::Age(Some(1)), Cell::Age(None));
        ascending(Cell::Ratio { part: 0, of: 5 }, Cell::Ratio { part: 1, of: 1 });
        ascending(Cell::Quantity("900Mi".into(), 943_718_400.0), Cell::Quantity("1Gi".into(), 1_073_741_824.0));
        ascending(Cell::Quantity("1Gi".into(), 1_073_741_824.0), Cell::Text("<none>".into()));
        ascending(Cell::Span(9_000), Cell::Span(10_000));
        ascending(Cell::Span(9_000_000), Cell::Age(Some(0)));
        ascending(Cell::Count(9), Cell::Ratio { part: 1, of: 2 });
    }
}
