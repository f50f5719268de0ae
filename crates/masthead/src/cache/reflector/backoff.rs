//! How long to wait after one failure after another.

use std::time::Duration;

use crate::{
    retry::{Backoff, BackoffWithReset},
    runtime::{Instant, scaled},
};

/// Doubling pauses, as long as failures follow each other. Each kind of failure has a row of its own.
///
/// A server that refuses is spared for longer and longer, as client-go does it. One that is not there cannot be burdened, and
/// somebody looks at what it last said: it is asked again at least every few seconds, and what it refuses once it is back
/// begins a new row.
#[derive(Debug, Default)]
pub(super) struct ReflectorBackoff {
    /// Waits that somebody chose, for whatever fails.
    chosen: Option<BackoffWithReset>,
    unreachable: Row,
    refused: Row,
}

/// Why there is a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Nobody answered.
    Unreachable,
    /// The server answered, and not with what was asked for.
    Refused,
}

#[derive(Debug, Default)]
struct Row {
    failures: u32,
    /// The last pause and its end.
    last: Option<(Duration, Instant)>,
}

const FIRST: Duration = Duration::from_millis(800);
const LONGEST: Duration = Duration::from_secs(30);
const LONGEST_UNREACHABLE: Duration = Duration::from_secs(3);
const FORGOTTEN_AFTER: Duration = Duration::from_secs(120);

impl ReflectorBackoff {
    pub(super) fn new(chosen: Option<Backoff>) -> ReflectorBackoff {
        let chosen = chosen.map(|backoff| BackoffWithReset::new(backoff, FORGOTTEN_AFTER));
        ReflectorBackoff { chosen, ..ReflectorBackoff::default() }
    }

    /// The pause after a failure now; `draw`, in 0..1, lengthens it by up to itself.
    pub(super) fn next(&mut self, failure: Failure, now: Instant, draw: f64) -> Duration {
        if let Some(chosen) = &mut self.chosen {
            return chosen.step(now, draw);
        }
        match failure {
            Failure::Unreachable => self.unreachable.next(LONGEST_UNREACHABLE, now, draw),
            Failure::Refused => {
                self.unreachable = Row::default();
                self.refused.next(LONGEST, now, draw)
            }
        }
    }

    /// All went well for so long: what fails next is the first failure again, if that was longer than the last pause.
    pub(super) fn went_well(&mut self, lasted: Duration) {
        for row in [&mut self.unreachable, &mut self.refused] {
            if row.last.is_some_and(|(pause, _)| lasted >= pause) {
                *row = Row::default();
            }
        }
    }
}

impl Row {
    fn next(&mut self, longest: Duration, now: Instant, draw: f64) -> Duration {
        if self.last.is_some_and(|(_, end)| now.since(end) >= FORGOTTEN_AFTER) {
            self.failures = 0;
        }
        let pause = scaled(FIRST.saturating_mul(1 << self.failures.min(16)).min(longest), 1.0 + draw);
        self.failures += 1;
        self.last = Some((pause, now + pause));
        pause
    }
}

/// Says for how long after the first of several errors another attempt is worth its while, as client-go's
/// `RetryWithDeadline`.
#[derive(Debug)]
pub(super) struct RetryWithDeadline {
    longest: Duration,
    /// The first and the last error of those that follow each other.
    errors: Option<(Instant, Instant)>,
}

/// Errors that are further apart have nothing to do with each other.
const RESET: Duration = Duration::from_secs(60);

impl RetryWithDeadline {
    /// Another attempt is worth its while for `longest`; never if that is zero.
    pub(super) fn new(longest: Duration) -> RetryWithDeadline {
        RetryWithDeadline { longest, errors: None }
    }

    pub(super) fn reset(&mut self) {
        self.errors = None;
    }

    /// Whether to try again after an error now.
    pub(super) fn should_retry(&mut self, now: Instant) -> bool {
        let first = self.errors.filter(|(_, last)| now.since(*last) < RESET).map_or(now, |(first, _)| first);
        let retries = !self.longest.is_zero() && now.since(first) <= self.longest;
        self.errors = retries.then_some((first, now));
        retries
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Backoff, Failure, ReflectorBackoff, RetryWithDeadline};
    use crate::runtime::Instant;

    /// ReflectorBackoff of failures that follow each other, each after a wait of so many seconds.
    struct Failing {
        backoff: ReflectorBackoff,
        now: Instant,
    }

    impl Failing {
        fn new() -> Failing {
            Failing { backoff: ReflectorBackoff::default(), now: Instant::ORIGIN }
        }

        fn next(&mut self, failure: Failure, wait: u64, draw: f64) -> u128 {
            self.now = self.now + Duration::from_secs(wait);
            let pause = self.backoff.next(failure, self.now, draw);
            self.now = self.now + pause;
            pause.as_millis()
        }

        fn row(&mut self, failure: Failure, many: usize) -> Vec<u128> {
            (0..many).map(|_| self.next(failure, 0, 0.0)).collect()
        }
    }

    #[test]
    fn pauses_double_up_to_half_a_minute_and_begin_again_after_two() {
        let mut failing = Failing::new();
        assert_eq!(failing.row(Failure::Refused, 8), [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
        assert_eq!(failing.next(Failure::Refused, 119, 0.5), 45000);
        assert_eq!(failing.next(Failure::Refused, 120, 0.0), 800);
    }

    #[test]
    fn a_server_that_is_away_is_asked_every_few_seconds_and_its_first_refusal_begins_a_row() {
        let mut failing = Failing::new();
        assert_eq!(failing.row(Failure::Unreachable, 5), [800, 1600, 3000, 3000, 3000]);
        assert_eq!(failing.next(Failure::Unreachable, 0, 0.5), 4500);
        assert_eq!(failing.row(Failure::Refused, 2), [800, 1600]);
        assert_eq!(failing.row(Failure::Unreachable, 1), [800]);
        assert_eq!(failing.row(Failure::Refused, 1), [3200], "a server that comes and goes is no better for it");
    }

    #[test]
    fn a_backoff_that_somebody_chose_is_for_every_failure() {
        let backoff = Backoff {
            steps: 5,
            initial: Duration::from_millis(100),
            factor: 3.0,
            jitter: 0.5,
            cap: Duration::from_secs(1),
        };
        let mut failing = Failing { backoff: ReflectorBackoff::new(Some(backoff)), now: Instant::ORIGIN };
        assert_eq!(failing.row(Failure::Refused, 2), [100, 300]);
        assert_eq!(failing.row(Failure::Unreachable, 2), [900, 1000]);
        failing.backoff.went_well(Duration::from_secs(60));
        assert_eq!(failing.next(Failure::Refused, 0, 1.0), 1500);
        assert_eq!(failing.next(Failure::Refused, 120, 0.0), 100);
    }

    #[test]
    fn what_lasted_longer_than_the_last_pause_begins_a_new_row() {
        let mut failing = Failing::new();
        assert_eq!(failing.row(Failure::Refused, 3), [800, 1600, 3200]);
        failing.backoff.went_well(Duration::from_millis(3199));
        assert_eq!(failing.row(Failure::Refused, 1), [6400]);
        failing.backoff.went_well(Duration::from_millis(6400));
        assert_eq!(failing.row(Failure::Refused, 1), [800]);
    }

    /// Whether another attempt follows errors at these seconds.
    #[track_caller]
    fn check(longest: u64, errors: &[(u64, bool)]) {
        let mut retry = RetryWithDeadline::new(Duration::from_secs(longest));
        for (seconds, expect) in errors {
            let at = Instant::ORIGIN + Duration::from_secs(*seconds);
            assert_eq!(retry.should_retry(at), *expect, "{longest} at {seconds}");
        }
    }

    #[test]
    fn errors_are_retried_until_the_deadline_and_again_after_a_rest() {
        check(0, &[(0, false), (1, false)]);
        check(90, &[(0, true), (50, true), (90, true), (91, false), (92, true)]);
        check(10, &[(0, true), (10, true), (69, false), (70, true)]);
        check(10, &[(0, true), (10, true), (70, true), (80, true), (81, false)]);
    }
}
