//! The queue that adds failed items again after growing delays: [`RateLimitingQueue`].

use std::{fmt, ops::Deref, rc::Rc};

use super::{
    DelayingQueue, Key, QueueConfig,
    rate_limiters::{self, RateLimiter},
};
use crate::runtime::Runtime;

/// A [`DelayingQueue`] that asks a [`RateLimiter`] how long to delay an item.
///
/// Clones share the same queue, and every method of [`DelayingQueue`] is available. A worker calls
/// [`done`](super::Item::done) each time it has processed an item. It calls
/// [`add_rate_limited`](Self::add_rate_limited) to retry the item, or [`forget`](Self::forget) when no retry is needed;
/// an item that is never forgotten keeps its failure count.
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
///         let succeeded = attempt == 3;
///         if succeeded {
///             queue.forget(&node);
///         } else {
///             queue.add_rate_limited(*node);
///         }
///         node.done();
///         if succeeded {
///             break;
///         }
///         assert_eq!(queue.num_requeues(&"node-1"), attempt);
///     }
/// });
/// assert_eq!(queue.num_requeues(&"node-1"), 0);
/// ```
pub struct RateLimitingQueue<T: Key> {
    queue: DelayingQueue<T>,
    rate_limiter: Rc<dyn RateLimiter<T>>,
}

impl<T: Key> RateLimitingQueue<T> {
    /// Creates an empty queue. Several queues may share a limiter.
    pub fn new(
        runtime: &Runtime,
        rate_limiter: Rc<dyn RateLimiter<T>>,
        config: QueueConfig<T>,
    ) -> RateLimitingQueue<T> {
        RateLimitingQueue { queue: DelayingQueue::new(runtime, config), rate_limiter }
    }

    /// Creates an empty queue with [`rate_limiters::default_controller`].
    pub fn with_default_rate_limiter(runtime: &Runtime, config: QueueConfig<T>) -> RateLimitingQueue<T> {
        RateLimitingQueue::new(runtime, rate_limiters::default_controller(), config)
    }

    /// Adds `item` after the delay that the limiter returns. The limiter counts the call even if the queue is shut down
    /// and ignores the item.
    pub fn add_rate_limited(&self, item: T) {
        let delay = self.rate_limiter.when(&item, self.queue.shared.runtime.now());
        self.queue.add_after(item, delay);
    }

    /// Makes the limiter stop tracking `item`. Does not remove it from the queue.
    pub fn forget(&self, item: &T) {
        self.rate_limiter.forget(item);
    }

    /// Returns how many times `item` was added with [`add_rate_limited`](Self::add_rate_limited) since it was last
    /// forgotten.
    pub fn num_requeues(&self, item: &T) -> u32 {
        self.rate_limiter.num_requeues(item)
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
        RateLimitingQueue { queue: self.queue.clone(), rate_limiter: Rc::clone(&self.rate_limiter) }
    }
}

impl<T: Key> fmt::Debug for RateLimitingQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitingQueue").field("queue", &self.queue).finish_non_exhaustive()
    }
}
