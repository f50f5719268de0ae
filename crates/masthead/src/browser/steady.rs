//! A clock made of two: one that a sleeping machine stops, and one that a person may set.

use std::time::Duration;

use crate::runtime::Instant;

/// Time that never runs backwards and passes while the machine sleeps.
///
/// It follows the monotonic clock. Where the wall clock has gone on for much longer since the last look, the machine slept
/// or the page was frozen, and that time has passed too. A wall clock that was set back changes nothing.
#[derive(Debug)]
pub(super) struct Steady {
    now: Instant,
    monotonic: Duration,
    wall: Duration,
}

impl Steady {
    /// The origin is the present.
    pub(super) fn new(monotonic: Duration, wall: Duration) -> Steady {
        Steady { now: Instant::ORIGIN, monotonic, wall }
    }

    /// The time, given what both clocks show.
    pub(super) fn at(&mut self, monotonic: Duration, wall: Duration) -> Instant {
        let awake = monotonic.saturating_sub(self.monotonic);
        let passed = wall.saturating_sub(self.wall);
        self.now = self.now + if passed > awake + ASLEEP { passed } else { awake };
        (self.monotonic, self.wall) = (monotonic.max(self.monotonic), wall);
        self.now
    }
}

/// Clocks drift and are corrected by less than this.
const ASLEEP: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks at both clocks in turn, in seconds; gives what the steady clock shows.
    fn check(looks: &[(u64, u64)], expected: &[u64]) {
        let wall = |seconds| Duration::from_secs(1_000_000 + seconds);
        let mut clock = Steady::new(Duration::ZERO, wall(0));
        let shown = looks.iter().map(|(monotonic, passed)| clock.at(Duration::from_secs(*monotonic), wall(*passed)));
        let shown: Vec<u64> = shown.map(|now| now.since(Instant::ORIGIN).as_secs()).collect();
        assert_eq!(shown, expected, "{looks:?}");
    }

    #[test]
    fn follows_the_monotonic_clock() {
        check(&[(1, 1), (5, 5), (5, 5), (9, 8)], &[1, 5, 5, 9]);
    }

    #[test]
    fn an_hour_asleep_has_passed() {
        check(&[(1, 1), (2, 3602), (3, 3603)], &[1, 3602, 3603]);
    }

    #[test]
    fn a_clock_set_back_or_running_backwards_stops_nothing() {
        check(&[(10, 10), (11, 2), (12, 3)], &[10, 11, 12]);
        check(&[(10, 10), (4, 11), (12, 12)], &[10, 10, 12]);
    }
}
