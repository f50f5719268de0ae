//! Metrics: client-go's values, and what `MetricsRegistry` keeps of them.

use std::time::Duration;

use super::{MS, SECOND, named, take};
use crate::{
    runtime::VirtualTime,
    workqueue::{DelayingQueue, Histogram, MetricsRegistry, QueueConfig, RateLimitingQueue, WorkQueue},
};

const MICRO: Duration = Duration::from_micros(1);

#[test]
fn wq_10_every_metric_has_client_gos_value() {
    let (time, registry) = (VirtualTime::new(), MetricsRegistry::default());
    let config = QueueConfig { unfinished_period: MS, ..named(&registry) };
    let queue = WorkQueue::new(&time.runtime(), config);
    let stats = || registry.stats("test").expect("the queue lives");

    queue.add("foo");
    assert_eq!((stats().adds, stats().depth()), (1, 1));
    time.advance(50 * MICRO);
    let item = take(&queue);
    assert_eq!(stats().latency.last.as_secs_f64(), 5e-05);
    assert_eq!((stats().latency.count, stats().depth()), (1, 0));

    (0..5).for_each(|_| queue.add("foo"));
    assert_eq!((stats().adds, stats().depth()), (2, 1));
    time.advance(25 * MICRO);
    item.done();
    assert_eq!(stats().work_duration.last.as_secs_f64(), 2.5e-05);
    assert_eq!((stats().work_duration.count, stats().depth()), (1, 1));

    let item = take(&queue);
    assert_eq!(stats().latency.last.as_secs_f64(), 2.5e-05);
    assert_eq!(stats().latency.count, 2);
    time.advance(MS);
    let seconds = stats().unfinished.as_secs_f64();
    assert!((0.0009..=0.001).contains(&seconds), "{seconds}");
    assert_eq!(stats().unfinished, stats().longest_running);
    item.done();
    assert_eq!(stats().work_duration.last, MS);
    assert_eq!((stats().work_duration.count, stats().work_duration.max), (2, MS));
    time.advance(MS);
    assert_eq!((stats().unfinished, stats().longest_running), (Duration::ZERO, Duration::ZERO));
    assert_eq!(time.next_timer(), None, "nothing is unfinished, so no timer runs");
}

#[test]
fn wq_10_unfinished_work_is_told_every_half_second_in_all_and_the_longest() {
    let (time, registry) = (VirtualTime::new(), MetricsRegistry::default());
    let queue = WorkQueue::new(&time.runtime(), named(&registry));
    let stats = || registry.stats("test").expect("the queue lives");
    queue.add("foo");
    queue.add("bar");
    let _foo = take(&queue);
    time.advance(200 * MS);
    let _bar = take(&queue);
    time.advance(299 * MS);
    assert_eq!(stats().unfinished, Duration::ZERO);
    time.advance(MS);
    assert_eq!((stats().unfinished, stats().longest_running), (800 * MS, 500 * MS));
    queue.shut_down();
    time.advance(10 * SECOND);
    assert_eq!(stats().unfinished, 800 * MS, "as in client-go, updates end with the shutdown");
    assert_eq!(time.next_timer(), None);
}

#[test]
fn retries_and_abandoned_items_are_counted() {
    let (time, registry) = (VirtualTime::new(), MetricsRegistry::default());
    let queue = RateLimitingQueue::with_default_rate_limiter(&time.runtime(), named(&registry));
    let stats = || registry.stats("test").expect("the queue lives");
    queue.add_rate_limited("foo");
    queue.add_after("bar", Duration::ZERO);
    queue.add_after("foo", SECOND);
    assert_eq!((stats().retries, stats().adds, stats().depth()), (3, 1, 1), "every delayed add is a retry");
    time.advance(5 * MS);
    assert_eq!((stats().adds, stats().depth()), (2, 2), "an item counts when its delay has passed");
    let bar = take(&queue);
    time.advance(MS);
    drop(bar);
    assert_eq!((stats().abandoned, stats().adds, stats().depth()), (1, 2, 2));
    assert_eq!((stats().work_duration.count, stats().work_duration.last), (1, MS));
    // An item that was added again counts once in the depth.
    let foo = take(&queue);
    queue.add("foo");
    drop(foo);
    assert_eq!((stats().abandoned, stats().adds, stats().depth()), (2, 3, 2));
    queue.shut_down();
    queue.add_after("baz", Duration::ZERO);
    assert_eq!(stats().retries, 3);
}

#[test]
fn a_queue_without_a_name_has_no_metrics() {
    let (time, registry) = (VirtualTime::new(), MetricsRegistry::default());
    let config = QueueConfig { name: String::new(), ..named(&registry) };
    let queue = WorkQueue::new(&time.runtime(), config);
    queue.add("foo");
    let _item = take(&queue);
    assert!(registry.all().is_empty());
    assert_eq!(time.next_timer(), None);
}

#[test]
fn figures_live_as_long_as_their_queue_and_are_shared_by_name() {
    let (time, registry) = (VirtualTime::new(), MetricsRegistry::default());
    let one = WorkQueue::new(&time.runtime(), named(&registry));
    let other = DelayingQueue::new(&time.runtime(), QueueConfig { name: "other".into(), ..named(&registry) });
    let same = WorkQueue::new(&time.runtime(), named(&registry));
    one.add("foo");
    same.add("foo");
    other.add("foo");
    let all = registry.all();
    assert_eq!(all.keys().collect::<Vec<_>>(), ["other", "test"]);
    assert_eq!(all["test"].adds, 2);
    drop((one, same));
    assert_eq!(registry.all().len(), 1);
    assert_eq!(registry.stats("test"), None);
}

#[test]
fn a_histogram_sorts_by_powers_of_ten() {
    let (time, registry) = (VirtualTime::new(), MetricsRegistry::default());
    let queue = WorkQueue::new(&time.runtime(), named(&registry));
    let waits = [0, 10, 11, 100, 1_000_000_000, 1_000_000_000_001];
    for nanos in waits {
        queue.add("foo");
        time.advance(Duration::from_nanos(nanos));
        take(&queue).done();
    }
    let latency = registry.stats("test").expect("the queue lives").latency;
    assert_eq!(latency.buckets, [2, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
    assert_eq!((latency.count, latency.sum), (6, Duration::from_nanos(waits.iter().sum())));
    assert_eq!(latency.mean(), latency.sum / 6);
    assert_eq!(Histogram::bound(11), 1000 * SECOND);
    assert_eq!(Histogram::default().mean(), Duration::ZERO);
}
