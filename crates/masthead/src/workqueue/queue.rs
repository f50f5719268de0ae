//! The queue that all others are more than.

use std::{fmt, rc::Rc, time::Duration};

use super::{
    Fifo, Get, Item, Key, MetricsProvider, Order,
    backlog::Backlog,
    fifo_backlog::FifoBacklog,
    hub::{Hub, Told},
};
use crate::runtime::Runtime;

/// Items that are to be worked on, each once, in the order they were added. See the [module](super) for what holds.
///
/// Clones are the same queue. It holds at most one entry for each distinct item, so that what is added bounds it, not how
/// often.
///
/// ```
/// use masthead::{runtime::VirtualTime, workqueue::Queue};
///
/// let time = VirtualTime::new();
/// let queue = WorkQueue::new(&time.runtime(), Default::default());
/// queue.add("a");
/// queue.add("b");
/// queue.add("a");
/// assert_eq!(queue.len(), 2);
/// time.run(async {
///     let a = queue.get().await.expect("not shut down");
///     assert_eq!(*a, "a");
///     // Added while somebody works on it: nobody gets it before that is done.
///     queue.add("a");
///     assert_eq!(queue.len(), 1);
///     a.done();
///     assert_eq!(queue.len(), 2);
/// });
/// ```
pub struct WorkQueue<T: Key> {
    pub(super) hub: Rc<Hub<FifoBacklog<T>>>,
}

/// How a queue works and who is told of it.
pub struct QueueConfig<T> {
    /// What the queue is called in metrics. One without a name has none.
    pub name: String,
    /// Who is told what happens in the queue; nobody by default.
    pub metrics: Option<Rc<dyn MetricsProvider>>,
    /// In which order items are handed out; [`Fifo`] by default.
    pub order: Box<dyn Order<T>>,
    /// How often the metrics are told of unfinished work: every 500 ms.
    pub unfinished_period: Duration,
}

impl<T: Key> WorkQueue<T> {
    /// An empty queue.
    pub fn new(runtime: &Runtime, config: QueueConfig<T>) -> WorkQueue<T> {
        let provider = config.metrics.as_deref();
        let told = Told { name: &config.name, provider, period: config.unfinished_period };
        let backlog = FifoBacklog::new(config.order, told.is_wanted());
        WorkQueue { hub: Hub::new(runtime, backlog, &told) }
    }

    /// Marks `item` as to be worked on. Does nothing if it is queued already, and nothing once the queue is shut down.
    pub fn add(&self, item: T) {
        if !self.is_shutting_down() {
            self.hub.change(|backlog, now, changes| backlog.add(item, now, changes));
        }
    }

    /// The next item, waiting for one if there is none; `None` once the queue is shut down and empty. Then a worker is to
    /// end.
    pub fn get(&self) -> Get<T> {
        Get::new(self.desk())
    }

    /// The next item, if there is one.
    pub fn try_get(&self) -> Option<Item<T>> {
        self.hub.take().map(|taken| Item::new(self.desk(), taken))
    }

    /// How many items wait for a worker. It tells what was; nothing may depend on it.
    pub fn len(&self) -> usize {
        self.hub.len()
    }

    /// Whether no item waits for a worker.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items are being worked on.
    pub fn processing(&self) -> usize {
        self.hub.backlog.working()
    }

    /// How many items were dropped by their worker before they were done, and went back.
    pub fn abandoned(&self) -> u64 {
        self.hub.abandoned()
    }

    /// Ignores every add from here on. Workers get what is queued, then `None`; what is delayed is forgotten.
    ///
    /// Returns at once, and ends every [`shut_down_with_drain`](Self::shut_down_with_drain) that waits.
    pub fn shut_down(&self) {
        self.hub.shut_down();
    }

    /// As [`shut_down`](Self::shut_down), and waits until everything that is queued or being worked on is done, for `limit`
    /// at most. Gives how many items are left: none, unless time ran out or somebody called `shut_down` meanwhile.
    ///
    /// An item that was added while it is worked on is waited for twice; one that is abandoned is queued again, and waited
    /// for.
    pub async fn shut_down_with_drain(&self, limit: Duration) -> usize {
        self.hub.drain(limit).await
    }

    /// Whether it was shut down.
    pub fn is_shutting_down(&self) -> bool {
        self.hub.is_shutting_down()
    }

    fn desk(&self) -> Rc<Hub<FifoBacklog<T>>> {
        Rc::clone(&self.hub)
    }
}

impl<T: Key> Default for QueueConfig<T> {
    fn default() -> QueueConfig<T> {
        QueueConfig {
            name: String::new(),
            metrics: None,
            order: Box::new(Fifo::default()),
            unfinished_period: UNFINISHED_PERIOD,
        }
    }
}

/// As often as client-go's queues.
pub(super) const UNFINISHED_PERIOD: Duration = Duration::from_millis(500);

impl<T: Key> Clone for WorkQueue<T> {
    fn clone(&self) -> WorkQueue<T> {
        WorkQueue { hub: Rc::clone(&self.hub) }
    }
}

impl<T: Key> fmt::Debug for WorkQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkQueue")
            .field("queued", &self.hub.backlog.len())
            .field("processing", &self.processing())
            .field("delayed", &self.hub.backlog.delayed())
            .field("shutting_down", &self.is_shutting_down())
            .finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for QueueConfig<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueueConfig")
            .field("name", &self.name)
            .field("metrics", &self.metrics.is_some())
            .field("unfinished_period", &self.unfinished_period)
            .finish_non_exhaustive()
    }
}
