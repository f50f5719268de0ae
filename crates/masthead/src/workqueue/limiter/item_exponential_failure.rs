//! Twice as long after every failure.

use std::{fmt, time::Duration};

use super::{RateLimiter, attempts::Attempts};
use crate::{runtime::Instant, workqueue::Key};

/// `base` for the first attempt of an item, twice as long for each further one, `max` at most.
///
/// Remembers every item until it is forgotten: who never forgets keeps a counter for everything that ever failed.
pub struct ItemExponentialFailure<T> {
    base: Duration,
    max: Duration,
    attempts: Attempts<T>,
}

impl<T> ItemExponentialFailure<T> {
    /// Delays from `base` to `max`.
    pub fn new(base: Duration, max: Duration) -> ItemExponentialFailure<T> {
        ItemExponentialFailure { base, max, attempts: Attempts::default() }
    }
}

impl<T: Key> RateLimiter<T> for ItemExponentialFailure<T> {
    fn when(&self, item: &T, _now: Instant) -> Duration {
        let failures = self.attempts.count(item) - 1;
        let delay = 1u128.checked_shl(failures).and_then(|factor| self.base.as_nanos().checked_mul(factor));
        match delay {
            Some(delay) if delay < self.max.as_nanos() => Duration::from_nanos_u128(delay),
            None if self.base.is_zero() => Duration::ZERO,
            _ => self.max,
        }
    }

    fn forget(&self, item: &T) {
        self.attempts.forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.attempts.of(item)
    }
}

impl<T> fmt::Debug for ItemExponentialFailure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemExponentialFailure")
            .field("base", &self.base)
            .field("max", &self.max)
            .finish_non_exhaustive()
    }
}
