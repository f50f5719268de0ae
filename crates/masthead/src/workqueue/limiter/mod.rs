//! How long something that failed waits before it is tried again.
//!
//! All limiters are machines: the time is an argument. They are asked through `&self`, so that queues can share one and a
//! limiter of one's own may use the queue that asks it.

mod attempts;
mod bucket;
mod item_exponential_failure;
mod item_fast_slow;

mod max_of;
mod with_max_wait;

use std::{rc::Rc, time::Duration};

use super::Key;
use crate::runtime::Instant;

pub use bucket::Bucket;
pub use item_exponential_failure::ItemExponentialFailure;
pub use item_fast_slow::ItemFastSlow;
pub use max_of::MaxOf;
pub use with_max_wait::WithMaxWait;

/// Decides how long an item waits.
pub trait RateLimiter<T> {
    /// How long `item` is to wait, from `now`. Asking counts as one more attempt.
    fn when(&self, item: &T, now: Instant) -> Duration;

    /// Ends the counting of `item`, whether it succeeded or was given up.
    fn forget(&self, item: &T);

    /// How often `item` was asked for since it was last forgotten.
    fn num_requeues(&self, item: &T) -> u32;
}

/// client-go's limiter for controllers: each item from 5 ms doubling to 1000 s, and all of them together at most 10 a second
/// after a burst of 100; whichever is longer.
///
/// ```
/// use std::time::Duration;
/// use masthead::{runtime::Instant, workqueue::limiter::default_controller};
///
/// let limiter = default_controller();
/// assert_eq!(limiter.when(&"a", Instant::ORIGIN), Duration::from_millis(5));
/// assert_eq!(limiter.when(&"a", Instant::ORIGIN), Duration::from_millis(10));
/// assert_eq!(limiter.num_requeues(&"a"), 2);
/// limiter.forget(&"a");
/// assert_eq!(limiter.when(&"a", Instant::ORIGIN), Duration::from_millis(5));
/// ```
pub fn default_controller<T: Key>() -> Rc<dyn RateLimiter<T>> {
    let each = ItemExponentialFailure::new(Duration::from_millis(5), Duration::from_secs(1000));
    Rc::new(MaxOf::new(vec![Rc::new(each), Rc::new(Bucket::new(10.0, 100))]))
}

/// client-go's limiter of items alone: from 1 ms doubling to 1000 s.
pub fn default_item_based<T: Key>() -> Rc<dyn RateLimiter<T>> {
    Rc::new(ItemExponentialFailure::new(Duration::from_millis(1), Duration::from_secs(1000)))
}

#[cfg(test)]
mod tests;
