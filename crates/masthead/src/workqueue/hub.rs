//! The async side of every kind of queue: who waits, what wakes them, and what ends.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    rc::{Rc, Weak},
    task::{Poll, Waker},
    time::Duration,
};

use super::{
    backlog::Backlog,
    desk::{Desk, End},
    line::Line,
    metrics::{MetricsBuffer, MetricsProvider, QueueMetrics},
};
use crate::runtime::{Instant, Runtime, Task};

/// A backlog with the workers that wait for it, the timers that it needs and the metrics that it tells.
///
/// Timers only wake: whatever a queue is asked, it first compares its delays with the clock. So a page that was frozen for
/// minutes goes on where the clock is, and not where its timers were.
pub(super) struct Hub<B> {
    pub(super) backlog: B,
    pub(super) runtime: Runtime,
    me: Weak<Hub<B>>,
    metrics: Option<Rc<dyn QueueMetrics>>,
    /// How often the metrics are told of unfinished work.
    period: Duration,
    phase: Cell<Phase>,
    line: RefCell<Line>,
    alarm: RefCell<Option<Alarm>>,
    ticker: RefCell<Option<Task>>,
    abandoned: Cell<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    Draining,
    Closed,
}

/// The timer for the next delay.
struct Alarm {
    at: Instant,
    _task: Task,
}

/// Where a queue's metrics go. A queue without a name has none.
pub(super) struct Told<'a> {
    pub(super) name: &'a str,
    pub(super) provider: Option<&'a dyn MetricsProvider>,
    pub(super) period: Duration,
}

impl Told<'_> {
    pub(super) fn is_wanted(&self) -> bool {
        self.provider.is_some() && !self.name.is_empty()
    }
}

impl<B: Backlog> Hub<B> {
    pub(super) fn new(runtime: &Runtime, backlog: B, told: &Told<'_>) -> Rc<Hub<B>> {
        let provider = told.provider.filter(|_| told.is_wanted());
        let metrics = provider.map(|provider| provider.metrics(told.name));
        Rc::new_cyclic(|me| Hub {
            backlog,
            runtime: runtime.clone(),
            me: Weak::clone(me),
            metrics,
            // A timer of no time at all would keep the page from everything else.
            period: told.period.max(Duration::from_millis(1)),
            phase: Cell::new(Phase::Open),
            line: RefCell::default(),
            alarm: RefCell::default(),
            ticker: RefCell::default(),
            abandoned: Cell::default(),
        })
    }

    /// Lets `change` happen at the present time, and whatever follows from it.
    pub(super) fn change<R>(&self, change: impl FnOnce(&B, Instant, &mut MetricsBuffer) -> R) -> R {
        let mut changes = MetricsBuffer::new(self.metrics.is_some());
        let now = self.settle(&mut changes);
        let changed = change(&self.backlog, now, &mut changes);
        self.follow(changes);
        changed
    }

    /// How many items workers can have or have asked for, at the present time.
    pub(super) fn len(&self) -> usize {
        self.change(|backlog, _, _| backlog.len())
    }

    pub(super) fn is_shutting_down(&self) -> bool {
        self.phase.get() != Phase::Open
    }

    pub(super) fn abandoned(&self) -> u64 {
        self.abandoned.get()
    }

    /// The next item, for who does not wait.
    pub(super) fn take(&self) -> Option<(B::Item, i32)> {
        if self.is_shutting_down() && !B::HANDS_OUT_TO_THE_END {
            return None;
        }
        let taken = self.change(|backlog, now, changes| backlog.take(now, changes))?;
        self.tick();
        Some(taken)
    }

    pub(super) fn shut_down(&self) {
        self.close(Phase::Closed);
    }

    /// Shuts down and waits until there is nothing left to do, until `limit` has passed, or until somebody shuts down without
    /// waiting. Gives how many items are left.
    pub(super) async fn drain(&self, limit: Duration) -> usize {
        self.close(Phase::Draining);
        let drained = poll_fn(|context| {
            if self.backlog.left() == 0 || self.phase.get() == Phase::Closed {
                return Poll::Ready(());
            }
            self.line.borrow_mut().drain(context.waker());
            Poll::Pending
        });
        self.runtime.within(limit, drained).await;
        self.backlog.left()
    }

    /// Moves what is due; gives the time, which is the clock's origin as long as nothing depends on it.
    fn settle(&self, changes: &mut MetricsBuffer) -> Instant {
        if self.metrics.is_none() && !self.backlog.depends_on_time() {
            return Instant::ORIGIN;
        }
        let now = self.runtime.now();
        if self.backlog.next_due().is_some_and(|due| due <= now) {
            self.backlog.settle(now, changes);
        }
        now
    }

    /// Tells the metrics, sets the timer, and calls workers.
    fn follow(&self, changes: MetricsBuffer) {
        if let Some(metrics) = &self.metrics {
            changes.report(&**metrics);
        }
        self.set_alarm();
        self.call();
        if self.phase.get() == Phase::Draining && self.backlog.left() == 0 {
            let drained = self.line.borrow_mut().drained();
            drained.into_iter().for_each(Waker::wake);
        }
    }

    /// Wakes as many workers as there are items for.
    fn call(&self) {
        while !self.line.borrow().is_empty() {
            let ready = self.backlog.ready();
            let called = self.line.borrow_mut().call(ready);
            let Some(waker) = called else { return };
            waker.wake();
        }
    }

    fn close(&self, phase: Phase) {
        self.phase.set(phase);
        self.backlog.close();
        let alarm = self.alarm.take();
        drop(alarm);
        let mut line = self.line.borrow_mut();
        let (mut woken, drained) = (line.call_all(), line.drained());
        drop(line);
        woken.extend(drained);
        woken.into_iter().for_each(Waker::wake);
    }

    /// Sees to it that somebody looks when the next delay is over.
    fn set_alarm(&self) {
        let set = self.alarm.borrow().as_ref().map(|alarm| alarm.at);
        let before = match (self.backlog.next_due(), set) {
            (None, None) => return,
            // One that rings too early only looks, and sets the next.
            (Some(due), Some(at)) if at <= due => return,
            (None, Some(_)) => self.alarm.take(),
            (Some(at), _) => {
                let (hub, runtime) = (Weak::clone(&self.me), self.runtime.clone());
                let task = self.runtime.spawn(async move {
                    runtime.sleep(at.since(runtime.now())).await;
                    if let Some(hub) = hub.upgrade() {
                        let rung = hub.alarm.take();
                        drop(rung);
                        hub.change(|_, _, _| ());
                    }
                });
                self.alarm.replace(Some(Alarm { at, _task: task }))
            }
        };
        drop(before);
    }

    /// Tells the metrics of unfinished work from time to time, for as long as there is any.
    fn tick(&self) {
        if self.metrics.is_none() || self.ticker.borrow().is_some() {
            return;
        }
        let (hub, runtime, period) = (Weak::clone(&self.me), self.runtime.clone(), self.period);
        let task = self.runtime.spawn(async move {
            loop {
                runtime.sleep(period).await;
                let Some(hub) = hub.upgrade() else { return };
                if !hub.tell_unfinished() {
                    let over = hub.ticker.take();
                    drop(over);
                    return;
                }
            }
        });
        *self.ticker.borrow_mut() = Some(task);
    }

    /// Tells how much is unfinished; whether there is more to tell.
    fn tell_unfinished(&self) -> bool {
        let Some(metrics) = self.metrics.as_ref().filter(|_| !self.is_shutting_down()) else { return false };
        let (total, longest) = self.backlog.unfinished(self.runtime.now());
        let goes_on = self.backlog.working() > 0;
        metrics.unfinished(total, longest);
        goes_on
    }
}

impl<B: Backlog> Desk<B::Item> for Hub<B> {
    fn poll_take(&self, ticket: &mut Option<u64>, waker: &Waker) -> Poll<Option<(B::Item, i32)>> {
        let old = ticket.take();
        if let Some(ticket) = old {
            self.line.borrow_mut().step_out(ticket);
        }
        let taken = self.take();
        if taken.is_some() || self.is_shutting_down() {
            return Poll::Ready(taken);
        }
        *ticket = old;
        self.line.borrow_mut().wait(ticket, waker);
        // Something may have come while it was looked for.
        self.call();
        Poll::Pending
    }

    fn leave(&self, ticket: u64) {
        self.line.borrow_mut().step_out(ticket);
        self.call();
    }

    fn finish(&self, item: &B::Item, end: End) {
        if end == End::Abandoned {
            self.abandoned.set(self.abandoned.get() + 1);
        }
        self.change(|backlog, now, changes| backlog.finish(item, end, now, changes));
    }
}
