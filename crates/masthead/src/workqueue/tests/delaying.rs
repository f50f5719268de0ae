//! client-go's cases for `DelayingQueue` and `RateLimitingQueue`.

use std::{rc::Rc, time::Duration};

use futures::FutureExt;

use super::{MS, SECOND, take};
use crate::{
    runtime::{Instant, VirtualTime},
    workqueue::{DelayingQueue, QueueConfig, RateLimitingQueue, rate_limiters},
};

fn delaying() -> (VirtualTime, DelayingQueue<&'static str>) {
    let time = VirtualTime::new();
    let queue = DelayingQueue::new(&time.runtime(), QueueConfig::default());
    (time, queue)
}

#[test]
fn dq_01_a_delayed_item_comes_once() {
    let (time, queue) = delaying();
    queue.add_after("foo", 50 * MS);
    assert_eq!(queue.len(), 0);
    time.advance(60 * MS);
    assert_eq!(queue.len(), 1);
    take(&queue).done();
    time.advance(10 * SECOND);
    assert_eq!((queue.len(), queue.delayed()), (0, 0));
    assert_eq!(time.next_timer(), None, "no timer without a reason");
}

#[test]
fn dq_02_a_later_time_changes_nothing() {
    let (time, queue) = delaying();
    queue.add_after("foo", 50 * MS);
    queue.add_after("foo", 70 * MS);
    assert_eq!((queue.len(), queue.delayed()), (0, 1));
    time.advance(60 * MS);
    assert_eq!(queue.len(), 1);
    take(&queue).done();
    time.advance(20 * MS);
    assert_eq!(queue.len(), 0);
}

#[test]
fn dq_03_the_earlier_time_counts() {
    let (time, queue) = delaying();
    queue.add_after("foo", 50 * MS);
    queue.add_after("foo", 30 * MS);
    assert_eq!((queue.len(), queue.delayed()), (0, 1));
    time.advance(40 * MS);
    assert_eq!(queue.len(), 1);
    take(&queue).done();
    time.advance(20 * MS);
    assert_eq!(queue.len(), 0);
}

#[test]
fn dq_04_items_come_by_their_times() {
    let (time, queue) = delaying();
    queue.add_after("foo", SECOND);
    queue.add_after("bar", 50 * MS);
    assert_eq!(queue.len(), 0);
    time.advance(60 * MS);
    let bar = take(&queue);
    assert_eq!(*bar, "bar");
    bar.done();
    queue.add_after("baz", 2 * SECOND);
    time.advance(SECOND);
    let foo = take(&queue);
    assert_eq!(*foo, "foo");
    foo.done();
    assert_eq!(queue.len(), 0);
    time.advance(2 * SECOND);
    let baz = take(&queue);
    assert_eq!(*baz, "baz");
    baz.done();
}

#[test]
fn no_delay_adds_at_once_and_a_worker_is_woken_by_a_timer() {
    let (time, queue) = delaying();
    queue.add_after("foo", Duration::ZERO);
    assert_eq!(queue.len(), 1);
    take(&queue).done();
    queue.add_after("bar", 5 * SECOND);
    let bar = time.run(queue.get()).expect("the queue is open");
    assert_eq!((*bar, time.now()), ("bar", Instant::ORIGIN + 5 * SECOND));
    // Delayed while in processing, and due before it is done.
    queue.add_after("bar", SECOND);
    time.advance(2 * SECOND);
    assert_eq!((queue.len(), queue.delayed()), (0, 0));
    bar.done();
    assert_eq!(queue.len(), 1);
}

#[test]
fn a_delayed_item_that_is_also_added_comes_again_at_its_time() {
    let (time, queue) = delaying();
    queue.add_after("foo", SECOND);
    queue.add("foo");
    take(&queue).done();
    assert_eq!(queue.len(), 0);
    time.advance(SECOND);
    assert_eq!(queue.len(), 1);
}

#[test]
fn the_longest_delay_of_all_is_no_problem() {
    let (time, queue) = delaying();
    queue.add_after("never", Duration::MAX);
    queue.add_after("foo", 1_000_000 * SECOND);
    time.advance(1_000_000 * SECOND);
    assert_eq!((queue.len(), queue.delayed()), (1, 1));
}

#[test]
fn a_queue_that_is_dropped_takes_its_timer_with_it() {
    let (time, queue) = delaying();
    queue.add_after("foo", SECOND);
    let get = queue.get();
    time.settle();
    assert!(time.next_timer().is_some());
    drop(queue);
    assert!(time.next_timer().is_some(), "a worker still waits for it");
    drop(get);
    assert_eq!(time.next_timer(), None);
}

#[test]
fn rl_06_a_limiter_says_how_long() {
    let time = VirtualTime::new();
    let limiter = Rc::new(rate_limiters::ItemExponentialFailure::new(MS, SECOND));
    let queue = RateLimitingQueue::new(&time.runtime(), limiter, QueueConfig::default());
    // Checks the delay to the nanosecond.
    let check = |item: &'static str, delay: Duration| {
        queue.add_rate_limited(item);
        time.advance(delay - Duration::from_nanos(1));
        assert_eq!(queue.len(), 0, "{item} comes before {delay:?}");
        time.advance(Duration::from_nanos(1));
        let taken = take(&queue);
        assert_eq!(*taken, item);
        taken.done();
    };
    check("one", MS);
    check("one", 2 * MS);
    assert_eq!(queue.num_requeues(&"one"), 2);
    check("two", MS);
    check("two", 2 * MS);
    queue.forget(&"one");
    assert_eq!((queue.num_requeues(&"one"), queue.num_requeues(&"two")), (0, 2));
    check("one", MS);
}

#[test]
fn queues_may_share_a_bucket() {
    let time = VirtualTime::new();
    let bucket = Rc::new(rate_limiters::Bucket::new(1.0, 1));
    let [one, two] = [(); 2]
        .map(|()| RateLimitingQueue::<&str>::new(&time.runtime(), Rc::clone(&bucket) as _, QueueConfig::default()));
    one.add_rate_limited("a");
    two.add_rate_limited("a");
    assert_eq!((one.len(), two.len()), (1, 0));
    time.advance(SECOND);
    assert_eq!(two.len(), 1);
}

#[test]
fn after_its_end_a_queue_still_counts_attempts_and_adds_nothing() {
    let time = VirtualTime::new();
    let queue = RateLimitingQueue::with_default_rate_limiter(&time.runtime(), QueueConfig::default());
    queue.shut_down();
    queue.add_rate_limited("foo");
    assert_eq!((queue.num_requeues(&"foo"), queue.delayed()), (1, 0));
    time.advance(SECOND);
    assert!(matches!(queue.get().now_or_never(), Some(None)));
}
