//! User code that a queue calls may use the queue. On one thread, such re-entrance is the only race.

use std::{
    cell::{Cell, OnceCell},
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use super::{MS, SECOND, take};
use crate::{
    runtime::{Instant, VirtualTime},
    workqueue::{
        AddOptions, Fifo, Get, MetricsProvider, Order, PriorityQueue, PriorityQueueConfig, QueueConfig, QueueMetrics,
        RateLimitingQueue, WorkQueue, rate_limiters::RateLimiter,
    },
};

/// Uses the queue that calls it, in many ways, a limited number of times.
struct Reentrant<Q> {
    queue: OnceCell<Q>,
    left: Cell<u32>,
}

impl<Q> Reentrant<Q> {
    fn new(times: u32) -> Rc<Reentrant<Q>> {
        Rc::new(Reentrant { queue: OnceCell::new(), left: Cell::new(times) })
    }

    fn reenter(&self, with: impl FnOnce(&Q, u32)) {
        let Some(left) = self.left.get().checked_sub(1) else { return };
        self.left.set(left);
        if let Some(queue) = self.queue.get() {
            with(queue, left);
        }
    }
}

fn use_queue(queue: &RateLimitingQueue<u32>, number: u32) {
    queue.add(number);
    queue.add_after(number, SECOND);
    queue.add_rate_limited(number + 1);
    queue.forget(&number);
    let _ = (queue.len(), queue.delayed(), queue.num_requeues(&number), format!("{queue:?}"));
    if let Some(item) = queue.try_get() {
        item.done();
    }
}

struct ReentrantLimiter(Rc<Reentrant<RateLimitingQueue<u32>>>);

impl RateLimiter<u32> for ReentrantLimiter {
    fn when(&self, _item: &u32, _now: Instant) -> Duration {
        self.0.reenter(use_queue);
        MS
    }

    fn forget(&self, _item: &u32) {
        self.0.reenter(use_queue);
    }

    fn num_requeues(&self, _item: &u32) -> u32 {
        self.0.reenter(use_queue);
        0
    }
}

struct ReentrantOrder(Fifo<u32>, Rc<Reentrant<RateLimitingQueue<u32>>>);

impl Order<u32> for ReentrantOrder {
    fn push(&self, item: u32) {
        self.0.push(item);
        self.1.reenter(use_queue);
    }

    fn pop(&self) -> Option<u32> {
        self.1.reenter(use_queue);
        self.0.pop()
    }

    fn len(&self) -> usize {
        self.1.reenter(use_queue);
        self.0.len()
    }

    fn touch(&self, _item: &u32) {
        self.1.reenter(use_queue);
    }
}

struct ReentrantMetrics(Rc<dyn Fn()>);

impl MetricsProvider for ReentrantMetrics {
    fn metrics(&self, _name: &str) -> Rc<dyn QueueMetrics> {
        Rc::new(ReentrantMetrics(Rc::clone(&self.0)))
    }
}

impl QueueMetrics for ReentrantMetrics {
    fn added(&self) {
        (self.0)();
    }

    fn depth(&self, _change: i64, _priority: i32) {
        (self.0)();
    }

    fn latency(&self, _waited: Duration) {
        (self.0)();
    }

    fn work_duration(&self, _worked: Duration) {
        (self.0)();
    }

    fn unfinished(&self, _total: Duration, _longest: Duration) {
        (self.0)();
    }

    fn retried(&self) {
        (self.0)();
    }

    fn abandoned(&self) {
        (self.0)();
    }
}

#[test]
fn a_limiter_an_order_and_metrics_may_use_the_queue_that_asks_them() {
    let time = VirtualTime::new();
    let reentrant = Reentrant::new(500);
    let from_metrics = Rc::clone(&reentrant);
    let config = QueueConfig {
        name: "test".into(),
        metrics: Some(Rc::new(ReentrantMetrics(Rc::new(move || from_metrics.reenter(use_queue))))),
        order: Box::new(ReentrantOrder(Fifo::default(), Rc::clone(&reentrant))),
        ..QueueConfig::default()
    };
    let queue = RateLimitingQueue::new(&time.runtime(), Rc::new(ReentrantLimiter(Rc::clone(&reentrant))), config);
    reentrant.queue.set(queue.clone()).ok();
    let worker = time.runtime().spawn({
        let queue = queue.clone();
        async move {
            while let Some(item) = queue.get().await {
                drop(item);
                if let Some(item) = queue.try_get() {
                    item.done();
                }
            }
        }
    });
    for number in 0..100 {
        queue.add(number);
        queue.add(number);
        queue.add_rate_limited(number);
        time.advance(MS);
    }
    assert_eq!(reentrant.left.get(), 0, "it was called often enough");
    drop(worker);
    time.advance(2 * SECOND);
    // Nothing is stuck: every item can be taken out.
    while let Some(item) = queue.try_get() {
        item.done();
    }
    assert_eq!((queue.len(), queue.processing(), queue.delayed()), (0, 0, 0));
    queue.shut_down();
}

#[test]
fn metrics_and_limiters_of_a_priority_queue_may_use_it_too() {
    struct Limiter(Rc<Reentrant<PriorityQueue<u32>>>);
    fn use_queue(queue: &PriorityQueue<u32>, number: u32) {
        queue.add_with(AddOptions { priority: number as i32 % 7, ..AddOptions::default() }, number);
        queue.add_after(number, SECOND);
        queue.add_rate_limited(number + 1);
        let _ = (queue.len(), queue.delayed(), format!("{queue:?}"));
        if let Some(item) = queue.try_get() {
            drop(item);
        }
    }
    impl RateLimiter<u32> for Limiter {
        fn when(&self, _item: &u32, _now: Instant) -> Duration {
            self.0.reenter(use_queue);
            MS
        }

        fn forget(&self, _item: &u32) {
            self.0.reenter(use_queue);
        }

        fn num_requeues(&self, _item: &u32) -> u32 {
            0
        }
    }
    let time = VirtualTime::new();
    let reentrant = Reentrant::new(200);
    let from_metrics = Rc::clone(&reentrant);
    let config = PriorityQueueConfig {
        name: "test".into(),
        metrics: Some(Rc::new(ReentrantMetrics(Rc::new(move || from_metrics.reenter(use_queue))))),
        rate_limiter: Rc::new(Limiter(Rc::clone(&reentrant))),
        ..PriorityQueueConfig::default()
    };
    let queue = PriorityQueue::new(&time.runtime(), config);
    reentrant.queue.set(queue.clone()).ok();
    for number in 0..100 {
        queue.add_rate_limited(number);
        queue.forget(&number);
        time.advance(MS);
    }
    time.advance(2 * SECOND);
    assert_eq!(reentrant.left.get(), 0);
    while let Some(item) = queue.try_get() {
        item.done();
    }
    assert_eq!((queue.len(), queue.processing(), queue.delayed()), (0, 0, 0));
}

#[test]
fn a_waker_may_poll_the_worker_it_wakes_at_once() {
    // An executor may run a task inside its waker.
    thread_local! {
        static WORKER: Cell<Option<(Get<u32>, WorkQueue<u32>)>> = const { Cell::new(None) };
        static GOT: Cell<Option<u32>> = const { Cell::new(None) };
    }
    struct Inline;
    impl Wake for Inline {
        fn wake(self: Arc<Inline>) {
            let Some((mut get, queue)) = WORKER.take() else { return };
            let waker = Waker::noop();
            if let Poll::Ready(Some(item)) = Pin::new(&mut get).poll(&mut Context::from_waker(waker)) {
                GOT.set(Some(*item));
                queue.add(*item + 1);
                item.done();
            }
        }
    }
    let time = VirtualTime::new();
    let queue = WorkQueue::new(&time.runtime(), QueueConfig::default());
    let mut get = queue.get();
    let waker = Waker::from(Arc::new(Inline));
    assert!(Pin::new(&mut get).poll(&mut Context::from_waker(&waker)).is_pending());
    WORKER.set(Some((get, queue.clone())));
    queue.add(1);
    assert_eq!(GOT.get(), Some(1));
    let item = take(&queue);
    assert_eq!(*item, 2);
    item.done();
}
