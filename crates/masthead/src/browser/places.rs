//! Where the WebSockets of a server are found: at its own address, or at a second one.

use std::{cell::Cell, rc::Rc, time::Duration};

use crate::runtime::Instant;

/// The two places that a socket may be opened at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Own,
    /// Used where sockets work there and not at the first: below `/ws` under `trunk serve`.
    Fallback,
}

/// What is known of both places. A place is preferred because a socket worked there, never because one failed elsewhere.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// What stands before the path, if anything does.
    base: Option<Rc<str>>,
    fallback: Option<Rc<str>>,
    own: Cell<Standing>,
    other: Cell<Standing>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Standing {
    #[default]
    Untried,
    /// A socket carried something.
    Works,
    /// One failed while the server answered, and none ever worked: untried again from then on.
    Failed { until: Instant },
}

impl Places {
    /// One place, with `base` before the path.
    pub(super) fn at(base: &str) -> Places {
        Places { base: Some(base.into()), ..Places::default() }
    }

    /// The server's own, and another with `base` before the path.
    pub(super) fn with_fallback(base: &str) -> Places {
        Places { fallback: Some(base.into()), ..Places::default() }
    }

    /// What stands before the path of a socket at `place`.
    pub(super) fn base(&self, place: Place) -> Option<&str> {
        match place {
            Place::Own => self.base.as_deref(),
            Place::Fallback => self.fallback.as_deref(),
        }
    }

    /// Where to open a socket, and where when it does not open there.
    pub(super) fn order(&self, now: Instant) -> (Place, Option<Place>) {
        if self.fallback.is_none() || self.own.get() == Standing::Works {
            return (Place::Own, None);
        }
        let (own, other) = (self.standing(Place::Own, now), self.standing(Place::Fallback, now));
        match (own, other) {
            (_, Standing::Works) | (Standing::Failed { .. }, Standing::Untried) => (Place::Fallback, Some(Place::Own)),
            (_, Standing::Failed { .. }) => (Place::Own, None),
            (_, Standing::Untried) => (Place::Own, Some(Place::Fallback)),
        }
    }

    /// A socket at `place` carried something, or stayed open like one that would.
    pub(super) fn works(&self, place: Place) {
        self.cell(place).set(Standing::Works);
    }

    /// A socket failed at `place` although the server answers. Whether the other place is still to be tried.
    pub(super) fn failed(&self, place: Place, now: Instant) -> bool {
        if self.cell(place).get() != Standing::Works {
            self.cell(place).set(Standing::Failed { until: now + RECONSIDERED });
        }
        let other = if place == Place::Own { Place::Fallback } else { Place::Own };
        self.fallback.is_some() && self.standing(other, now) == Standing::Untried
    }

    fn standing(&self, place: Place, now: Instant) -> Standing {
        match self.cell(place).get() {
            Standing::Failed { until } if until <= now => Standing::Untried,
            known => known,
        }
    }

    fn cell(&self, place: Place) -> &Cell<Standing> {
        match place {
            Place::Own => &self.own,
            Place::Fallback => &self.other,
        }
    }
}

/// Servers are replaced while a page stays open.
const RECONSIDERED: Duration = Duration::from_secs(300);

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Place = Place::Own;
    const FALLBACK: Place = Place::Fallback;

    #[test]
    fn one_place_is_all_there_is() {
        for places in [Places::default(), Places::at("/ws")] {
            assert!(!places.failed(OWN, Instant::ORIGIN));
            assert_eq!(places.order(Instant::ORIGIN), (OWN, None));
        }
        assert_eq!((Places::default().base(OWN), Places::at("/ws").base(OWN)), (None, Some("/ws")));
    }

    #[test]
    fn a_failure_alone_does_not_move_sockets() {
        let (places, now) = (Places::with_fallback("/ws"), Instant::ORIGIN);
        assert_eq!(places.order(now), (OWN, Some(FALLBACK)));
        assert!(places.failed(OWN, now), "the other is untried");
        assert_eq!(places.order(now), (FALLBACK, Some(OWN)));
        assert!(!places.failed(FALLBACK, now));
        assert_eq!(places.order(now), (OWN, None), "no worse than without a fallback");
        assert_eq!(places.order(now + RECONSIDERED), (OWN, Some(FALLBACK)));
        places.works(OWN);
        assert!(!places.failed(OWN, now), "what worked is trusted");
        assert_eq!(places.order(now), (OWN, None));
    }

    #[test]
    fn sockets_stay_where_they_work_and_may_come_back() {
        let (places, now) = (Places::with_fallback("/ws"), Instant::ORIGIN);
        assert_eq!((places.base(OWN), places.base(FALLBACK)), (None, Some("/ws")));
        places.failed(OWN, now);
        places.works(FALLBACK);
        assert_eq!(places.order(now), (FALLBACK, Some(OWN)));
        assert_eq!(places.order(now + 9 * RECONSIDERED), (FALLBACK, Some(OWN)));
        places.works(OWN);
        assert_eq!(places.order(now), (OWN, None));
    }
}
