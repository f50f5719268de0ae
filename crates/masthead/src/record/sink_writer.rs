//! Writes events to a sink and retries what failed.

use std::{
    cell::{Cell, RefCell},
    pin::pin,
    rc::Rc,
    time::Duration,
};

use futures::{
    StreamExt,
    future::{Either, pending, select},
    stream::FuturesUnordered,
};

use super::{
    EventCounts, EventKind, EventSink, EventWrite, LossCause,
    event_counts::EventCounter,
    sink_queue::{PendingEvent, Pushed, SinkQueue},
};
use crate::{Error, runtime::Runtime};

/// Sends the queued writes of one sink, and counts how each ended.
///
/// Up to four events are written at a time. An event whose write failed waits for its retry and lets others pass; the
/// writes of one event stay in order. A write that finds the queue full is dropped.
pub(crate) struct SinkWriter<K> {
    sink: Rc<dyn EventSink<K>>,
    runtime: Runtime,
    pause: Duration,
    queue: RefCell<SinkQueue<K>>,
    counter: Rc<EventCounter>,
    phase: Cell<Phase>,
    /// Rises with every change of `queue` or `phase`, so that [`run`](SinkWriter::run) sees each of them.
    changes: Cell<u64>,
}

/// What a writer does with failed writes. Phases only go forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// Retries failed writes.
    Running,
    /// Tries each write once.
    ShuttingDown,
    /// Tries each write once, and ends after the last.
    Draining,
}

/// How an attempt to write ended.
enum Outcome {
    Written,
    /// The server or the client refused the write. The same request would be refused again.
    Rejected(Error),
    /// The write may succeed later.
    Failed(Error),
}

impl<K: EventKind> SinkWriter<K> {
    pub(super) fn new(
        sink: Rc<dyn EventSink<K>>,
        runtime: &Runtime,
        pause: Duration,
        limit: usize,
        counter: Rc<EventCounter>,
    ) -> SinkWriter<K> {
        SinkWriter {
            sink,
            runtime: runtime.clone(),
            pause,
            queue: RefCell::new(SinkQueue::new(limit)),
            counter,
            phase: Cell::new(Phase::Running),
            changes: Cell::new(0),
        }
    }

    /// Queues a write, or drops and counts it if the queue is full.
    pub(crate) fn push(&self, write: EventWrite<K>) {
        let key = write.key();
        let pushed = self.queue.borrow_mut().push(write);
        match pushed {
            Pushed::Queued => {}
            Pushed::Merged => self.count_merged(),
            Pushed::Full => {
                self.counter.update(|counts| counts.dropped += 1);
                self.counter.report_loss(key, LossCause::QueueFull);
            }
        }
        self.changed();
    }

    /// Counts an event that needs no write of its own.
    pub(crate) fn count_merged(&self) {
        self.counter.update(|counts| counts.merged += 1);
    }

    /// Counts an event that the correlator skipped.
    pub(super) fn count_filtered(&self) {
        self.counter.update(|counts| counts.filtered += 1);
    }

    /// Waits until the queue takes a write of one more event.
    pub(super) async fn wait_for_room(&self) {
        self.counter.changed.until(|| self.queue.borrow().has_room()).await;
    }

    /// Stops retrying: every write has one attempt, and those that wait for a retry are given up.
    pub(super) fn shut_down(&self) {
        self.phase.set(self.phase.get().max(Phase::ShuttingDown));
        let removed = self.queue.borrow_mut().remove_retries();
        for pending in removed {
            let stopped = Error::closed("write event", "broadcaster is shut down");
            self.count_outcome(pending, Outcome::Failed(stopped));
        }
        self.changed();
    }

    /// Shuts down, and lets [`run`](Self::run) end once the queue is empty. The caller must not push any more.
    pub(super) fn drain(&self) {
        self.shut_down();
        self.phase.set(Phase::Draining);
        self.changed();
    }

    /// Writes queued events until the writer is drained.
    pub(super) async fn run(&self) {
        let mut attempts = FuturesUnordered::new();
        loop {
            while attempts.len() < MAX_CONCURRENT_WRITES
                && let Some(pending) = self.pop()
            {
                attempts.push(self.attempt(pending));
            }
            if attempts.is_empty() && self.is_drained() {
                return;
            }
            let seen = self.changes.get();
            let changed = pin!(self.counter.changed.until(|| self.changes.get() != seen));
            let retry = pin!(self.wait_for_retry(attempts.len() < MAX_CONCURRENT_WRITES));
            match select(attempts.next(), select(changed, retry)).await {
                // Without attempts, `next` ends at once: only a change or a retry brings the next one.
                Either::Left((None, others)) => {
                    others.await;
                }
                Either::Left(_) | Either::Right(_) => {}
            }
        }
    }

    fn pop(&self) -> Option<PendingEvent<K>> {
        self.queue.borrow_mut().pop(self.runtime.now())
    }

    fn is_drained(&self) -> bool {
        self.phase.get() == Phase::Draining && self.queue.borrow().len() == 0
    }

    /// Waits until a retry is due; forever if `can_start` is false, since nothing could be started then.
    async fn wait_for_retry(&self, can_start: bool) {
        let next = self.queue.borrow().next_retry();
        match next.filter(|_| can_start) {
            Some(at) => self.runtime.sleep(at.since(self.runtime.now())).await,
            None => pending().await,
        }
    }

    async fn attempt(&self, mut pending: PendingEvent<K>) {
        pending.tries += 1;
        let outcome = self.record_event(&pending.write).await;
        match outcome {
            Outcome::Failed(_) if pending.tries < MAX_TRIES_PER_EVENT && self.phase.get() == Phase::Running => {
                let delay = K::retry_delay(self.pause, pending.tries, self.runtime.random());
                self.queue.borrow_mut().retry_at(pending, self.runtime.now() + delay);
            }
            outcome => {
                self.queue.borrow_mut().done(pending.key.clone());
                self.count_outcome(pending, outcome);
            }
        }
        self.changed();
    }

    /// Sends one request, or two if an event to patch does not exist.
    async fn record_event(&self, write: &EventWrite<K>) -> Outcome {
        let patched = match write.patch() {
            Some(patch) => Some(self.sink.patch(write.event(), patch).await),
            None => None,
        };
        let is_patch = patched.is_some();
        let result = match patched {
            Some(Err(error)) if error.is_not_found() => self.create(write).await,
            None => self.create(write).await,
            Some(result) => result,
        };
        match result {
            Ok(()) => Outcome::Written,
            Err(error) if K::RETRIES_ALREADY_EXISTS && is_patch && error.is_already_exists() => Outcome::Failed(error),
            Err(error) if error.is_invalid_request() || error.status().is_some() => Outcome::Rejected(error),
            Err(error) => Outcome::Failed(error),
        }
    }

    async fn create(&self, write: &EventWrite<K>) -> Result<(), Error> {
        let mut event = write.event().clone();
        event.meta_mut().resource_version = None;
        self.sink.create(&event).await
    }

    fn count_outcome(&self, pending: PendingEvent<K>, outcome: Outcome) {
        let (update, cause): (fn(&mut EventCounts), _) = match outcome {
            Outcome::Written => (|counts| counts.written += 1, None),
            Outcome::Rejected(error) => (|counts| counts.rejected += 1, Some(LossCause::Rejected(error))),
            Outcome::Failed(error) => (|counts| counts.abandoned += 1, Some(LossCause::Abandoned(error))),
        };
        self.counter.update(update);
        if let Some(cause) = cause {
            self.counter.report_loss(pending.key, cause);
        }
    }

    /// Publishes how many writes are pending, and wakes everything that waits for a change.
    fn changed(&self) {
        self.changes.set(self.changes.get() + 1);
        let pending = self.queue.borrow().len() as u64;
        self.counter.update(|counts| counts.pending = pending);
        self.counter.changed.notify_all();
    }
}

/// How often a write is tried. The number is client-go's.
const MAX_TRIES_PER_EVENT: u32 = 12;
/// A page has six connections to a host, and its other requests need some of them.
const MAX_CONCURRENT_WRITES: usize = 4;
