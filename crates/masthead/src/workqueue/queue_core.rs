//! What [`WorkQueue`](super::WorkQueue) and [`PriorityQueue`](super::PriorityQueue) share: workers that wait, timers,
//! shutdown and metrics.
//!
//! A queue is a [`Shared`] around its items. The items ([`PendingItems`]) decide what is handed out next and have no
//! clock; `Shared` has the clock, wakes workers and calls the metrics.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    rc::{Rc, Weak},
    task::{Poll, Waker},
    time::Duration,
};

use super::{
    QueueMetrics,
    get::{AnyQueue, Completion, Waiters},
    metrics::MetricsBuffer,
};
use crate::runtime::{Instant, Runtime, Task};

/// The items of a queue: delayed, ready or in processing. Time is an argument, nobody is woken, and no method returns
/// with a borrow.
pub(super) trait PendingItems: 'static {
    type Item: 'static;

    /// Whether workers still get the items that are ready after the queue is shut down.
    const SERVES_AFTER_SHUTDOWN: bool;

    /// Whether the next call needs to know the time even without metrics.
    fn needs_time(&self) -> bool;

    /// Returns when the first delayed item is due.
    fn next_due(&self) -> Option<Instant>;

    /// Adds the delayed items that are due at `now`.
    fn add_due(&self, now: Instant, metrics: &mut MetricsBuffer);

    /// Moves the next item into processing and returns it with its priority.
    fn get(&self, now: Instant, metrics: &mut MetricsBuffer) -> Option<(Self::Item, i32)>;

    /// Moves `item` out of processing.
    fn done(&self, item: &Self::Item, completion: Completion, now: Instant, metrics: &mut MetricsBuffer);

    /// Drops every delayed item.
    fn discard_delayed(&self);

    /// The length of the queue as users see it.
    fn len(&self) -> usize;

    /// How many items a worker could get now.
    fn ready(&self) -> usize;

    fn processing(&self) -> usize;

    /// How many items a drain has to wait for.
    fn undrained(&self) -> usize;

    /// Returns how long the items in processing have been there: all together, and the longest.
    fn unfinished(&self, now: Instant) -> (Duration, Duration);
}

/// A queue behind its handles.
///
/// Timers only wake workers. Every call first compares the delays with the clock, so a page that was frozen for minutes
/// continues at the time of the clock and not where its timers stopped.
pub(super) struct Shared<P> {
    pub(super) items: P,
    pub(super) runtime: Runtime,
    this: Weak<Shared<P>>,
    metrics: Option<Rc<dyn QueueMetrics>>,
    unfinished_period: Duration,
    phase: Cell<Phase>,
    waiters: RefCell<Waiters>,
    /// Runs while an item is delayed.
    due_timer: RefCell<Option<DueTimer>>,
    /// Runs while a worker has an item and there are metrics.
    unfinished_task: RefCell<Option<Task>>,
    abandoned: Cell<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Running,
    /// Shut down, and somebody waits until everything is processed.
    Draining,
    ShutDown,
}

/// Wakes workers when the first delayed item is due.
struct DueTimer {
    at: Instant,
    _task: Task,
}

impl<P: PendingItems> Shared<P> {
    pub(super) fn new(
        runtime: &Runtime,
        items: P,
        metrics: Option<Rc<dyn QueueMetrics>>,
        unfinished_period: Duration,
    ) -> Rc<Shared<P>> {
        Rc::new_cyclic(|this| Shared {
            items,
            runtime: runtime.clone(),
            this: Weak::clone(this),
            metrics,
            // A period of zero would run the timer without a pause.
            unfinished_period: unfinished_period.max(Duration::from_millis(1)),
            phase: Cell::new(Phase::Running),
            waiters: RefCell::default(),
            due_timer: RefCell::default(),
            unfinished_task: RefCell::default(),
            abandoned: Cell::default(),
        })
    }

    /// Adds the items that are due, runs `operation`, and then reports metrics, sets the timer and wakes workers.
    pub(super) fn update<R>(&self, operation: impl FnOnce(&P, Instant, &mut MetricsBuffer) -> R) -> R {
        let mut metrics = MetricsBuffer::new(self.metrics.is_some());
        let now = self.add_due(&mut metrics);
        let result = operation(&self.items, now, &mut metrics);
        if let Some(receiver) = &self.metrics {
            metrics.report(&**receiver);
        }
        self.set_due_timer();
        self.wake_workers();
        if self.phase.get() == Phase::Draining && self.items.undrained() == 0 {
            let drains = self.waiters.borrow_mut().take_drains();
            drains.into_iter().for_each(Waker::wake);
        }
        result
    }

    /// Moves the next item into processing, if there is one.
    pub(super) fn try_get(&self) -> Option<(P::Item, i32)> {
        if self.is_shutting_down() && !P::SERVES_AFTER_SHUTDOWN {
            return None;
        }
        let next = self.update(|items, now, metrics| items.get(now, metrics))?;
        self.start_unfinished_task();
        Some(next)
    }

    pub(super) fn shut_down(&self) {
        self.enter(Phase::ShutDown);
    }

    /// Shuts down and waits until everything is processed, `limit` has passed, or `shut_down` is called. Returns how
    /// many items are left.
    pub(super) async fn shut_down_with_drain(&self, limit: Duration) -> usize {
        self.enter(Phase::Draining);
        let drained = poll_fn(|context| {
            if self.items.undrained() == 0 || self.phase.get() == Phase::ShutDown {
                return Poll::Ready(());
            }
            self.waiters.borrow_mut().register_drain(context.waker());
            Poll::Pending
        });
        self.runtime.within(limit, drained).await;
        self.items.undrained()
    }

    pub(super) fn len(&self) -> usize {
        self.update(|items, _, _| items.len())
    }

    pub(super) fn is_shutting_down(&self) -> bool {
        self.phase.get() != Phase::Running
    }

    pub(super) fn abandoned(&self) -> u64 {
        self.abandoned.get()
    }

    /// Adds the items that are due and returns the time. Does not read the clock, and returns the origin, where nobody
    /// needs the time.
    fn add_due(&self, metrics: &mut MetricsBuffer) -> Instant {
        if self.metrics.is_none() && !self.items.needs_time() {
            return Instant::ORIGIN;
        }
        let now = self.runtime.now();
        if self.items.next_due().is_some_and(|due| due <= now) {
            self.items.add_due(now, metrics);
        }
        now
    }

    /// Wakes one worker for each item that is ready.
    fn wake_workers(&self) {
        while !self.waiters.borrow().no_workers() {
            let ready = self.items.ready();
            let next = self.waiters.borrow_mut().next_to_wake(ready);
            let Some(waker) = next else { return };
            waker.wake();
        }
    }

    fn enter(&self, phase: Phase) {
        self.phase.set(phase);
        self.items.discard_delayed();
        let timer = self.due_timer.take();
        drop(timer);
        let mut waiters = self.waiters.borrow_mut();
        let (mut woken, drains) = (waiters.take_workers(), waiters.take_drains());
        drop(waiters);
        woken.extend(drains);
        woken.into_iter().for_each(Waker::wake);
    }

    /// Starts, restarts or stops the timer for the first delayed item.
    fn set_due_timer(&self) {
        let running = self.due_timer.borrow().as_ref().map(|timer| timer.at);
        let replaced = match (self.items.next_due(), running) {
            (None, None) => return,
            // A timer that fires too early finds nothing due and sets the next one.
            (Some(due), Some(at)) if at <= due => return,
            (None, Some(_)) => self.due_timer.take(),
            (Some(at), _) => {
                let (shared, runtime) = (Weak::clone(&self.this), self.runtime.clone());
                let task = self.runtime.spawn(async move {
                    runtime.sleep(at.since(runtime.now())).await;
                    if let Some(shared) = shared.upgrade() {
                        let fired = shared.due_timer.take();
                        drop(fired);
                        shared.update(|_, _, _| ());
                    }
                });
                self.due_timer.replace(Some(DueTimer { at, _task: task }))
            }
        };
        drop(replaced);
    }

    /// Reports unfinished work once per period for as long as a worker has an item.
    fn start_unfinished_task(&self) {
        if self.metrics.is_none() || self.unfinished_task.borrow().is_some() {
            return;
        }
        let (shared, runtime, period) = (Weak::clone(&self.this), self.runtime.clone(), self.unfinished_period);
        let task = self.runtime.spawn(async move {
            loop {
                runtime.sleep(period).await;
                let Some(shared) = shared.upgrade() else { return };
                if !shared.report_unfinished() {
                    let ended = shared.unfinished_task.take();
                    drop(ended);
                    return;
                }
            }
        });
        *self.unfinished_task.borrow_mut() = Some(task);
    }

    /// Reports unfinished work. Returns whether there is any.
    fn report_unfinished(&self) -> bool {
        let Some(metrics) = self.metrics.as_ref().filter(|_| !self.is_shutting_down()) else { return false };
        let (total, longest) = self.items.unfinished(self.runtime.now());
        let is_unfinished = self.items.processing() > 0;
        metrics.unfinished(total, longest);
        is_unfinished
    }
}

impl<P: PendingItems> AnyQueue<P::Item> for Shared<P> {
    fn poll_get(&self, ticket: &mut Option<u64>, waker: &Waker) -> Poll<Option<(P::Item, i32)>> {
        let old_ticket = ticket.take();
        if let Some(ticket) = old_ticket {
            self.waiters.borrow_mut().remove(ticket);
        }
        let next = self.try_get();
        if next.is_some() || self.is_shutting_down() {
            return Poll::Ready(next);
        }
        *ticket = old_ticket;
        self.waiters.borrow_mut().register(ticket, waker);
        // The metrics or the order may have added an item during `try_get`.
        self.wake_workers();
        Poll::Pending
    }

    fn cancel_get(&self, ticket: u64) {
        self.waiters.borrow_mut().remove(ticket);
        // The item that this worker was woken for is left to the next one.
        self.wake_workers();
    }

    fn done(&self, item: &P::Item, completion: Completion) {
        if completion == Completion::Abandoned {
            self.abandoned.set(self.abandoned.get() + 1);
        }
        self.update(|items, now, metrics| items.done(item, completion, now, metrics));
    }
}
