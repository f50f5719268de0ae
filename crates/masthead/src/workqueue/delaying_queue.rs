//! A queue to which items can be added later.

use std::{fmt, ops::Deref, time::Duration};

use super::{Key, QueueConfig, WorkQueue};
use crate::runtime::Runtime;

/// A [`WorkQueue`] that also adds items after a while, so that what failed is not tried again at once.
///
/// Clones are the same queue. Everything that a [`WorkQueue`] does it does too.
///
/// ```
/// use std::time::Duration;
/// use masthead::{runtime::VirtualTime, workqueue::DelayingQueue};
///
/// let time = VirtualTime::new();
/// let queue = DelayingQueue::new(&time.runtime(), Default::default());
/// queue.add_after("a", Duration::from_secs(60));
/// assert_eq!((queue.len(), queue.delayed()), (0, 1));
/// time.advance(Duration::from_secs(60));
/// assert_eq!((queue.len(), queue.delayed()), (1, 0));
/// ```
pub struct DelayingQueue<T: Key> {
    queue: WorkQueue<T>,
}

impl<T: Key> DelayingQueue<T> {
    /// An empty queue.
    pub fn new(runtime: &Runtime, config: QueueConfig<T>) -> DelayingQueue<T> {
        DelayingQueue { queue: WorkQueue::new(runtime, config) }
    }

    /// Adds `item` once `delay` has passed; at once if that is no time. Does nothing once the queue is shut down.
    ///
    /// Of an item that is delayed twice the earlier time counts, and it comes once. One that is delayed may be added, taken
    /// and done all the same: it comes again when its time has come.
    pub fn add_after(&self, item: T, delay: Duration) {
        if self.is_shutting_down() {
            return;
        }
        let hub = &self.queue.hub;
        let at = (!delay.is_zero()).then(|| hub.runtime.now() + delay);
        hub.change(|backlog, now, changes| backlog.add_at(item, at, now, changes));
    }

    /// How many items are to be added later.
    pub fn delayed(&self) -> usize {
        self.queue.hub.change(|backlog, _, _| backlog.delayed())
    }
}

impl<T: Key> Deref for DelayingQueue<T> {
    type Target = WorkQueue<T>;

    fn deref(&self) -> &WorkQueue<T> {
        &self.queue
    }
}

impl<T: Key> Clone for DelayingQueue<T> {
    fn clone(&self) -> DelayingQueue<T> {
        DelayingQueue { queue: self.queue.clone() }
    }
}

impl<T: Key> fmt::Debug for DelayingQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DelayingQueue").field("queue", &self.queue).finish()
    }
}
