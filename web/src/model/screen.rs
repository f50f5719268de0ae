//! What fills the place of a table.

use crate::model::{
    connection::{Connection, Phase, Trouble},
    supply::{Hindrance, Refusal, Supply},
};

/// What is shown where rows would be.
#[derive(Clone, Debug, PartialEq)]
pub enum Screen {
    /// Rows are on their way.
    Skeleton,
    /// Nobody to ask.
    NoServer(Trouble),
    /// Asked, and refused.
    Refused(Refusal),
    /// The server does not have this kind, or no longer.
    NoKind,
    /// Asked, and there is nothing.
    Empty,
    /// There are so many rows, and the filter hides them all.
    Filtered(usize),
    /// Rows.
    Rows,
}

/// How many rows there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Those that the filter lets through.
    pub shown: usize,
    /// All of them.
    pub total: usize,
    /// Whether the filter has yet to be tried on some.
    pub scanning: bool,
}

impl Screen {
    /// Rows are never hidden by trouble: what is known stays on screen.
    pub fn of(connection: &Connection, supply: &Supply, count: Count) -> Self {
        match (count, &supply.hindrance, connection.phase()) {
            (Count { shown: 1.., .. }, ..) => Self::Rows,
            (Count { total: total @ 1.., scanning: false, .. }, ..) => Self::Filtered(total),
            (Count { total: 1.., .. }, ..) => Self::Rows,
            // Whoever refuses or does not know the kind, before any server answered, is none.
            (_, _, Phase::Lost(trouble)) if connection.proof().is_none() => Self::NoServer(trouble.clone()),
            (_, Some(Hindrance::Refused(refusal)), _) => Self::Refused(refusal.clone()),
            (_, Some(Hindrance::NoKind), _) => Self::NoKind,
            _ if supply.complete => Self::Empty,
            (_, _, Phase::Lost(trouble)) => Self::NoServer(trouble.clone()),
            _ => Self::Skeleton,
        }
    }
}

#[cfg(test)]
mod tests {
    use masthead::{Error, rest::Status};

    use super::*;

    fn count(shown: usize, total: usize) -> Count {
        Count { shown, total, scanning: false }
    }

    #[test]
    fn rows_stay_on_screen_whatever_happens() {
        let (mut connection, mut supply) = (Connection::default(), Supply::default());
        assert_eq!(Screen::of(&connection, &supply, count(0, 0)), Screen::Skeleton);
        connection.alive(1);
        assert_eq!(Screen::of(&connection, &supply, count(4, 4)), Screen::Rows, "before the list is complete");
        supply.complete = true;
        assert_eq!(Screen::of(&connection, &supply, count(0, 0)), Screen::Empty);
        connection.lost(Trouble::of(&Error::network("list", "refused")));
        supply.failed("list", &Error::network("list", "refused"));
        assert_eq!(Screen::of(&connection, &supply, count(4, 4)), Screen::Rows);
        supply.complete = false;
        assert!(matches!(Screen::of(&connection, &supply, count(0, 0)), Screen::NoServer(_)));
    }

    #[test]
    fn a_refusal_and_a_missing_kind_are_the_page_when_there_is_no_row() {
        let (connection, mut supply) = (Connection::default(), Supply::default());
        let status = |code| Status { code, message: "no".into(), ..Status::default() };
        supply.failed("list", &Error::refused("list pods", status(403)));
        assert!(matches!(Screen::of(&connection, &supply, count(0, 0)), Screen::Refused(_)));
        assert_eq!(Screen::of(&connection, &supply, count(1, 1)), Screen::Rows);
        supply.failed("list", &Error::refused("list pods", status(404)));
        assert_eq!(Screen::of(&connection, &supply, count(0, 0)), Screen::NoKind);
    }

    #[test]
    fn an_address_where_no_server_ever_answered_has_no_kinds_to_miss() {
        let (mut connection, mut supply) = (Connection::default(), Supply::default());
        let missing = Error::refused("list pods", Status { code: 404, ..Status::default() });
        supply.failed("list", &missing);
        connection.lost(Trouble::of(&missing));
        assert!(matches!(Screen::of(&connection, &supply, count(0, 0)), Screen::NoServer(_)));
        connection.alive(1);
        connection.lost(Trouble::of(&missing));
        assert_eq!(Screen::of(&connection, &supply, count(0, 0)), Screen::NoKind);
    }

    #[test]
    fn a_filter_that_hides_everything_says_so_once_it_was_tried_on_everything() {
        let (connection, supply) = (Connection::default(), Supply::default());
        assert_eq!(Screen::of(&connection, &supply, count(0, 312)), Screen::Filtered(312));
        let scanning = Count { scanning: true, ..count(0, 312) };
        assert_eq!(Screen::of(&connection, &supply, scanning), Screen::Rows);
    }
}
