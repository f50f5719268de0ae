//! Who is told what happens in a queue.

use std::{rc::Rc, time::Duration};

/// Makes the metrics of each queue that has a name.
///
/// [`Registry`](super::Registry) is one that keeps the figures where a page can read them.
pub trait MetricsProvider {
    /// Where the queue of this name tells what happens.
    fn metrics(&self, name: &str) -> Rc<dyn QueueMetrics>;
}

/// Is told what happens in one queue. What a method does not override is not kept.
///
/// Everything is told after the queue has let go of itself, so that any of these may use the queue.
pub trait QueueMetrics {
    /// An item became one that is to be worked on: `workqueue_adds_total`. Adding it again before it is taken does not count.
    fn added(&self) {}

    /// So many more (or fewer) items of this priority are to be worked on: `workqueue_depth`. In a queue without priorities
    /// all have 0.
    fn depth(&self, change: i64, priority: i32) {
        let _ = (change, priority);
    }

    /// How long an item was in the queue before it was taken: `workqueue_queue_duration_seconds`.
    fn latency(&self, waited: Duration) {
        let _ = waited;
    }

    /// How long an item was worked on: `workqueue_work_duration_seconds`.
    fn work_duration(&self, worked: Duration) {
        let _ = worked;
    }

    /// For how long items have been worked on that are not done yet, all of them together
    /// (`workqueue_unfinished_work_seconds`) and the longest (`workqueue_longest_running_processor_seconds`).
    ///
    /// Told every half second while there are any, and once more, as nothing, when there are none.
    fn unfinished(&self, total: Duration, longest: Duration) {
        let _ = (total, longest);
    }

    /// An item was added with a delay: `workqueue_retries_total`.
    fn retried(&self) {}

    /// A worker dropped an item without saying that it was done.
    fn abandoned(&self) {}
}
