//! Which of the page's states is shown below the bar.

use crate::model::connection::{Connection, Phase, Refusal, Trouble};

/// What fills the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Screen {
    /// Rows are on their way.
    Skeleton,
    /// Nobody to ask.
    NoServer(Trouble),
    /// Asked, and refused, with nothing to show.
    Refused(Refusal),
    /// Asked, and there is nothing.
    Empty,
    /// Rows.
    Table,
}

/// How much of the table is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filled {
    /// No list was read to its end yet, and no row arrived.
    #[default]
    Unknown,
    /// Rows are there, or a complete list said that there are none.
    Rows(usize),
}

impl Screen {
    /// Rows are never hidden by trouble: what is known stays on screen.
    pub fn of(connection: &Connection, filled: Filled) -> Self {
        match (filled, connection.phase()) {
            (Filled::Rows(1..), _) => Self::Table,
            (_, Phase::Refused(refusal)) => Self::Refused(refusal.clone()),
            (_, Phase::Lost(trouble)) => Self::NoServer(trouble.clone()),
            (Filled::Rows(0), _) => Self::Empty,
            (Filled::Unknown, _) => Self::Skeleton,
        }
    }
}

#[cfg(test)]
mod tests {
    use masthead::Error;

    use super::*;

    #[test]
    fn rows_stay_on_screen_whatever_happens() {
        let mut connection = Connection::default();
        assert_eq!(Screen::of(&connection, Filled::Unknown), Screen::Skeleton);
        connection.alive(1);
        assert_eq!(Screen::of(&connection, Filled::Rows(0)), Screen::Empty);
        assert_eq!(Screen::of(&connection, Filled::Rows(4)), Screen::Table);
        connection.lost(Trouble::of(&Error::network("list", "refused")));
        assert_eq!(Screen::of(&connection, Filled::Rows(4)), Screen::Table);
        assert!(matches!(Screen::of(&connection, Filled::Unknown), Screen::NoServer(_)));
    }

    #[test]
    fn a_refusal_without_rows_is_the_page() {
        let mut connection = Connection::default();
        let refusal = Refusal { verb: "list", resource: "namespaces", code: 403, why: "no".into() };
        connection.refused(refusal.clone(), 1);
        assert_eq!(Screen::of(&connection, Filled::Unknown), Screen::Refused(refusal));
    }
}
