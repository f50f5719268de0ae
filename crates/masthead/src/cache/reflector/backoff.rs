//! How long to wait after one failure after another.

use std::time::Duration;

use crate::{
    retry::{Backoff, BackoffWithReset},
    runtime::{Instant, scaled},
};

/// Doubling pauses, as long as failures follow each other. Each kind of failure has a series of its own.
///
/// A server that refuses is spared for longer and longer, as client-go does it. One that is not there cannot be burdened, and
/// somebody looks at what it last said: it is asked again at least every few seconds, and what it refuses once it is back
/// begins a new series.
#[derive(Debug, Default)]
pub(super) struct ReflectorBackoff {
    /// Waits that somebody chose, for whatever fails.
    custom: Option<BackoffWithReset>,
    unreachable: FailureSeries,
    refused: FailureSeries,
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
struct FailureSeries {
    failures: u32,
    /// The last pause and its end.
    last: Option<(Duration, Instant)>,
}

const INITIAL_BACKOFF: Duration = Duration::from_millis(800);
const MAX_BACKOFF: Duration = Duration::from_secs(30);
const MAX_BACKOFF_UNREACHABLE: Duration = Duration::from_secs(3);
const RESET_AFTER: Duration = Duration::from_secs(120);

impl ReflectorBackoff {
    pub(super) fn new(custom: Option<Backoff>) -> ReflectorBackoff {
        let custom = custom.map(|backoff| BackoffWithReset::new(backoff, RESET_AFTER));
        ReflectorBackoff { custom, ..ReflectorBackoff::default() }
    }

    /// The pause after a failure now; `draw`, in 0..1, lengthens it by up to itself.
    pub(super) fn next(&mut self, failure: Failure, now: Instant, draw: f64) -> Duration {
        if let Some(custom) = &mut self.custom {
            return custom.step(now, draw);
        }
        match failure {
            Failure::Unreachable => self.unreachable.next(MAX_BACKOFF_UNREACHABLE, now, draw),
            Failure::Refused => {
                self.unreachable = FailureSeries::default();
                self.refused.next(MAX_BACKOFF, now, draw)
            }
        }
    }

    /// All went well for so long: what fails next is the first failure again, if that was longer than the last pause.
    pub(super) fn succeeded_for(&mut self, duration: Duration) {
        for series in [&mut self.unreachable, &mut self.refused] {
            if series.last.is_some_and(|(pause, _)| duration >= pause) {
                *series = FailureSeries::default();
            }
        }
    }
}

impl FailureSeries {
    fn next(&mut self, max: Duration, now: Instant, draw: f64) -> Duration {
        if self.last.is_some_and(|(_, end)| now.since(end) >= RESET_AFTER) {
            self.failures = 0;
        }
        let pause = scaled(INITIAL_BACKOFF.saturating_mul(1 << self.failures.min(16)).min(max), 1.0 + draw);
        self.failures += 1;
        self.last = Some((pause, now + pause));
        pause
    }
}

/// Says for how long after the first of several errors another attempt is worth its while, as client-go's
/// `RetryWithDeadline`.
#[derive(Debug)]
pub(super) struct RetryWithDeadline {
    max_retry: Duration,
    /// The first and the last error of those that follow each other.
    errors: Option<(Instant, Instant)>,
}

/// Errors that are further apart have nothing to do with each other.
const RETRY_RESET_AFTER: Duration = Duration::from_secs(60);

impl RetryWithDeadline {
    /// Another attempt is worth its while for `longest`; never if that is zero.
    pub(super) fn new(max_retry: Duration) -> RetryWithDeadline {
        RetryWithDeadline { max_retry, errors: None }
    }

    pub(super) fn reset(&mut self) {
        self.errors = None;
    }

    /// Whether to try again after an error now.
    pub(super) fn should_retry(&mut self, now: Instant) -> bool {
        let first =
            self.errors.filter(|(_, last)| now.since(*last) < RETRY_RESET_AFTER).map_or(now, |(first, _)| first);
        let retry = !self.max_retry.is_zero() && now.since(first) <= self.max_retry;
        self.errors = retry.then_some((first, now));
        retry
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Backoff, Failure, ReflectorBackoff, RetryWithDeadline};
    use crate::runtime::Instant;

    /// ReflectorBackoff of failures that follow each other, each after a wait of so count seconds.
    struct FailureScript {
        backoff: ReflectorBackoff,
        now: Instant,
    }

    impl FailureScript {
        fn new() -> FailureScript {
            FailureScript { backoff: ReflectorBackoff::default(), now: Instant::ORIGIN }
        }

        fn next(&mut self, failure: Failure, wait: u64, draw: f64) -> u128 {
            self.now = self.now + Duration::from_secs(wait);
            let pause = self.backoff.next(failure, self.now, draw);
            self.now = self.now + pause;
            pause.as_millis()
        }

        fn series(&mut self, failure: Failure, count: usize) -> Vec<u128> {
            (0..count).map(|_| self.next(failure, 0, 0.0)).collect()
        }
    }

    #[test]
    fn backoff_doubles_up_to_30s_and_resets_after_two_minutes() {
        let mut script = FailureScript::new();
        assert_eq!(script.series(Failure::Refused, 8), [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
        assert_eq!(script.next(Failure::Refused, 119, 0.5), 45000);
        assert_eq!(script.next(Failure::Refused, 120, 0.0), 800);
    }

    #[test]
    fn an_unreachable_server_is_retried_every_3s_and_its_first_refusal_starts_a_new_series() {
        let mut script = FailureScript::new();
        assert_eq!(script.series(Failure::Unreachable, 5), [800, 1600, 3000, 3000, 3000]);
        assert_eq!(script.next(Failure::Unreachable, 0, 0.5), 4500);
        assert_eq!(script.series(Failure::Refused, 2), [800, 1600]);
        assert_eq!(script.series(Failure::Unreachable, 1), [800]);
        assert_eq!(script.series(Failure::Refused, 1), [3200], "an outage does not reset the series of refusals");
    }

    #[test]
    fn a_custom_backoff_applies_to_every_failure() {
        let backoff = Backoff {
            steps: 5,
            initial: Duration::from_millis(100),
            factor: 3.0,
            jitter: 0.5,
            cap: Duration::from_secs(1),
        };
        let mut script = FailureScript { backoff: ReflectorBackoff::new(Some(backoff)), now: Instant::ORIGIN };
        assert_eq!(script.series(Failure::Refused, 2), [100, 300]);
        assert_eq!(script.series(Failure::Unreachable, 2), [900, 1000]);
        script.backoff.succeeded_for(Duration::from_secs(60));
        assert_eq!(script.next(Failure::Refused, 0, 1.0), 1500);
        assert_eq!(script.next(Failure::Refused, 120, 0.0), 100);
    }

    #[test]
    fn a_success_longer_than_the_last_wait_resets_the_series() {
        let mut script = FailureScript::new();
        assert_eq!(script.series(Failure::Refused, 3), [800, 1600, 3200]);
        script.backoff.succeeded_for(Duration::from_millis(3199));
        assert_eq!(script.series(Failure::Refused, 1), [6400]);
        script.backoff.succeeded_for(Duration::from_millis(6400));
        assert_eq!(script.series(Failure::Refused, 1), [800]);
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
    fn errors_are_retried_until_the_deadline_and_again_after_a_quiet_minute() {
        check(0, &[(0, false), (1, false)]);
        check(90, &[(0, true), (50, true), (90, true), (91, false), (92, true)]);
        check(10, &[(0, true), (10, true), (69, false), (70, true)]);
        check(10, &[(0, true), (10, true), (70, true), (80, true), (81, false)]);
    }
}
