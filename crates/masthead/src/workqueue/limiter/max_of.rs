//! The strictest of several limiters.

use std::{fmt, rc::Rc, time::Duration};

use super::RateLimiter;
use crate::runtime::Instant;

/// Asks all of its limiters, always, and gives the longest delay and the highest count.
///
/// Together with a bucket the burst can seem exceeded: an item that another limiter delays for longer has taken its token
/// long before it comes.
pub struct MaxOf<T> {
    limiters: Vec<Rc<dyn RateLimiter<T>>>,
}

impl<T> MaxOf<T> {
    /// The strictest of these; with none there is no delay.
    pub fn new(limiters: Vec<Rc<dyn RateLimiter<T>>>) -> MaxOf<T> {
        MaxOf { limiters }
    }
}

impl<T> RateLimiter<T> for MaxOf<T> {
    fn when(&self, item: &T, now: Instant) -> Duration {
        self.limiters.iter().map(|limiter| limiter.when(item, now)).max().unwrap_or_default()
    }

    fn forget(&self, item: &T) {
        self.limiters.iter().for_each(|limiter| limiter.forget(item));
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.limiters.iter().map(|limiter| limiter.num_requeues(item)).max().unwrap_or_default()
    }
}

impl<T> fmt::Debug for MaxOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaxOf").field("limiters", &self.limiters.len()).finish()
    }
}
