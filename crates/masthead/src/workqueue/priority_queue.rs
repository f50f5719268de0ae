//! A queue in which some items matter more than others.

use std::{cell::RefCell, fmt, rc::Rc, time::Duration};

use super::{
    Get, Item, Key, MetricsProvider,
    backlog::Backlog,
    hub::{Hub, Told},
    metrics::Change,
    priorities::{Asked, Priorities},
    priority_backlog::PriorityBacklog,
    queue::UNFINISHED_PERIOD,
    rate_limiters::{ItemExponentialFailure, RateLimiter},
};
use crate::runtime::Runtime;

/// controller-runtime's queue: higher priorities first, and first in, first out within one priority.
///
/// - An item is in here once. Added again it keeps the higher priority and the earlier time; one whose priority rises goes
///   behind all others of its new priority.
/// - An item that somebody works on is not handed out; one that was added meanwhile is counted by [`len`](Self::len).
/// - Once shut down it hands out nothing more, not even what is queued. That is unlike a [`WorkQueue`](super::WorkQueue).
///
/// **Nothing starves.** An item that has been ready for [`overdue_after`](PriorityQueueConfig::overdue_after) is overdue.
/// As long as
/// there are any, every fourth item that is handed out is the one that has been ready for longest, whatever its priority. So an
/// item that is overdue with *n* others that are older is handed out among the next 4·(*n* + 1), and priorities still have
/// three quarters of the workers' time when there is more to do than they can.
///
/// Clones are the same queue.
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
    hub: Rc<Hub<PriorityBacklog<T>>>,
    rate_limiter: Rc<dyn RateLimiter<T>>,
}

/// How a [`PriorityQueue`] works and who is told of it.
pub struct PriorityQueueConfig<T> {
    /// What the queue is called in metrics. One without a name has none.
    pub name: String,
    /// Who is told what happens in the queue; nobody by default.
    pub metrics: Option<Rc<dyn MetricsProvider>>,
    /// How long an item waits that is added with [`rate_limited`](AddOptions::rate_limited): from 5 ms doubling to 1000 s.
    pub rate_limiter: Rc<dyn RateLimiter<T>>,
    /// How long an item is ready before it is overdue: a minute. [`Duration::MAX`] is never.
    pub overdue_after: Duration,
    /// How often the metrics are told of unfinished work: every 500 ms.
    pub unfinished_period: Duration,
}

/// How an item is added to a [`PriorityQueue`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddOptions {
    /// How long to wait; not at all by default.
    pub after: Duration,
    /// Whether the limiter says how long to wait. If [`after`](Self::after) does too, the shorter time counts.
    pub rate_limited: bool,
    /// The more the sooner.
    pub priority: i32,
}

impl<T: Key> PriorityQueue<T> {
    /// An empty queue.
    pub fn new(runtime: &Runtime, config: PriorityQueueConfig<T>) -> PriorityQueue<T> {
        let backlog = PriorityBacklog { priorities: RefCell::new(Priorities::new(config.overdue_after)) };
        let provider = config.metrics.as_deref();
        let told = Told { name: &config.name, provider, period: config.unfinished_period };
        PriorityQueue { hub: Hub::new(runtime, backlog, &told), rate_limiter: config.rate_limiter }
    }

    /// Adds `item` with priority 0, at once.
    pub fn add(&self, item: T) {
        self.add_with(AddOptions::default(), item);
    }

    /// Adds `item` with priority 0 once `delay` has passed.
    pub fn add_after(&self, item: T, delay: Duration) {
        self.add_with(AddOptions { after: delay, ..AddOptions::default() }, item);
    }

    /// Adds `item` with priority 0 once the limiter lets it.
    pub fn add_rate_limited(&self, item: T) {
        self.add_with(AddOptions { rate_limited: true, ..AddOptions::default() }, item);
    }

    /// Adds `item` in this way. Does nothing once the queue is shut down.
    pub fn add_with(&self, options: AddOptions, item: T) {
        if self.is_shutting_down() {
            return;
        }
        let now = self.hub.runtime.now();
        let limited = options.rate_limited.then(|| self.rate_limiter.when(&item, now));
        let asked = Some(options.after).filter(|after| !after.is_zero());
        let delay = limited.map_or(asked, |limited| Some(asked.map_or(limited, |asked| asked.min(limited))));
        let at = delay.filter(|delay| !delay.is_zero()).map(|delay| now + delay);
        self.hub.change(|backlog, now, changes| {
            if at.is_some() {
                changes.push(Change::Retried);
            }
            let asked = Asked { priority: options.priority, at };
            backlog.priorities.borrow_mut().add(item, asked, now, changes);
        });
    }

    /// The next item, waiting for one if there is none; `None` once the queue is shut down. Then a worker is to end.
    pub fn get(&self) -> Get<T> {
        Get::new(self.desk())
    }

    /// The next item, if there is one.
    pub fn try_get(&self) -> Option<Item<T>> {
        self.hub.take().map(|taken| Item::new(self.desk(), taken))
    }

    /// Ends the limiter's counting of `item`.
    pub fn forget(&self, item: &T) {
        self.rate_limiter.forget(item);
    }

    /// How often `item` was added with a rate limit since it was last forgotten.
    pub fn num_requeues(&self, item: &T) -> u32 {
        self.rate_limiter.num_requeues(item)
    }

    /// How many items are due, whether a worker could have them or has to wait for the one that works on them.
    pub fn len(&self) -> usize {
        self.hub.len()
    }

    /// Whether no item is due.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items are to be added later.
    pub fn delayed(&self) -> usize {
        self.hub.change(|backlog, _, _| backlog.priorities.borrow().delayed())
    }

    /// How many items are being worked on.
    pub fn processing(&self) -> usize {
        self.hub.backlog.working()
    }

    /// How many items were dropped by their worker before they were done, and went back.
    pub fn abandoned(&self) -> u64 {
        self.hub.abandoned()
    }

    /// Ignores every add and hands out nothing from here on.
    pub fn shut_down(&self) {
        self.hub.shut_down();
    }

    /// As [`shut_down`](Self::shut_down), and waits until every item that is being worked on is done, for `limit` at most.
    /// Gives how many are still worked on.
    pub async fn shut_down_with_drain(&self, limit: Duration) -> usize {
        self.hub.drain(limit).await
    }

    /// Whether it was shut down.
    pub fn is_shutting_down(&self) -> bool {
        self.hub.is_shutting_down()
    }

    fn desk(&self) -> Rc<Hub<PriorityBacklog<T>>> {
        Rc::clone(&self.hub)
    }
}

impl<T: Key> Default for PriorityQueueConfig<T> {
    fn default() -> PriorityQueueConfig<T> {
        PriorityQueueConfig {
            name: String::new(),
            metrics: None,
            rate_limiter: Rc::new(ItemExponentialFailure::new(Duration::from_millis(5), Duration::from_secs(1000))),
            overdue_after: Duration::from_secs(60),
            unfinished_period: UNFINISHED_PERIOD,
        }
    }
}

impl<T: Key> Clone for PriorityQueue<T> {
    fn clone(&self) -> PriorityQueue<T> {
        PriorityQueue { hub: Rc::clone(&self.hub), rate_limiter: Rc::clone(&self.rate_limiter) }
    }
}

impl<T: Key> fmt::Debug for PriorityQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorityQueue")
            .field("due", &self.hub.backlog.len())
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
