//! Rate limiters: how long an item waits before it is queued again.
//!
//! The types are client-go's, without the suffix `RateLimiter`. Every limiter takes the time as an argument and is used
//! through `&self`, so queues can share one, and a limiter of your own may use the queue that calls it.
//!
//! ```
//! use std::{rc::Rc, time::Duration};
//! use masthead::{runtime::Instant, workqueue::rate_limiters::{ItemExponentialFailure, RateLimiter, WithMaxWait}};
//!
//! let backoff = ItemExponentialFailure::new(Duration::from_secs(1), Duration::from_secs(60));
//! let limiter = WithMaxWait::new(Rc::new(backoff), Duration::from_secs(3));
//! let delays = [(); 4].map(|()| limiter.when(&"default/web-0", Instant::ORIGIN).as_secs());
//! assert_eq!(delays, [1, 2, 3, 3]);
//! ```

use std::{cell::RefCell, fmt, rc::Rc, time::Duration};

use rustc_hash::FxHashMap;

use super::Key;
use crate::{flowcontrol::TokenBucket, runtime::Instant};

/// Decides how long an item waits before it is queued again.
///
/// ```
/// use std::{rc::Rc, time::Duration};
/// use masthead::{runtime::{Instant, VirtualTime}, workqueue::{RateLimitingQueue, rate_limiters::RateLimiter}};
///
/// /// Retries every item after a second.
/// struct EverySecond;
///
/// impl<T> RateLimiter<T> for EverySecond {
///     fn when(&self, _item: &T, _now: Instant) -> Duration {
///         Duration::from_secs(1)
///     }
///
///     fn forget(&self, _item: &T) {}
///
///     fn num_requeues(&self, _item: &T) -> u32 {
///         0
///     }
/// }
///
/// let time = VirtualTime::new();
/// let queue = RateLimitingQueue::new(&time.runtime(), Rc::new(EverySecond), Default::default());
/// queue.add_rate_limited("default/web-0");
/// time.advance(Duration::from_secs(1));
/// assert_eq!(queue.len(), 1);
/// ```
pub trait RateLimiter<T> {
    /// Returns how long `item` has to wait, counted from `now`. Every call counts as one more failure of `item`.
    fn when(&self, item: &T, now: Instant) -> Duration;

    /// Stops tracking `item`, because it succeeded or because it is given up. The next delay starts from the beginning.
    fn forget(&self, item: &T);

    /// Returns how many times [`when`](Self::when) was called for `item` since it was last forgotten.
    fn num_requeues(&self, item: &T) -> u32;
}

/// Returns client-go's default for controllers: [`ItemExponentialFailure`] from 5 ms to 1000 s for each item, and a
/// [`Bucket`] of 10 items per second with a burst of 100 for all of them. The longer delay counts.
///
/// ```
/// use std::time::Duration;
/// use masthead::{runtime::Instant, workqueue::rate_limiters::default_controller};
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

/// Returns client-go's default without an overall rate: [`ItemExponentialFailure`] from 1 ms to 1000 s.
pub fn default_item_based<T: Key>() -> Rc<dyn RateLimiter<T>> {
    Rc::new(ItemExponentialFailure::new(Duration::from_millis(1), Duration::from_secs(1000)))
}

/// Doubles the delay of an item with each failure: `base`, 2 · `base`, 4 · `base` and so on, up to `max`.
///
/// Keeps a counter for every item until [`forget`](RateLimiter::forget), so a caller that never forgets leaks one per
/// item.
pub struct ItemExponentialFailure<T> {
    base: Duration,
    max: Duration,
    failures: FailureCounts<T>,
}

impl<T> ItemExponentialFailure<T> {
    /// Creates a limiter with delays from `base` to `max`.
    pub fn new(base: Duration, max: Duration) -> ItemExponentialFailure<T> {
        ItemExponentialFailure { base, max, failures: FailureCounts::default() }
    }
}

impl<T: Key> RateLimiter<T> for ItemExponentialFailure<T> {
    fn when(&self, item: &T, _now: Instant) -> Duration {
        let exponent = self.failures.increment(item) - 1;
        let delay = 1u128.checked_shl(exponent).and_then(|factor| self.base.as_nanos().checked_mul(factor));
        match delay {
            Some(delay) if delay < self.max.as_nanos() => Duration::from_nanos_u128(delay),
            None if self.base.is_zero() => Duration::ZERO,
            _ => self.max,
        }
    }

    fn forget(&self, item: &T) {
        self.failures.forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.failures.get(item)
    }
}

/// Delays the first `max_fast_attempts` failures of an item by `fast` and all later ones by `slow`.
///
/// Keeps a counter for every item until [`forget`](RateLimiter::forget).
pub struct ItemFastSlow<T> {
    fast: Duration,
    slow: Duration,
    max_fast_attempts: u32,
    failures: FailureCounts<T>,
}

impl<T> ItemFastSlow<T> {
    /// Creates a limiter that delays by `fast` for `max_fast_attempts` failures and then by `slow`.
    pub fn new(fast: Duration, slow: Duration, max_fast_attempts: u32) -> ItemFastSlow<T> {
        ItemFastSlow { fast, slow, max_fast_attempts, failures: FailureCounts::default() }
    }
}

impl<T: Key> RateLimiter<T> for ItemFastSlow<T> {
    fn when(&self, item: &T, _now: Instant) -> Duration {
        if self.failures.increment(item) <= self.max_fast_attempts { self.fast } else { self.slow }
    }

    fn forget(&self, item: &T) {
        self.failures.forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.failures.get(item)
    }
}

/// Limits all items together with one token bucket: `burst` items at once, then `qps` per second.
///
/// Each call reserves a token and returns the time until it is available. The limiter does not look at the item, so
/// there is nothing to forget and [`num_requeues`](RateLimiter::num_requeues) is always 0.
#[derive(Debug)]
pub struct Bucket {
    bucket: RefCell<TokenBucket>,
}

impl Bucket {
    /// Creates a full bucket.
    pub fn new(qps: f64, burst: u32) -> Bucket {
        Bucket { bucket: RefCell::new(TokenBucket::new(qps, burst)) }
    }
}

impl<T> RateLimiter<T> for Bucket {
    fn when(&self, _item: &T, now: Instant) -> Duration {
        self.bucket.borrow_mut().reserve(now)
    }

    fn forget(&self, _item: &T) {}

    fn num_requeues(&self, _item: &T) -> u32 {
        0
    }
}

/// Combines limiters: the longest delay and the highest count of all of them.
///
/// Every limiter is called each time, so all of them count. With a [`Bucket`] among them the burst can seem exceeded:
/// an item that another limiter delays for longer took its token at the time of the call, not at the end of its delay.
pub struct MaxOf<T> {
    limiters: Vec<Rc<dyn RateLimiter<T>>>,
}

impl<T> MaxOf<T> {
    /// Combines `limiters`. Without any there is no delay.
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

/// Limits the delays of another limiter to `max`.
pub struct WithMaxWait<T> {
    limiter: Rc<dyn RateLimiter<T>>,
    max: Duration,
}

impl<T> WithMaxWait<T> {
    /// Wraps `limiter`, so that no delay is longer than `max`.
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

/// The number of failures of each item that is not forgotten.
struct FailureCounts<T> {
    counts: RefCell<FxHashMap<T, u32>>,
}

impl<T: Key> FailureCounts<T> {
    /// Counts one more failure of `item` and returns the new count.
    fn increment(&self, item: &T) -> u32 {
        let mut counts = self.counts.borrow_mut();
        match counts.get_mut(item) {
            Some(count) => {
                *count = count.saturating_add(1);
                *count
            }
            None => {
                counts.insert(item.clone(), 1);
                1
            }
        }
    }

    fn forget(&self, item: &T) {
        // The entry is dropped after the borrow: dropping an item runs the caller's code.
        let entry = self.counts.borrow_mut().remove_entry(item);
        drop(entry);
    }

    fn get(&self, item: &T) -> u32 {
        self.counts.borrow().get(item).copied().unwrap_or_default()
    }
}

impl<T> Default for FailureCounts<T> {
    fn default() -> FailureCounts<T> {
        FailureCounts { counts: RefCell::default() }
    }
}

impl<T> fmt::Debug for ItemExponentialFailure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("ItemExponentialFailure");
        debug.field("base", &self.base).field("max", &self.max).finish_non_exhaustive()
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

impl<T> fmt::Debug for MaxOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaxOf").field("limiters", &self.limiters.len()).finish()
    }
}

impl<T> fmt::Debug for WithMaxWait<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithMaxWait").field("max", &self.max).finish_non_exhaustive()
    }
}
