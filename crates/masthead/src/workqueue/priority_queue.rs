//! The queue that hands out important items first: [`PriorityQueue`].

use std::{cell::RefCell, fmt, rc::Rc, time::Duration};

use super::{
    Get, Item, Key, MetricsProvider,
    metrics::{Change, UNFINISHED_WORK_UPDATE_PERIOD, metrics_for},
    priority_items::PriorityItems,
    queue_core::{PendingItems, Shared},
    rate_limiters::{ItemExponentialFailure, RateLimiter},
};
use crate::runtime::Runtime;

/// controller-runtime's priority queue: higher priorities first, and first in, first out within one priority.
///
/// Clones share the same queue. Three things differ from a [`WorkQueue`](super::WorkQueue):
/// - An item that is added again keeps the higher priority and the earlier time. If its priority rises, it goes behind
///   all others of the new priority.
/// - [`len`](Self::len) also counts an item that was added while it is in processing.
/// - After a shutdown it hands out no more items, not even those that are queued.
///
/// **No item starves**, which controller-runtime does not guarantee. An item that has been ready for
/// [`overdue_after`](PriorityQueueConfig::overdue_after) is overdue. While there are overdue items, every fourth item
/// that is handed out is the one that has been ready longest, whatever its priority. So an overdue item with *n* older
/// ones is handed out among the next 4·(*n* + 1), and priorities still decide about three quarters of the work.
///
/// ```
/// use masthead::{runtime::VirtualTime, workqueue::{AddOptions, PriorityQueue}};
///
/// let time = VirtualTime::new();
/// let queue = PriorityQueue::new(&time.runtime(), Default::default());
/// queue.add_with(AddOptions { priority: -100, ..Default::default() }, "resync");
/// queue.add("change");
/// let first = time.run(queue.get()).expect("not shut down");
/// assert_eq!((*first, first.priority()), ("change", 0));
/// first.done();
/// ```
pub struct PriorityQueue<T: Key> {
    shared: Rc<Shared<RefCell<PriorityItems<T>>>>,
    rate_limiter: Rc<dyn RateLimiter<T>>,
}

/// The options of a [`PriorityQueue`].
pub struct PriorityQueueConfig<T> {
    /// The name of the queue in metrics. A queue without a name has no metrics.
    pub name: String,
    /// Creates the metrics of the queue; none by default.
    pub metrics: Option<Rc<dyn MetricsProvider>>,
    /// Decides how long an item waits that is added with [`rate_limited`](AddOptions::rate_limited);
    /// [`ItemExponentialFailure`] from 5 ms to 1000 s by default.
    pub rate_limiter: Rc<dyn RateLimiter<T>>,
    /// How long an item is ready before it is overdue; a minute by default. [`Duration::MAX`] turns the guard off.
    pub overdue_after: Duration,
    /// How often the metrics are updated with unfinished work; every 500 ms by default.
    pub unfinished_period: Duration,
}

/// How an item is added to a [`PriorityQueue`]: controller-runtime's `AddOpts`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddOptions {
    /// The delay before the item is added; none by default.
    pub after: Duration,
    /// Whether the rate limiter decides about the delay. If [`after`](Self::after) is set too, the shorter delay
    /// counts.
    pub rate_limited: bool,
    /// Items with a higher priority are handed out first.
    pub priority: i32,
}

impl<T: Key> PriorityQueue<T> {
    /// Creates an empty queue.
    pub fn new(runtime: &Runtime, config: PriorityQueueConfig<T>) -> PriorityQueue<T> {
        let metrics = metrics_for(&config.name, config.metrics.as_deref());
        let items = RefCell::new(PriorityItems::new(config.overdue_after));
        let shared = Shared::new(runtime, items, metrics, config.unfinished_period);
        PriorityQueue { shared, rate_limiter: config.rate_limiter }
    }

    /// Adds `item` with priority 0.
    pub fn add(&self, item: T) {
        self.add_with(AddOptions::default(), item);
    }

    /// Adds `item` with priority 0 when `delay` has passed.
    pub fn add_after(&self, item: T, delay: Duration) {
        self.add_with(AddOptions { after: delay, ..AddOptions::default() }, item);
    }

    /// Adds `item` with priority 0 after the delay that the rate limiter returns.
    pub fn add_rate_limited(&self, item: T) {
        self.add_with(AddOptions { rate_limited: true, ..AddOptions::default() }, item);
    }

    /// Adds `item` with these options. Does nothing if the queue is shut down.
    pub fn add_with(&self, options: AddOptions, item: T) {
        if self.is_shutting_down() {
            return;
        }
        let now = self.shared.runtime.now();
        let limited = options.rate_limited.then(|| self.rate_limiter.when(&item, now));
        let after = Some(options.after).filter(|after| !after.is_zero());
        let delay = limited.map_or(after, |limited| Some(after.map_or(limited, |after| after.min(limited))));
        let at = delay.filter(|delay| !delay.is_zero()).map(|delay| now + delay);
        self.shared.update(|items, now, metrics| {
            if at.is_some() {
                metrics.push(Change::Retried);
            }
            items.borrow_mut().add(item, (options.priority, at), now, metrics);
        });
    }

    /// Waits for the next item. Returns `None` once the queue is shut down; a worker should then end.
    pub fn get(&self) -> Get<T> {
        Get::new(Rc::clone(&self.shared) as _)
    }

    /// Returns the next item without waiting, or `None` if none is ready.
    pub fn try_get(&self) -> Option<Item<T>> {
        self.shared.try_get().map(|next| Item::new(Rc::clone(&self.shared) as _, next))
    }

    /// Makes the rate limiter stop tracking `item`. Does not remove it from the queue.
    pub fn forget(&self, item: &T) {
        self.rate_limiter.forget(item);
    }

    /// Returns how many times `item` was added with a rate limit since it was last forgotten.
    pub fn num_requeues(&self, item: &T) -> u32 {
        self.rate_limiter.num_requeues(item)
    }

    /// How many items are due: those that are ready, and those that become ready when their worker is done.
    pub fn len(&self) -> usize {
        self.shared.len()
    }

    /// Whether no item is due.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items wait for their delay to pass.
    pub fn delayed(&self) -> usize {
        self.shared.update(|items, _, _| items.borrow().delayed())
    }

    /// How many items workers have got and not finished.
    pub fn processing(&self) -> usize {
        self.shared.items.processing()
    }

    /// How many items were dropped by their worker without [`done`](Item::done), and went back to the queue.
    pub fn abandoned(&self) -> u64 {
        self.shared.abandoned()
    }

    /// Makes the queue ignore new items and hand out no more.
    pub fn shut_down(&self) {
        self.shared.shut_down();
    }

    /// Shuts the queue down and waits until every item in processing is done, for at most `limit`. Returns how many are
    /// still in processing.
    pub async fn shut_down_with_drain(&self, limit: Duration) -> usize {
        self.shared.shut_down_with_drain(limit).await
    }

    /// Whether the queue is shut down.
    pub fn is_shutting_down(&self) -> bool {
        self.shared.is_shutting_down()
    }
}

impl<T: Key> Default for PriorityQueueConfig<T> {
    fn default() -> PriorityQueueConfig<T> {
        PriorityQueueConfig {
            name: String::new(),
            metrics: None,
            rate_limiter: Rc::new(ItemExponentialFailure::new(Duration::from_millis(5), Duration::from_secs(1000))),
            overdue_after: Duration::from_secs(60),
            unfinished_period: UNFINISHED_WORK_UPDATE_PERIOD,
        }
    }
}

impl<T: Key> Clone for PriorityQueue<T> {
    fn clone(&self) -> PriorityQueue<T> {
        PriorityQueue { shared: Rc::clone(&self.shared), rate_limiter: Rc::clone(&self.rate_limiter) }
    }
}

impl<T: Key> fmt::Debug for PriorityQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorityQueue")
            .field("due", &self.shared.items.len())
            .field("processing", &self.processing())
            .field("shutting_down", &self.is_shutting_down())
            .finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for PriorityQueueConfig<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorityQueueConfig")
            .field("name", &self.name)
            .field("metrics", &self.metrics.is_some())
            .field("overdue_after", &self.overdue_after)
            .finish_non_exhaustive()
    }
}
