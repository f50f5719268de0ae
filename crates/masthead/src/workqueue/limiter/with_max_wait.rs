//! A limiter with an upper bound.

use std::{fmt, rc::Rc, time::Duration};

use super::RateLimiter;
use crate::runtime::Instant;

/// What another limiter says, `max` at most.
pub struct WithMaxWait<T> {
    limiter: Rc<dyn RateLimiter<T>>,
    max: Duration,
}

impl<T> WithMaxWait<T> {
    /// `limiter`, `max` at most.
    pub fn new(limiter: Rc<dyn RateLimiter<T>>, max: Duration) -> WithMaxWait<T> {
        WithMaxWait { limiter, max }
    }
}

impl<T> RateLimiter<T> for WithMaxWait<T> {
    fn when(&self, item: &T, now: Instant) -> Duration {
        self.limiter.when(item, now).min(self.max)
    }

    fn forget(&self, item: &T) {
        self.limiter.forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.limiter.num_requeues(item)
    }
}

impl<T> fmt::Debug for WithMaxWait<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithMaxWait").field("max", &self.max).finish_non_exhaustive()
    }
}
