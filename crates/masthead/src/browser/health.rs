//! Whether WebSockets get through to this server.

use std::{cell::Cell, time::Duration};

use crate::runtime::Instant;

/// What is known of sockets to one server. A proxy in between may not pass them, and a platform may not have them.
#[derive(Debug)]
pub(super) struct Health {
    state: Cell<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// None has carried anything yet; so many failed in a row although the server answers requests.
    Unproven { failures: u32 },
    /// One did: whatever fails now, fails for another reason.
    Proven,
    /// They failed and none ever worked: not tried again before then.
    Useless { until: Instant },
    /// The platform has none.
    Absent,
}

impl Health {
    /// Nothing is known yet, except whether the platform has sockets at all.
    pub(super) fn new(available: bool) -> Health {
        let state = if available { State::Unproven { failures: 0 } } else { State::Absent };
        Health { state: Cell::new(state) }
    }

    /// Whether it is worth to open one.
    pub(super) fn may_work(&self, now: Instant) -> bool {
        match self.state.get() {
            State::Unproven { .. } | State::Proven => true,
            State::Useless { until } => until <= now,
            State::Absent => false,
        }
    }

    /// A socket carried an event, or stayed open like one that would.
    pub(super) fn proved(&self) {
        self.state.set(State::Proven);
    }

    /// A socket failed while the server answered the same question by other means.
    pub(super) fn failed(&self, now: Instant) {
        let next = match self.state.get() {
            State::Unproven { failures } if failures + 1 < ENOUGH => State::Unproven { failures: failures + 1 },
            State::Unproven { .. } | State::Useless { .. } => State::Useless { until: now + RECONSIDERED },
            known => known,
        };
        self.state.set(next);
    }
}

/// One failure may be the moment's; two are the proxy's.
const ENOUGH: u32 = 2;

/// Proxies are replaced while a page stays open.
const RECONSIDERED: Duration = Duration::from_secs(300);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_failures_without_a_success_close_the_way_for_a_while() {
        let (health, now) = (Health::new(true), Instant::ORIGIN);
        health.failed(now);
        assert!(health.may_work(now));
        health.failed(now);
        assert!(!health.may_work(now));
        let later = now + RECONSIDERED;
        assert!(health.may_work(later));
        health.failed(later);
        assert!(!health.may_work(later + Duration::from_secs(1)), "one more attempt, not two");
    }

    #[test]
    fn what_worked_once_is_trusted() {
        let (health, now) = (Health::new(true), Instant::ORIGIN);
        health.failed(now);
        health.proved();
        for _ in 0..9 {
            health.failed(now);
        }
        assert!(health.may_work(now));
    }

    #[test]
    fn a_platform_without_sockets_has_none_for_ever() {
        let health = Health::new(false);
        assert!(!health.may_work(Instant::ORIGIN + Duration::from_secs(1 << 40)));
        health.failed(Instant::ORIGIN);
        assert!(!health.may_work(Instant::ORIGIN + Duration::from_secs(1 << 40)));
    }
}
