//! Work queues: client-go's `util/workqueue`, and controller-runtime's priority queue.
//!
//! A queue holds the keys of objects that have to be processed, and hands each key to one of any number of workers:
//! - **Fair**: items are processed in the order in which they were added.
//! - **Stingy**: an item that is added many times before it is processed is processed once, and never by two workers at
//!   the same time. An item that is added while it is in processing is processed again afterwards.
//! - **Multiple producers and consumers**: anyone may add and anyone may [`get`](WorkQueue::get). A worker may add the
//!   item that it is processing.
//! - **Shutdown notifications**: a queue that is shut down ignores new items, and its workers get `None`.
//!
//! Three guarantees go beyond client-go. A cancelled worker loses nothing: dropping an [`Item`] without
//! [`done`](Item::done) queues it again and counts it. A drain also waits for items that are only queued, and has a
//! time limit. Delays follow the clock, however late a timer fires.
//!
//! [`WorkQueue`] is the plain queue. [`DelayingQueue`] adds items after a delay, and [`RateLimitingQueue`] lets one of
//! the [`rate_limiters`] choose the delay. [`PriorityQueue`] hands out higher priorities first without starving the
//! others.
//!
//! All queues are used through `&self` on one thread. They call user code (rate limiters, an [`Order`], metrics,
//! wakers) only while nothing is borrowed, so that code may use the queue.
//!
//! ```
//! use masthead::{runtime::VirtualTime, workqueue::RateLimitingQueue};
//!
//! let time = VirtualTime::new();
//! let queue = RateLimitingQueue::with_default_rate_limiter(&time.runtime(), Default::default());
//! queue.add("default/web-0");
//! queue.add("default/web-1");
//! queue.shut_down();
//! time.run(async {
//!     let mut processed = Vec::new();
//!     while let Some(key) = queue.get().await {
//!         processed.push(*key);
//!         queue.forget(&key);
//!         key.done();
//!     }
//!     assert_eq!(processed, ["default/web-0", "default/web-1"]);
//! });
//! ```

mod delaying_queue;
mod get;
mod metrics;
mod parallelize;
mod priority_items;
mod priority_queue;
mod queue;
mod queue_core;
pub mod rate_limiters;
mod rate_limiting_queue;

use std::hash::Hash;

pub use delaying_queue::DelayingQueue;
pub use get::{Get, Item};
pub use metrics::{Histogram, MetricsProvider, MetricsRegistry, QueueMetrics, QueueStats};
pub use parallelize::parallelize;
pub use priority_queue::{AddOptions, PriorityQueue, PriorityQueueConfig};
pub use queue::{Fifo, Order, QueueConfig, WorkQueue};
pub use rate_limiting_queue::RateLimitingQueue;

/// A value that can be queued. Every type that can be cloned, compared and hashed is one.
///
/// Queue the key of an object and not the object: by the time a worker gets it, the object may have changed.
pub trait Key: Clone + Eq + Hash + 'static {}

impl<T: Clone + Eq + Hash + 'static> Key for T {}

#[cfg(test)]
mod tests;
