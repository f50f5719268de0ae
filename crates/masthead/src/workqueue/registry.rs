//! Metrics that a page can read.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::{Rc, Weak},
    time::Duration,
};

use super::{Histogram, MetricsProvider, QueueMetrics};

/// Keeps the figures of every queue by name, for as long as the queue lives. Clones are the same registry.
///
/// Queues of the same name have their figures in common.
///
/// ```
/// use std::rc::Rc;
/// use masthead::{runtime::VirtualTime, workqueue::{Queue, QueueConfig, Registry}};
///
/// let (time, registry) = (VirtualTime::new(), Registry::default());
/// let config = QueueConfig { name: "nodes".into(), metrics: Some(Rc::new(registry.clone())), ..Default::default() };
/// let queue = Queue::new(&time.runtime(), config);
/// queue.add("node-1");
/// let figures = registry.figures("nodes").expect("the queue lives");
/// assert_eq!((figures.adds, figures.depth()), (1, 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    queues: Rc<RefCell<BTreeMap<String, Weak<Recorder>>>>,
}

/// What happened in a queue so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// How many items are to be worked on and not taken yet, by priority. What has none is not in here.
    pub depth_by_priority: BTreeMap<i32, i64>,
    /// How often an item became one that is to be worked on.
    pub adds: u64,
    /// How often an item was added with a delay.
    pub retries: u64,
    /// How often a worker dropped an item before it was done.
    pub abandoned: u64,
    /// How long items were in the queue before they were taken.
    pub latency: Histogram,
    /// How long items were worked on.
    pub work_duration: Histogram,
    /// For how long the items that are not done yet have been worked on, together; as of the last half second.
    pub unfinished: Duration,
    /// For how long the longest of them has been.
    pub longest_running: Duration,
}

impl Figures {
    /// How many items are to be worked on and not taken yet.
    pub fn depth(&self) -> i64 {
        self.depth_by_priority.values().sum()
    }
}

impl Registry {
    /// The figures of the queue of this name, as long as there is one.
    pub fn figures(&self, name: &str) -> Option<Figures> {
        let recorder = self.queues.borrow().get(name)?.upgrade()?;
        Some(recorder.figures.borrow().clone())
    }

    /// The figures of every queue, by name.
    pub fn all(&self) -> BTreeMap<String, Figures> {
        let queues = self.queues.borrow();
        let living = queues.iter().filter_map(|(name, recorder)| Some((name.clone(), recorder.upgrade()?)));
        living.map(|(name, recorder)| (name, recorder.figures.borrow().clone())).collect()
    }
}

impl MetricsProvider for Registry {
    fn metrics(&self, name: &str) -> Rc<dyn QueueMetrics> {
        let mut queues = self.queues.borrow_mut();
        queues.retain(|_, recorder| recorder.strong_count() > 0);
        if let Some(recorder) = queues.get(name).and_then(Weak::upgrade) {
            return recorder;
        }
        let recorder = Rc::new(Recorder::default());
        queues.insert(name.to_owned(), Rc::downgrade(&recorder));
        recorder
    }
}

#[derive(Debug, Default)]
struct Recorder {
    figures: RefCell<Figures>,
}

impl QueueMetrics for Recorder {
    fn added(&self) {
        self.figures.borrow_mut().adds += 1;
    }

    fn depth(&self, change: i64, priority: i32) {
        let depths = &mut self.figures.borrow_mut().depth_by_priority;
        let depth = depths.entry(priority).or_default();
        *depth += change;
        if *depth == 0 {
            depths.remove(&priority);
        }
    }

    fn latency(&self, waited: Duration) {
        self.figures.borrow_mut().latency.observe(waited);
    }

    fn work_duration(&self, worked: Duration) {
        self.figures.borrow_mut().work_duration.observe(worked);
    }

    fn unfinished(&self, total: Duration, longest: Duration) {
        let mut figures = self.figures.borrow_mut();
        figures.unfinished = total;
        figures.longest_running = longest;
    }

    fn retried(&self) {
        self.figures.borrow_mut().retries += 1;
    }

    fn abandoned(&self) {
        self.figures.borrow_mut().abandoned += 1;
    }
}
