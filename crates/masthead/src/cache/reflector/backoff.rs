//! Waiting times of a reflector between retries.

use std::time::Duration;

use crate::{
    retry::{Backoff, BackoffWithReset},
    runtime::{Instant, scaled},
};

/// Exponential backoff with a separate series for each kind of failure.
///
/// A server that refuses a request is retried less and less often, as in client-go. A server that cannot be reached is not
/// burdened by retries, and a user is waiting for it, so it is retried every few seconds. An outage neither lengthens nor
/// resets the series of refusals; a refusal resets that of outages, since the server is back.
#[derive(Debug, Default)]
pub(super) struct ReflectorBackoff {
    /// The backoff from the options, used for every failure.
    custom: Option<BackoffWithReset>,
    unreachable: FailureSeries,
    refused: FailureSeries,
}

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// No answer.
    Unreachable,
    /// The server answered with an error.
    Refused,
}

/// Failures in a row.
#[derive(Debug, Default)]
struct FailureSeries {
    failures: u32,
    /// The last waiting time and its end.
    last: Option<(Duration, Instant)>,
}

/// client-go's backoff for reflectors: 0.8 s to 30 s, reset after two minutes without a failure.
const INITIAL_BACKOFF: Duration = Duration::from_millis(800);
const MAX_BACKOFF: Duration = Duration::from_secs(30);
/// A user looks at the page, so an outage must end soon after the server is back.
const MAX_BACKOFF_UNREACHABLE: Duration = Duration::from_secs(3);
const RESET_AFTER: Duration = Duration::from_secs(120);

impl ReflectorBackoff {
    pub(super) fn new(custom: Option<Backoff>) -> ReflectorBackoff {
        let custom = custom.map(|backoff| BackoffWithReset::new(backoff, RESET_AFTER));
        ReflectorBackoff { custom, ..ReflectorBackoff::default() }
    }

    /// Returns how long to wait after a failure. Jitter adds up to 100 %: `draw` is a random number in 0..1.
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

    /// Reports a success of this duration. It ends each series whose last waiting time was not longer.
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

/// Decides whether to retry after an error, until a deadline after the first one, as client-go's `RetryWithDeadline`.
#[derive(Debug)]
pub(super) struct RetryWithDeadline {
    max_retry: Duration,
    /// The first and the last error of the current series.
    errors: Option<(Instant, Instant)>,
}

/// Errors further apart than this belong to different series.
const RETRY_RESET_AFTER: Duration = Duration::from_secs(60);

impl RetryWithDeadline {
    /// Retries for at most `max_retry` after the first error; never if it is zero.
    pub(super) fn new(max_retry: Duration) -> RetryWithDeadline {
        RetryWithDeadline { max_retry, errors: None }
    }

    /// Ends the current series of errors.
    pub(super) fn reset(&mut self) {
        self.errors = None;
    }

    /// Reports an error, and returns whether to retry.
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

    /// A series of failures on a virtual clock, each a number of seconds after the last waiting time.
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

    /// Checks whether an error at each of these seconds is retried.
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
