//! Counts what becomes of recorded events, and reports the lost ones.
//!
//! Recording never fails its caller. These counts and [`LostEvent`] are how a program learns that events were lost.

use std::{cell::Cell, fmt, rc::Rc};

use crate::{
    Error,
    cache::{ObjectKey, notify::Notify},
    runtime::Task,
};

/// Writes events to one sink. Dropping it stops at once and cancels the requests under way.
#[must_use = "stops writing when dropped"]
pub struct RecordingHandle {
    pub(super) counter: Rc<EventCounter>,
    pub(super) recorded: Rc<Cell<RecorderCounts>>,
    /// How many events the broadcaster had accepted before this sink was added.
    pub(super) accepted_before: u64,
    pub(super) task: Task,
}

impl RecordingHandle {
    /// Returns what became of the events so far.
    pub fn counts(&self) -> EventCounts {
        self.counter.counts()
    }

    /// Waits until every event recorded so far is written or given up. That takes about two minutes without a server.
    pub async fn flushed(&self) {
        self.counter.settled(self.recorded.get().accepted - self.accepted_before).await;
    }

    /// Keeps writing until the broadcaster is shut down and every accepted event is written or given up.
    pub fn forget(self) {
        self.task.forget();
    }
}

impl fmt::Debug for RecordingHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordingHandle").field("counts", &self.counts()).finish_non_exhaustive()
    }
}

/// What became of the events that one sink was given.
///
/// Every event is in exactly one of these numbers. The writes that refresh or end a series are counted in addition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// Lost because a queue was full: the sink's watch queue, or the queue of its writes.
    pub dropped: u64,
    /// Skipped by the spam filter of the correlator.
    pub filtered: u64,
    /// Covered by a later or cached count, without a request of their own.
    pub merged: u64,
    /// Accepted by the server.
    pub written: u64,
    /// Given up at once, because the server or the client refused them.
    pub rejected: u64,
    /// Given up after twelve attempts, or after one attempt because of a shutdown.
    pub abandoned: u64,
    /// Queued or being written.
    pub pending: u64,
}

/// What became of the events that recorders of one broadcaster recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecorderCounts {
    /// Queued for the sinks and watchers.
    pub accepted: u64,
    /// Lost at once, because the queue was full or the broadcaster was shut down.
    pub refused: u64,
}

/// An event that was lost, and why. [`Display`](fmt::Display) writes client-go's log line.
#[derive(Clone, Debug)]
pub struct LostEvent {
    /// Namespace and name of the event itself.
    pub event: ObjectKey,
    /// Why it was lost.
    pub cause: LossCause,
}

/// Why an event was lost.
#[derive(Clone, Debug)]
pub enum LossCause {
    /// A queue was full.
    QueueFull,
    /// The broadcaster was already shut down.
    Stopped,
    /// The server or the client refused the event. It is harmless if an event of this name exists or if the namespace is
    /// being deleted.
    Rejected(Error),
    /// Every attempt failed, the last one with this error.
    Abandoned(Error),
}

/// Is called for every lost event. It must not record an event: that one may be lost as well.
pub type LostEventHandler = Rc<dyn Fn(&LostEvent)>;

impl fmt::Display for LostEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LostEvent { event, cause } = self;
        match cause {
            LossCause::QueueFull => write!(f, "unable to record event {event}: too many queued events, dropped event"),
            LossCause::Stopped => write!(f, "unable to record event {event}: broadcaster already stopped"),
            LossCause::Rejected(error) => write!(f, "server rejected event {event} (will not retry): {error}"),
            LossCause::Abandoned(error) => write!(f, "unable to write event {event} (retry limit exceeded): {error}"),
        }
    }
}

/// Counts the events of one sink and reports the lost ones.
pub(super) struct EventCounter {
    counts: Cell<EventCounts>,
    /// How many events the sink's watcher has passed: received and missed ones.
    seen: Cell<u64>,
    /// Wakes whoever waits for a change of the counts or of the sink's queue.
    pub(super) changed: Notify,
    on_lost_event: Option<LostEventHandler>,
}

impl EventCounter {
    pub(super) fn new(on_lost_event: Option<LostEventHandler>) -> EventCounter {
        EventCounter { counts: Cell::default(), seen: Cell::default(), changed: Notify::default(), on_lost_event }
    }

    pub(super) fn counts(&self) -> EventCounts {
        self.counts.get()
    }

    pub(super) fn update(&self, update: impl FnOnce(&mut EventCounts)) {
        let mut counts = self.counts.get();
        update(&mut counts);
        self.counts.set(counts);
    }

    /// Counts an event that was received after `missed` others had been dropped.
    pub(super) fn count_received(&self, missed: u64) {
        self.update(|counts| counts.dropped += missed);
        self.seen.set(self.seen.get() + missed + 1);
    }

    /// Waits until `seen` events were received or missed, and none is pending.
    pub(super) async fn settled(&self, seen: u64) {
        self.changed.until(|| self.seen.get() >= seen && self.counts().pending == 0).await;
    }

    pub(super) fn report_loss(&self, event: ObjectKey, cause: LossCause) {
        if let Some(handler) = &self.on_lost_event {
            handler(&LostEvent { event, cause });
        }
    }
}
