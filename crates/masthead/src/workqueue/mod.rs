//! Work queues: what is to be done, each item once, for any number of workers.
//!
//! What holds for every queue here:
//! - **Fair**: items are worked on in the order they were added.
//! - **Stingy**: an item that is added many times before it is worked on is worked on once, and never by two workers at
//!   once. If it is added while it is worked on, it is worked on again after that.
//! - **Many on both sides**: any number may add and any number may [`get`](WorkQueue::get). A worker may add what it works on.
//! - **Tells of its end**: a queue that is shut down takes nothing more, and its workers are told.
//!
//! And what client-go's queues do not have: a worker that is dropped loses nothing, since the [`Item`] in its hands goes back
//! and is counted; a drain waits for what is queued too, and not for ever; delays follow the clock, however late a timer is.
//!
//! [`WorkQueue`] is the plain one, [`DelayingQueue`] and [`RateLimitingQueue`] add later, and [`PriorityQueue`] is
//! controller-runtime's: higher priorities first, with a guard for the others. All are used through `&self`, from one
//! thread, and call nobody while they are busy: a limiter, an order or a metric may use the queue that calls it.

mod backlog;
mod delaying_queue;
mod delays;
mod desk;
mod fifo_backlog;
mod get;
mod hub;
mod item;
mod key;
mod ledger;
mod line;
mod metrics;
mod order;
mod parallelize;
mod priorities;
mod priority_backlog;
mod priority_queue;
mod queue;
pub mod rate_limiters;
mod rate_limiting_queue;

pub use delaying_queue::DelayingQueue;
pub use get::Get;
pub use item::Item;
pub use key::Key;
pub use metrics::{Histogram, MetricsProvider, MetricsRegistry, QueueMetrics, QueueStats};
pub use order::{Fifo, Order};
pub use parallelize::parallelize;
pub use priority_queue::{AddOptions, PriorityQueue, PriorityQueueConfig};
pub use queue::{QueueConfig, WorkQueue};
pub use rate_limiting_queue::RateLimitingQueue;

#[cfg(test)]
mod tests;
