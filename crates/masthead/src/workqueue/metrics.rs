//! Metrics of queues: client-go's `workqueue_*` values, for a provider of your own or for [`MetricsRegistry`].
//!
//! A queue never calls the metrics while it is in the middle of a change. It collects the changes in a
//! [`MetricsBuffer`] and reports them when nothing is borrowed, so the metrics may use the queue.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::{Rc, Weak},
    time::Duration,
};

use rustc_hash::FxHashMap;

use super::Key;
use crate::runtime::Instant;

/// Creates the metrics of each queue that has a name.
///
/// [`MetricsRegistry`] is a provider that keeps the values in memory.
///
/// ```
/// use std::{cell::Cell, rc::Rc};
/// use masthead::{runtime::VirtualTime, workqueue::{MetricsProvider, QueueConfig, QueueMetrics, WorkQueue}};
///
/// /// Counts the adds of all queues.
/// #[derive(Clone, Default)]
/// struct Adds(Rc<Cell<u64>>);
///
/// impl MetricsProvider for Adds {
///     fn metrics(&self, _name: &str) -> Rc<dyn QueueMetrics> {
///         Rc::new(self.clone())
///     }
/// }
///
/// impl QueueMetrics for Adds {
///     fn added(&self) {
///         self.0.set(self.0.get() + 1);
///     }
/// }
///
/// let (time, adds) = (VirtualTime::new(), Adds::default());
/// let config = QueueConfig { name: "pods".into(), metrics: Some(Rc::new(adds.clone())), ..Default::default() };
/// let queue = WorkQueue::new(&time.runtime(), config);
/// queue.add("default/web-0");
/// queue.add("default/web-0");
/// assert_eq!(adds.0.get(), 1);
/// ```
pub trait MetricsProvider {
    /// Returns the metrics for the queue called `name`.
    fn metrics(&self, name: &str) -> Rc<dyn QueueMetrics>;
}

/// Receives the metrics of one queue. The default of every method ignores the value.
///
/// The queue holds no borrow of its state during these calls, so a method may use the queue.
pub trait QueueMetrics {
    /// An item became dirty: `workqueue_adds_total`. Adding it again before a worker gets it does not count.
    fn added(&self) {}

    /// The number of dirty items of this priority changed by `change`: `workqueue_depth`. The priority is 0 in a queue
    /// without priorities.
    fn depth(&self, change: i64, priority: i32) {
        let _ = (change, priority);
    }

    /// An item was queued for this long before a worker got it: `workqueue_queue_duration_seconds`.
    fn latency(&self, waited: Duration) {
        let _ = waited;
    }

    /// A worker processed an item for this long: `workqueue_work_duration_seconds`.
    fn work_duration(&self, worked: Duration) {
        let _ = worked;
    }

    /// The items in processing have been there for `total` together (`workqueue_unfinished_work_seconds`), and the
    /// oldest of them for `longest` (`workqueue_longest_running_processor_seconds`).
    ///
    /// Called every half second while a worker has an item, and once more, with zero, when none has.
    fn unfinished(&self, total: Duration, longest: Duration) {
        let _ = (total, longest);
    }

    /// An item was added with a delay: `workqueue_retries_total`.
    fn retried(&self) {}

    /// A worker dropped an item without calling `done`. client-go has no such metric.
    fn abandoned(&self) {}
}

/// Keeps the metrics of every queue in memory, by name, for as long as the queue lives. Clones share the same registry.
///
/// Queues with the same name share their values.
///
/// ```
/// use std::rc::Rc;
/// use masthead::{runtime::VirtualTime, workqueue::{MetricsRegistry, QueueConfig, WorkQueue}};
///
/// let (time, registry) = (VirtualTime::new(), MetricsRegistry::default());
/// let config = QueueConfig { name: "nodes".into(), metrics: Some(Rc::new(registry.clone())), ..Default::default() };
/// let queue = WorkQueue::new(&time.runtime(), config);
/// queue.add("node-1");
/// let stats = registry.stats("nodes").expect("the queue lives");
/// assert_eq!((stats.adds, stats.depth()), (1, 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MetricsRegistry {
    queues: Rc<RefCell<BTreeMap<String, Weak<StatsRecorder>>>>,
}

/// The metrics of one queue so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueStats {
    /// How many items are dirty, by priority. A priority without such items has no entry.
    pub depth_by_priority: BTreeMap<i32, i64>,
    /// How many times an item became dirty.
    pub adds: u64,
    /// How many times an item was added with a delay.
    pub retries: u64,
    /// How many times a worker dropped an item without calling `done`.
    pub abandoned: u64,
    /// How long items were queued before a worker got them.
    pub latency: Histogram,
    /// How long workers processed items.
    pub work_duration: Histogram,
    /// How long the items in processing have been there, together, as of the last update (every half second).
    pub unfinished: Duration,
    /// How long the oldest item in processing has been there, as of the last update.
    pub longest_running: Duration,
}

impl QueueStats {
    /// How many items are dirty, of all priorities together.
    pub fn depth(&self) -> i64 {
        self.depth_by_priority.values().sum()
    }
}

impl MetricsRegistry {
    /// Returns the metrics of the queue called `name`, or `None` if no such queue lives.
    pub fn stats(&self, name: &str) -> Option<QueueStats> {
        let recorder = self.queues.borrow().get(name)?.upgrade()?;
        Some(recorder.stats.borrow().clone())
    }

    /// Returns the metrics of every living queue, by name.
    pub fn all(&self) -> BTreeMap<String, QueueStats> {
        let queues = self.queues.borrow();
        let living = queues.iter().filter_map(|(name, recorder)| Some((name.clone(), recorder.upgrade()?)));
        living.map(|(name, recorder)| (name, recorder.stats.borrow().clone())).collect()
    }
}

impl MetricsProvider for MetricsRegistry {
    fn metrics(&self, name: &str) -> Rc<dyn QueueMetrics> {
        let mut queues = self.queues.borrow_mut();
        queues.retain(|_, recorder| recorder.strong_count() > 0);
        if let Some(recorder) = queues.get(name).and_then(Weak::upgrade) {
            return recorder;
        }
        let recorder = Rc::new(StatsRecorder::default());
        queues.insert(name.to_owned(), Rc::downgrade(&recorder));
        recorder
    }
}

/// Durations, counted in buckets by powers of ten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// How many durations were observed.
    pub count: u64,
    /// Their sum.
    pub sum: Duration,
    /// The longest.
    pub max: Duration,
    /// The latest.
    pub last: Duration,
    /// Bucket `n` counts the durations up to [`bound`](Self::bound)`(n)` that are too long for the bucket before it.
    /// The last bucket counts those that are longer than every bound.
    pub buckets: [u64; Histogram::BOUNDS + 1],
}

impl Histogram {
    /// The number of bounds.
    pub const BOUNDS: usize = 12;

    /// Returns the upper bound of a bucket. The bounds are controller-runtime's: 10 ns, 100 ns and so on up to 1000 s.
    pub fn bound(bucket: usize) -> Duration {
        let power = u32::try_from(bucket.min(Histogram::BOUNDS - 1)).unwrap_or_default();
        Duration::from_nanos(10 * 10u64.pow(power))
    }

    /// Returns the average, or zero if nothing was observed.
    pub fn mean(&self) -> Duration {
        u32::try_from(self.count).ok().and_then(|count| self.sum.checked_div(count)).unwrap_or_default()
    }

    fn observe(&mut self, duration: Duration) {
        self.count += 1;
        self.sum = self.sum.saturating_add(duration);
        self.max = self.max.max(duration);
        self.last = duration;
        let bucket = (0..Histogram::BOUNDS).find(|bucket| duration <= Histogram::bound(*bucket));
        self.buckets[bucket.unwrap_or(Histogram::BOUNDS)] += 1;
    }
}

/// Writes the metrics of one name into a [`QueueStats`].
#[derive(Debug, Default)]
struct StatsRecorder {
    stats: RefCell<QueueStats>,
}

impl QueueMetrics for StatsRecorder {
    fn added(&self) {
        self.stats.borrow_mut().adds += 1;
    }

    fn depth(&self, change: i64, priority: i32) {
        let depths = &mut self.stats.borrow_mut().depth_by_priority;
        let depth = depths.entry(priority).or_default();
        *depth += change;
        if *depth == 0 {
            depths.remove(&priority);
        }
    }

    fn latency(&self, waited: Duration) {
        self.stats.borrow_mut().latency.observe(waited);
    }

    fn work_duration(&self, worked: Duration) {
        self.stats.borrow_mut().work_duration.observe(worked);
    }

    fn unfinished(&self, total: Duration, longest: Duration) {
        let mut stats = self.stats.borrow_mut();
        stats.unfinished = total;
        stats.longest_running = longest;
    }

    fn retried(&self) {
        self.stats.borrow_mut().retries += 1;
    }

    fn abandoned(&self) {
        self.stats.borrow_mut().abandoned += 1;
    }
}

/// The changes of one call on a queue, to be reported when the call holds no borrow. Stays empty in a queue without
/// metrics.
#[derive(Debug)]
pub(super) struct MetricsBuffer {
    enabled: bool,
    changes: Vec<Change>,
}

/// One change that the metrics are interested in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    Added {
        priority: i32,
    },
    PriorityRaised {
        from: i32,
        to: i32,
    },
    Got {
        priority: i32,
        waited: Duration,
    },
    Processed {
        worked: Duration,
    },
    /// `requeued` has the priority of an item that only went back because it was abandoned, not because it was added
    /// again.
    Abandoned {
        requeued: Option<i32>,
    },
    Retried,
}

impl MetricsBuffer {
    pub(super) fn new(enabled: bool) -> MetricsBuffer {
        MetricsBuffer { enabled, changes: Vec::new() }
    }

    pub(super) fn push(&mut self, change: Change) {
        if self.enabled {
            self.changes.push(change);
        }
    }

    pub(super) fn report(self, metrics: &dyn QueueMetrics) {
        for change in self.changes {
            match change {
                Change::Added { priority } => {
                    metrics.added();
                    metrics.depth(1, priority);
                }
                Change::PriorityRaised { from, to } => {
                    metrics.depth(-1, from);
                    metrics.depth(1, to);
                }
                Change::Got { priority, waited } => {
                    metrics.depth(-1, priority);
                    metrics.latency(waited);
                }
                Change::Processed { worked } => metrics.work_duration(worked),
                Change::Abandoned { requeued } => {
                    metrics.abandoned();
                    if let Some(priority) = requeued {
                        metrics.depth(1, priority);
                    }
                }
                Change::Retried => metrics.retried(),
            }
        }
    }
}

/// When items were added and when workers got them, as client-go's `defaultQueueMetrics` keeps it.
#[derive(Debug)]
pub(super) struct ItemTimes<T> {
    add_times: FxHashMap<T, Instant>,
    processing_start_times: FxHashMap<T, Instant>,
}

impl<T: Key> ItemTimes<T> {
    pub(super) fn add(&mut self, item: &T, now: Instant) {
        self.add_times.insert(item.clone(), now);
    }

    /// Starts the processing time of `item`. Returns how long it was queued.
    pub(super) fn get(&mut self, item: &T, now: Instant) -> Option<Duration> {
        let (item, added) = self.add_times.remove_entry(item)?;
        self.processing_start_times.insert(item, now);
        Some(now.since(added))
    }

    /// Ends the processing time of `item` and returns it.
    pub(super) fn done(&mut self, item: &T, now: Instant) -> Option<Duration> {
        self.processing_start_times.remove(item).map(|started| now.since(started))
    }

    pub(super) fn unfinished(&self, now: Instant) -> (Duration, Duration) {
        total_and_longest(self.processing_start_times.values().map(|started| now.since(*started)))
    }
}

impl<T> Default for ItemTimes<T> {
    fn default() -> ItemTimes<T> {
        ItemTimes { add_times: FxHashMap::default(), processing_start_times: FxHashMap::default() }
    }
}

/// Returns the arguments of [`QueueMetrics::unfinished`] for these processing times.
pub(super) fn total_and_longest(times: impl Iterator<Item = Duration>) -> (Duration, Duration) {
    times.fold(Default::default(), |(total, longest), time| (total.saturating_add(time), longest.max(time)))
}

/// Returns the metrics of the queue called `name`. A queue without a name has none.
pub(super) fn metrics_for(name: &str, provider: Option<&dyn MetricsProvider>) -> Option<Rc<dyn QueueMetrics>> {
    provider.filter(|_| !name.is_empty()).map(|provider| provider.metrics(name))
}

/// How often queues report unfinished work, as client-go's do.
pub(super) const UNFINISHED_WORK_UPDATE_PERIOD: Duration = Duration::from_millis(500);
