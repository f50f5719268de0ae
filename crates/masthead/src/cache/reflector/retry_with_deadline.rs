//! How long a watch is opened again after internal errors of the server.

use std::time::Duration;

use crate::runtime::Instant;

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

    use super::RetryWithDeadline;
    use crate::runtime::Instant;

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
