//! A queue to which what failed is added again, ever later.

use std::{fmt, ops::Deref, rc::Rc};

use super::{
    DelayingQueue, Key, QueueConfig,
    rate_limiters::{self, RateLimiter},
};
use crate::runtime::Runtime;

/// A [`DelayingQueue`] whose limiter says how long an item waits.
///
/// Clones are the same queue. Everything that a [`DelayingQueue`] does it does too. Whoever works on an item calls
/// [`forget`](Self::forget) when it is through with it for good, or the limiter counts it for ever;
/// [`done`](super::Item::done) is called each time.
///
/// ```
/// use std::time::Duration;
/// use masthead::{runtime::VirtualTime, workqueue::{RateLimitingQueue, rate_limiters}};
///
/// let time = VirtualTime::new();
/// let queue = RateLimitingQueue::new(&time.runtime(), rate_limiters::default_controller(), Default::default());
/// queue.add("node-1");
/// time.run(async {
///     for attempt in 1.. {
///         let node = queue.get().await.expect("not shut down");
///         let works = attempt == 3;
///         if works {
///             queue.forget(&node);
///         } else {
///             queue.add_rate_limited(*node);
///         }
///         node.done();
///         if works {
///             break;
///         }
///         assert_eq!(queue.num_requeues(&"node-1"), attempt);
///     }
/// });
/// assert_eq!(queue.num_requeues(&"node-1"), 0);
/// ```
pub struct RateLimitingQueue<T: Key> {
    queue: DelayingQueue<T>,
    limiter: Rc<dyn RateLimiter<T>>,
}

impl<T: Key> RateLimitingQueue<T> {
    /// An empty queue; queues may share a limiter.
    pub fn new(runtime: &Runtime, limiter: Rc<dyn RateLimiter<T>>, config: QueueConfig<T>) -> RateLimitingQueue<T> {
        RateLimitingQueue { queue: DelayingQueue::new(runtime, config), limiter }
    }

    /// An empty queue with client-go's limiter for controllers.
    pub fn with_default_rate_limiter(runtime: &Runtime, config: QueueConfig<T>) -> RateLimitingQueue<T> {
        RateLimitingQueue::new(runtime, rate_limiters::default_controller(), config)
    }

    /// Adds `item` once the limiter lets it. Counts as an attempt even if the queue is shut down and ignores it.
    pub fn add_rate_limited(&self, item: T) {
        let delay = self.limiter.when(&item, self.queue.hub.runtime.now());
        self.queue.add_after(item, delay);
    }

    /// Ends the counting of `item`. It stays where it is.
    pub fn forget(&self, item: &T) {
        self.limiter.forget(item);
    }

    /// How often `item` was added by [`add_rate_limited`](Self::add_rate_limited) since it was last forgotten.
    pub fn num_requeues(&self, item: &T) -> u32 {
        self.limiter.num_requeues(item)
    }
}

impl<T: Key> Deref for RateLimitingQueue<T> {
    type Target = DelayingQueue<T>;

    fn deref(&self) -> &DelayingQueue<T> {
        &self.queue
    }
}

impl<T: Key> Clone for RateLimitingQueue<T> {
    fn clone(&self) -> RateLimitingQueue<T> {
        RateLimitingQueue { queue: self.queue.clone(), limiter: Rc::clone(&self.limiter) }
    }
}

impl<T: Key> fmt::Debug for RateLimitingQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitingQueue").field("queue", &self.queue).finish_non_exhaustive()
    }
}
