//! The queues by client-go's cases, by the cases of one thread, and against lists.

mod delaying;
mod drains;
mod frozen_page;
mod metrics;
mod model;
mod priority;
mod priority_model;
mod queue;
mod rate_limiters;
mod reentrant;
mod workers;

use std::{rc::Rc, time::Duration};

use super::{Item, Key, MetricsRegistry, QueueConfig, WorkQueue};
use crate::runtime::VirtualTime;

const MS: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

/// A world and a queue in it.
fn queue() -> (VirtualTime, WorkQueue<&'static str>) {
    let time = VirtualTime::new();
    let queue = WorkQueue::new(&time.runtime(), QueueConfig::default());
    (time, queue)
}

/// A queue that is called `test` and tells the registry.
fn named<T: Key>(registry: &MetricsRegistry) -> QueueConfig<T> {
    QueueConfig { name: "test".into(), metrics: Some(Rc::new(registry.clone())), ..QueueConfig::default() }
}

/// Takes the next item, which is to be there.
fn take<T: Key>(queue: &WorkQueue<T>) -> Item<T> {
    queue.try_get().expect("an item is queued")
}
