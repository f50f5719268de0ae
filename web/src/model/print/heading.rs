//! The columns of a kind, as its printer declares them.

use crate::model::table::column::Column;

/// A column that is known while the program is compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    title: &'static str,
    wide: bool,
    numeric: bool,
}

/// A column of texts.
pub(super) const fn words(title: &'static str) -> Heading {
    Heading { title, wide: false, numeric: false }
}

/// A column of numbers.
pub(super) const fn figures(title: &'static str) -> Heading {
    Heading { title, wide: false, numeric: true }
}

/// A column of texts that only wide tables show.
pub(super) const fn wide(title: &'static str) -> Heading {
    Heading { title, wide: true, numeric: false }
}

impl From<&Heading> for Column {
    fn from(heading: &Heading) -> Column {
        Column { title: heading.title.to_owned(), wide: heading.wide, numeric: heading.numeric }
    }
}
