//! `shut_down_with_drain`: what it waits for, and when it ends.

use std::time::Duration;

use futures::FutureExt;

use super::{MS, SECOND, queue, take};
use crate::workqueue::{DelayingQueue, PriorityQueue, QueueConfig};

const LONG: Duration = Duration::from_secs(3600);

#[test]
fn wq_06_a_drain_waits_for_everything_that_is_worked_on() {
    let (time, queue) = queue();
    queue.add("foo");
    queue.add("bar");
    let (foo, bar) = (take(&queue), take(&queue));
    let mut drain = Box::pin(queue.shut_down_with_drain(LONG));
    assert_eq!(drain.as_mut().now_or_never(), None);
    assert!(queue.is_shutting_down());
    foo.done();
    time.settle();
    assert_eq!(drain.as_mut().now_or_never(), None);
    bar.done();
    assert_eq!(time.run(drain), 0);
    assert_eq!(time.now(), crate::runtime::Instant::ORIGIN, "the drain ends with the last item");
}

#[test]
fn wq_08_shut_down_ends_a_drain() {
    let (time, queue) = queue();
    queue.add("foo");
    queue.add("bar");
    let item = take(&queue);
    let waiting = queue.clone();
    let drain = time.runtime().spawn(async move { assert_eq!(waiting.shut_down_with_drain(LONG).await, 2) });
    time.settle();
    assert!(!drain.is_finished());
    queue.shut_down();
    time.settle();
    assert!(drain.is_finished());
    item.done();
}

#[test]
fn wq_09_a_drain_waits_for_an_item_that_comes_again() {
    let (time, queue) = queue();
    queue.add("foo");
    let item = take(&queue);
    queue.add("foo");
    let mut drain = Box::pin(queue.shut_down_with_drain(LONG));
    assert_eq!(drain.as_mut().now_or_never(), None);
    item.done();
    assert_eq!(drain.as_mut().now_or_never(), None, "it was added before the shutdown and is queued again");
    take(&queue).done();
    assert_eq!(time.run(drain), 0);
    assert!(queue.try_get().is_none());
}

#[test]
fn a_drain_waits_for_what_is_only_queued() {
    let (time, queue) = queue();
    queue.add("foo");
    let mut drain = Box::pin(queue.shut_down_with_drain(LONG));
    assert_eq!(drain.as_mut().now_or_never(), None);
    take(&queue).done();
    assert_eq!(time.run(drain), 0);
}

#[test]
fn a_drain_ends_at_its_limit_and_says_what_is_left() {
    let (time, queue) = queue();
    queue.add("foo");
    queue.add("bar");
    let item = take(&queue);
    assert_eq!(time.run(queue.shut_down_with_drain(5 * SECOND)), 2);
    assert_eq!(time.now(), crate::runtime::Instant::ORIGIN + 5 * SECOND);
    item.done();
    // Several callers may drain at the same time.
    let two = futures::future::join(queue.shut_down_with_drain(LONG), queue.shut_down_with_drain(LONG));
    let mut two = Box::pin(two);
    assert_eq!(two.as_mut().now_or_never(), None);
    take(&queue).done();
    assert_eq!(time.run(two), (0, 0));
    assert_eq!(
        time.run(queue.shut_down_with_drain(Duration::ZERO)),
        0,
        "nothing is left, however little time there is"
    );
}

#[test]
fn a_drain_waits_for_an_item_that_its_worker_dropped() {
    let (time, queue) = queue();
    queue.add("foo");
    let item = take(&queue);
    let mut drain = Box::pin(queue.shut_down_with_drain(LONG));
    assert_eq!(drain.as_mut().now_or_never(), None);
    drop(item);
    assert_eq!(drain.as_mut().now_or_never(), None, "the abandoned item is not done");
    take(&queue).done();
    assert_eq!(time.run(drain), 0);
}

#[test]
fn what_is_delayed_is_not_waited_for_and_never_comes() {
    let time = crate::runtime::VirtualTime::new();
    let queue = DelayingQueue::new(&time.runtime(), QueueConfig::default());
    queue.add_after("foo", 50 * MS);
    assert_eq!(time.run(queue.shut_down_with_drain(LONG)), 0);
    queue.add_after("bar", MS);
    queue.add_after("baz", Duration::ZERO);
    assert_eq!((queue.delayed(), queue.len()), (0, 0));
    assert_eq!(time.next_timer(), None, "nothing is left to wake up for");
    time.advance(SECOND);
    assert!(matches!(queue.get().now_or_never(), Some(None)));
}

#[test]
fn a_drain_of_priorities_waits_for_what_is_worked_on_alone() {
    let time = crate::runtime::VirtualTime::new();
    let queue = PriorityQueue::new(&time.runtime(), Default::default());
    queue.add("foo");
    queue.add("bar");
    let item = queue.try_get().expect("it is ready");
    let mut drain = Box::pin(queue.shut_down_with_drain(LONG));
    assert_eq!(drain.as_mut().now_or_never(), None);
    assert!(matches!(queue.get().now_or_never(), Some(None)), "it hands out nothing more");
    item.done();
    assert_eq!(time.run(drain), 0);
    assert_eq!(queue.len(), 1);
}
