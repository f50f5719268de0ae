//! Delays on a frozen page: its timers stand still while the clock goes on.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use futures::{FutureExt, channel::oneshot, future::LocalBoxFuture};

use super::{SECOND, take};
use crate::{
    runtime::{Clock, Instant, Runtime, Spawn, VirtualTime},
    workqueue::{AddOptions, DelayingQueue, PriorityQueue, QueueConfig},
};

/// A clock that a test sets, with timers that fire when the page is thawed and not before.
#[derive(Default)]
struct Frozen {
    now: Cell<Duration>,
    sleepers: RefCell<Vec<oneshot::Sender<()>>>,
}

struct FrozenClock(Rc<Frozen>);

impl Clock for FrozenClock {
    fn now(&self) -> Instant {
        Instant::ORIGIN + self.0.now.get()
    }

    fn wall(&self) -> Duration {
        self.0.now.get()
    }

    fn sleep(&self, _duration: Duration) -> LocalBoxFuture<'static, ()> {
        let (sender, receiver) = oneshot::channel();
        self.0.sleepers.borrow_mut().push(sender);
        Box::pin(receiver.map(drop))
    }
}

/// Runs tasks on the executor of a `VirtualTime` whose clock is not used.
struct Pool(Runtime);

impl Spawn for Pool {
    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        self.0.spawn(task).forget();
    }
}

struct Page {
    pool: VirtualTime,
    frozen: Rc<Frozen>,
    runtime: Runtime,
}

impl Page {
    fn new() -> Page {
        let (pool, frozen) = (VirtualTime::new(), Rc::<Frozen>::default());
        let clock = Rc::new(FrozenClock(Rc::clone(&frozen)));
        let runtime = Runtime::new(clock, Rc::new(Pool(pool.runtime())), 0);
        Page { pool, frozen, runtime }
    }

    /// The clock goes on, and no timer fires.
    fn freeze(&self, duration: Duration) {
        self.frozen.now.set(self.frozen.now.get() + duration);
    }

    /// Every timer fires, also those whose time has not come.
    fn thaw(&self) {
        self.pool.settle();
        for sleeper in self.frozen.sleepers.take() {
            sleeper.send(()).ok();
        }
        self.pool.settle();
    }
}

#[test]
fn five_minutes_without_a_timer_and_everything_that_is_due_is_there_in_its_order() {
    let page = Page::new();
    let queue = DelayingQueue::new(&page.runtime, QueueConfig::default());
    for (item, seconds) in [("c", 250), ("a", 1), ("late", 301), ("b", 60)] {
        queue.add_after(item, seconds * SECOND);
    }
    page.freeze(300 * SECOND);
    assert_eq!((queue.len(), queue.delayed()), (3, 1), "no timer has fired; the clock says that they are due");
    // An item that is added now comes behind those that were due before.
    queue.add("new");
    let order: Vec<&str> = (0..4)
        .map(|_| {
            let item = take(&queue);
            let name = *item;
            item.done();
            name
        })
        .collect();
    assert_eq!(order, ["a", "b", "c", "new"]);
}

#[test]
fn a_worker_that_waits_is_woken_when_the_page_thaws() {
    let page = Page::new();
    let queue = DelayingQueue::new(&page.runtime, QueueConfig::default());
    let got: Rc<RefCell<Vec<&str>>> = Rc::default();
    let worker = page.runtime.spawn({
        let (queue, got) = (queue.clone(), Rc::clone(&got));
        async move {
            while let Some(item) = queue.get().await {
                got.borrow_mut().push(*item);
                item.done();
            }
        }
    });
    queue.add_after("b", 250 * SECOND);
    queue.add_after("a", SECOND);
    queue.add_after("later", 400 * SECOND);
    page.thaw();
    assert!(got.borrow().is_empty(), "a timer that is early changes nothing");
    page.freeze(300 * SECOND);
    page.thaw();
    assert_eq!(*got.borrow(), ["a", "b"]);
    page.freeze(100 * SECOND);
    page.thaw();
    assert_eq!(*got.borrow(), ["a", "b", "later"]);
    drop(worker);
}

#[test]
fn priorities_follow_the_clock_too() {
    let page = Page::new();
    let queue = PriorityQueue::new(&page.runtime, Default::default());
    for (item, seconds, priority) in [("low", 1, -1), ("high", 250, 1), ("late", 301, 9)] {
        queue.add_with(AddOptions { after: seconds * SECOND, priority, ..AddOptions::default() }, item);
    }
    page.freeze(300 * SECOND);
    assert_eq!((queue.len(), queue.delayed()), (2, 1));
    let first = queue.try_get().expect("two are due");
    assert_eq!(*first, "high");
    first.done();
}
