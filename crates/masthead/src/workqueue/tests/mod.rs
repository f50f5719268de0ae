//! Tests of the queues: client-go's and controller-runtime's cases, re-entrance and cancellation, and random runs
//! against a model.

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

/// A queue on virtual time.
fn queue() -> (VirtualTime, WorkQueue<&'static str>) {
    let time = VirtualTime::new();
    let queue = WorkQueue::new(&time.runtime(), QueueConfig::default());
    (time, queue)
}

/// The config of a queue called `test` with metrics in `registry`.
fn named<T: Key>(registry: &MetricsRegistry) -> QueueConfig<T> {
    QueueConfig { name: "test".into(), metrics: Some(Rc::new(registry.clone())), ..QueueConfig::default() }
}

/// Gets the next item. Panics if the queue is empty.
fn take<T: Key>(queue: &WorkQueue<T>) -> Item<T> {
    queue.try_get().expect("an item is queued")
}
