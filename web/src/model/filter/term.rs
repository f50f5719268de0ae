//! One condition on a row.

use std::cmp::Ordering;

use masthead::{labels::Selector, lean::Interned, quantity::Quantity};

use super::{
    line::Line,
    memo::Memo,
    pattern::{Effort, Expression, Pattern, Whole},
};
use crate::model::table::{
    cell::Cell,
    column::Column,
    row::{Owner, Row},
};

/// A condition, or its opposite.
#[derive(Clone, Debug)]
pub(super) struct Term {
    inverted: bool,
    test: Test,
    memo: Memo,
}

/// What is asked of a row.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// That something of it is found by the pattern.
    Anywhere(Pattern),
    /// That a value of it is as wanted.
    Value(Place, Wanted),
    /// That its labels match.
    Labels(Selector),
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Name,
    Namespace,
    Age,
    Owner,
    Cell(usize),
}

/// What a value should be.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    OneOf(Vec<Whole>),
    Matching(Expression),
    Compared(Bound),
}

/// A bound that a value is on one side of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) side: Side,
    /// The bound as a number or an amount.
    pub(super) amount: Option<f64>,
    /// The bound as a length of time in milliseconds.
    pub(super) span: Option<i64>,
}

/// On which side of a bound a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// Where free text is looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    places: Box<[usize]>,
    namespace: bool,
}

/// A row that is tried, where and when.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    pub(super) row: &'a Row,
    pub(super) scope: &'a Scope,
    /// In milliseconds since 1970.
    pub(super) now: i64,
    pub(super) effort: &'a Effort,
}

impl Scope {
    pub(super) fn new(places: &[usize], namespace: bool) -> Scope {
        Scope { places: places.into(), namespace }
    }

    /// What a table shows that is not wide.
    pub(super) fn of(columns: &[Column]) -> Scope {
        let shown = columns.iter().enumerate().filter(|(_, column)| !column.wide);
        Scope { places: shown.map(|(place, _)| place).collect(), namespace: true }
    }
}

impl Term {
    pub(super) fn new(inverted: bool, test: Test) -> Term {
        Term { inverted, test, memo: Memo::default() }
    }

    /// Lets one more text be accepted, if a term is one of texts.
    pub(super) fn or(&mut self, whole: Option<Whole>) {
        if let Test::Value(_, Wanted::OneOf(wholes)) = &mut self.test {
            wholes.extend(whole);
        }
    }

    /// The size of its regular expression; nothing where it has none.
    pub(super) fn expression_size(&self) -> usize {
        match &self.test {
            Test::Anywhere(Pattern::Regex(expression)) | Test::Value(_, Wanted::Matching(expression)) => {
                expression.size()
            }
            _ => 0,
        }
    }

    /// Whether it may hold for the same row at one time and not at another.
    pub(super) fn ticks(&self) -> bool {
        match &self.test {
            Test::Anywhere(pattern) => pattern.fits_figures(),
            Test::Value(Place::Age, _) => true,
            Test::Value(Place::Cell(_), Wanted::Compared(bound)) => bound.span.is_some(),
            // Ages are written with digits.
            Test::Value(Place::Cell(_), Wanted::OneOf(wholes)) => wholes.iter().any(Whole::has_digit),
            Test::Value(Place::Cell(_), Wanted::Matching(_)) => true,
            Test::Value(Place::Name | Place::Namespace | Place::Owner, _) | Test::Labels(_) => false,
        }
    }

    pub(super) fn holds(&self, trial: Trial<'_>) -> bool {
        trial.effort.add(TERM_WORK);
        let holds = match &self.test {
            Test::Anywhere(pattern) => self.is_anywhere(pattern, trial),
            Test::Value(place, wanted) => self.is_wanted(*place, wanted, trial),
            Test::Labels(selector) => selector.matches(|key| trial.row.label(key)),
        };
        holds != self.inverted
    }

    fn is_anywhere(&self, pattern: &Pattern, Trial { row, scope, now, effort }: Trial<'_>) -> bool {
        let is_in = |place: usize, text: &Interned| self.memo.recall(place, text, |text| pattern.is_in(text, effort));
        let is_in_cell = |place: &usize| match row.cells.get(*place) {
            Some(Cell::Text(text) | Cell::Status(text, _) | Cell::Quantity(text, _)) => {
                !std::ptr::eq(text.as_str(), row.name.as_str()) && is_in(*place, text)
            }
            Some(figure) => pattern.fits_figures() && pattern.is_in(Line::of(figure, now).as_str(), effort),
            None => false,
        };
        pattern.is_in(&row.name, effort)
            || scope.namespace && is_in(NAMESPACE, &row.namespace)
            || scope.places.iter().any(is_in_cell)
    }

    fn is_wanted(&self, place: Place, wanted: &Wanted, Trial { row, now, effort, .. }: Trial<'_>) -> bool {
        let is_text = |text: &Interned| self.memo.recall(0, text, |text| wanted.accepts_text(text, effort));
        let of_owner = |owner: &Owner| is_text(&owner.name);
        match place {
            Place::Name => wanted.accepts_text(&row.name, effort),
            Place::Namespace => is_text(&row.namespace),
            Place::Owner => row.owner.as_ref().map_or_else(|| wanted.accepts_text("", effort), of_owner),
            Place::Age => wanted.accepts_cell(&Cell::Age(row.created), now, effort),
            Place::Cell(place) => match (wanted, row.cells.get(place)) {
                (_, None) => false,
                (Wanted::OneOf(_) | Wanted::Matching(_), Some(Cell::Text(text) | Cell::Status(text, _))) => {
                    is_text(text)
                }
                (_, Some(cell)) => wanted.accepts_cell(cell, now, effort),
            },
        }
    }
}

/// What a term costs besides the texts it looks at.
const TERM_WORK: usize = 512;

/// The namespace's place in a memo; cells have theirs from the other end.
const NAMESPACE: usize = 15;

impl Wanted {
    fn accepts_text(&self, text: &str, effort: &Effort) -> bool {
        match self {
            Wanted::OneOf(wholes) => {
                wholes.iter().any(|whole| whole.is(text, effort) || whole.is_nothing() && is_none(text))
            }
            Wanted::Matching(expression) => expression.is_match(text, effort),
            Wanted::Compared(bound) => bound
                .amount
                .is_some_and(|amount| amount_of(text).is_some_and(|value| bound.side.has(value.partial_cmp(&amount)))),
        }
    }

    fn accepts_cell(&self, cell: &Cell, now: i64, effort: &Effort) -> bool {
        match (self, cell) {
            (Wanted::Compared(bound), cell) => bound.accepts(cell, now),
            (_, Cell::Text(text) | Cell::Status(text, _) | Cell::Quantity(text, _)) => self.accepts_text(text, effort),
            // `3 (5m ago)` is the number 3 to who asks.
            (Wanted::OneOf(_), Cell::Restarts { count, .. }) => {
                self.accepts_text(Line::of(&Cell::Count(i64::from(*count)), now).as_str(), effort)
            }
            (_, figure) => self.accepts_text(Line::of(figure, now).as_str(), effort),
        }
    }
}

/// Whether a cell says that there is nothing to show.
fn is_none(text: &str) -> bool {
    matches!(text, "" | "<none>" | "<unset>" | "<unknown>")
}

impl Bound {
    fn accepts(&self, cell: &Cell, now: i64) -> bool {
        let spans = |span: i64| self.span.map(|bound| span.cmp(&bound));
        let amounts = |amount: f64| self.amount.and_then(|bound| amount.partial_cmp(&bound));
        let order = match cell {
            Cell::Age(began) => began.and_then(|began| spans(now.saturating_sub(began))),
            Cell::Span(span) => spans(*span),
            Cell::Count(count) => amounts(*count as f64),
            Cell::Ratio { part, .. } => amounts(f64::from(*part)),
            Cell::Restarts { count, .. } => amounts(f64::from(*count)),
            Cell::Quantity(_, amount) => amounts(*amount),
            Cell::Text(text) | Cell::Status(text, _) => amount_of(text).and_then(amounts),
        };
        self.side.has(order)
    }
}

impl Side {
    /// Whether a value that compares so with the bound is on this side; one that does not compare is on none.
    fn has(self, order: Option<Ordering>) -> bool {
        order.is_some_and(|order| match self {
            Side::Below => order == Ordering::Less,
            Side::AtMost => order != Ordering::Greater,
            Side::Above => order == Ordering::Greater,
            Side::AtLeast => order != Ordering::Less,
        })
    }
}

/// The number or the amount that a text is.
pub(super) fn amount_of(text: &str) -> Option<f64> {
    if !text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
        return None;
    }
    Quantity::parse(text).map(Quantity::as_f64)
}
