//! A few quick attempts, then slow ones.

use std::{fmt, time::Duration};

use super::{RateLimiter, attempts::Attempts};
use crate::{runtime::Instant, workqueue::Key};

/// `fast` for the first few attempts of an item, `slow` from then on. Remembers every item until it is forgotten.
pub struct ItemFastSlow<T> {
    fast: Duration,
    slow: Duration,
    max_fast_attempts: u32,
    attempts: Attempts<T>,
}

impl<T> ItemFastSlow<T> {
    /// `fast` for the first `max_fast_attempts`, then `slow`.
    pub fn new(fast: Duration, slow: Duration, max_fast_attempts: u32) -> ItemFastSlow<T> {
        ItemFastSlow { fast, slow, max_fast_attempts, attempts: Attempts::default() }
    }
}

impl<T: Key> RateLimiter<T> for ItemFastSlow<T> {
    fn when(&self, item: &T, _now: Instant) -> Duration {
        if self.attempts.count(item) <= self.max_fast_attempts { self.fast } else { self.slow }
    }

    fn forget(&self, item: &T) {
        self.attempts.forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.attempts.of(item)
    }
}

impl<T> fmt::Debug for ItemFastSlow<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemFastSlow")
            .field("fast", &self.fast)
            .field("slow", &self.slow)
            .field("max_fast_attempts", &self.max_fast_attempts)
            .finish_non_exhaustive()
    }
}
