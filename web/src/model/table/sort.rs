//! What a table is sorted by, and numbers that compare as cells do.

use std::cmp::Ordering;

use crate::model::table::{
    cell::{Cell, TEXT_RANK},
    row::Row,
};

/// A column to sort by, by its title: a link to a view outlives the order of the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The title as filters name it: in lower case, with `-` for a space.
    pub column: String,
    /// Whether the largest comes first.
    pub descending: bool,
}

impl Sort {
    /// Reads `age` or `-age`; `None` for nothing.
    pub fn parse(text: &str) -> Option<Sort> {
        let (descending, column) = text.strip_prefix('-').map_or((false, text), |column| (true, column));
        (!column.is_empty()).then(|| Sort { column: column.to_owned(), descending })
    }

    /// As [`parse`](Self::parse) reads it.
    pub fn write(&self) -> String {
        let sign = if self.descending { "-" } else { "" };
        format!("{sign}{}", self.column)
    }

    /// What a click on the head of `column` leads to: up, down, and back to the kind's own order.
    pub fn clicked(before: Option<&Sort>, column: &str) -> Option<Sort> {
        match before.filter(|sort| sort.column == column) {
            None => Some(Sort { column: column.to_owned(), descending: false }),
            Some(sort) if !sort.descending => Some(Sort { column: column.to_owned(), descending: true }),
            Some(_) => None,
        }
    }
}

/// Where the values of a column are in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The namespace, which no kind has a cell for.
    Namespace,
    /// The cell of this number.
    Cell(usize),
}

impl Field {
    /// A number that is smaller for whatever sorts before; equal numbers say nothing.
    pub(super) fn rank(self, row: &Row) -> u128 {
        match self {
            Field::Namespace => u128::from(TEXT_RANK) << 125 | of_text(&row.namespace),
            Field::Cell(at) => row.cells.get(at).map_or(u128::MAX, of_cell),
        }
    }

    /// What kubectl writes, with `now` in milliseconds since 1970.
    pub fn text(self, row: &Row, now: i64) -> String {
        match self {
            Field::Namespace => row.namespace.to_string(),
            Field::Cell(at) => row.cells.get(at).map(|cell| cell.text(now)).unwrap_or_default(),
        }
    }

    /// The order of two rows by this column alone.
    pub(super) fn order(self, one: &Row, other: &Row) -> Ordering {
        match self {
            Field::Namespace => one.namespace.cmp(&other.namespace),
            Field::Cell(at) => match (one.cells.get(at), other.cells.get(at)) {
                (Some(one), Some(other)) => one.order(other),
                (one, other) => other.is_some().cmp(&one.is_some()),
            },
        }
    }
}

/// The kind of the cell in the upper bits, since different kinds never mix.
fn of_cell(cell: &Cell) -> u128 {
    let value = match cell {
        Cell::Text(text) | Cell::Status(text, _) => of_text(text),
        Cell::Count(count) => u128::from(unsigned(*count)),
        Cell::Ratio { part, of } => u128::from(*part) << 32 | u128::from(*of),
        Cell::Restarts { count, last } => {
            u128::from(*count) << 65 | last.map_or(0, |last| 1 << 64 | u128::from(unsigned(last)))
        }
        Cell::Span(millis) => u128::from(unsigned(*millis)),
        Cell::Age(began) => began.map_or(1 << 64, |began| u128::from(!unsigned(began))),
        Cell::Quantity(_, amount) => {
            let bits = amount.to_bits();
            u128::from(if bits >> 63 == 0 { bits | 1 << 63 } else { !bits })
        }
    };
    u128::from(cell.rank()) << 125 | value
}

/// The beginning of a text and how long it is, in fewer bits than there are.
fn of_text(text: &str) -> u128 {
    let mut bytes = [0; 16];
    for (slot, byte) in bytes[1..=WHOLE].iter_mut().zip(text.bytes()) {
        *slot = byte;
    }
    bytes[15] = text.len().min(WHOLE + 1) as u8;
    u128::from_be_bytes(bytes)
}

/// As long a text fits into its rank.
const WHOLE: usize = 14;

/// Whether two cells of this rank are equal.
pub(super) fn settles(rank: u128) -> bool {
    rank >> 125 != u128::from(TEXT_RANK) || rank as u8 <= WHOLE as u8
}

fn unsigned(value: i64) -> u64 {
    value.cast_unsigned() ^ 1 << 63
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::table::cell::Tone;

    #[test]
    fn a_head_is_clicked_up_down_and_away() {
        let up = Sort::clicked(None, "age");
        assert_eq!(up.as_ref().map(Sort::write).as_deref(), Some("age"));
        let down = Sort::clicked(up.as_ref(), "age");
        assert_eq!(down.as_ref().map(Sort::write).as_deref(), Some("-age"));
        assert_eq!(Sort::clicked(down.as_ref(), "age"), None);
        assert_eq!(Sort::clicked(down.as_ref(), "name").map(|sort| sort.write()).as_deref(), Some("name"));
        assert_eq!(Sort::parse("-age"), down);
        assert_eq!(Sort::parse("-"), None);
    }

    /// A rank may be coarser than the order of cells, and never says anything else.
    #[test]
    fn ranks_agree_with_the_order_of_cells() {
        let texts = [
            "",
            "a",
            "a\0",
            "fourteen-bytes",
            "fourteen-bytes\0",
            "a-long-name-that-goes-on-1",
            "a-long-name-that-goes-on-2",
            "b",
            "é",
        ];
        let words = texts.map(|text| Cell::Text(text.into()));
        let states = texts.map(|text| Cell::Status(text.into(), Tone::Quiet));
        let counts = [i64::MIN, -1, 0, 7, i64::MAX].map(Cell::Count);
        let ratios = [(0, 0), (0, 9), (1, 1), (u32::MAX, 0)].map(|(part, of)| Cell::Ratio { part, of });
        let restarts = [(0, None), (0, Some(-5)), (0, Some(9)), (3, None), (u32::MAX, Some(i64::MAX))]
            .map(|(count, last)| Cell::Restarts { count, last });
        let ages = [None, Some(i64::MIN), Some(0), Some(i64::MAX)].map(Cell::Age);
        let amounts = [-1.5, -0.0, 0.0, 1e-9, 943.0, f64::INFINITY].map(|amount| Cell::Quantity("x".into(), amount));
        let spans = [-1, 0, 90_000].map(Cell::Span);
        let columns: [&[Cell]; 8] = [&words, &states, &counts, &ratios, &restarts, &ages, &spans, &amounts];
        for column in columns {
            let column: Vec<&Cell> = column.iter().chain([&words[1], &counts[1], &ages[2]]).collect();
            for (one, other) in column.iter().flat_map(|one| column.iter().map(move |other| (one, other))) {
                let ranks = of_cell(one).cmp(&of_cell(other));
                assert!(ranks == Ordering::Equal || ranks == one.order(other), "{one:?} {other:?}");
            }
        }
        assert_eq!(of_cell(&counts[2]).cmp(&of_cell(&counts[3])), Ordering::Less);
    }

    #[test]
    fn a_rank_says_whether_it_is_all_there_is_to_a_cell() {
        let rank = |text: &str| of_cell(&Cell::Text(text.into()));
        assert!(settles(rank("Running")) && settles(rank("fourteen-bytes")) && settles(of_cell(&Cell::Count(-1))));
        assert!(!settles(rank("fifteen-letters")), "another text may begin like this one");
        assert!(rank("a") < rank("a\0"), "no text is another one's rank");
    }
}
