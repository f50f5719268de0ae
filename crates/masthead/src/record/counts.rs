//! What became of recorded events.

use std::{cell::Cell, fmt, rc::Rc};

use crate::{
    Error,
    cache::{ObjectKey, notify::Notify},
};

/// What became of the events that one sink was given.
///
/// Every one of them is in exactly one of these numbers. Refreshing or ending a series is a write that is counted besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Came while the queue to the sink was full, or while it had too many events on their way.
    pub dropped: u64,
    /// Left out by the correlator, since there were too many of the object.
    pub filtered: u64,
    /// Need no request of their own: a later or cached count tells of them.
    pub merged: u64,
    /// Accepted by the server.
    pub written: u64,
    /// Given up at once: the server or the client itself said no.
    pub rejected: u64,
    /// Given up after twelve attempts, or after one because of a shutdown.
    pub abandoned: u64,
    /// On their way.
    pub pending: u64,
}

/// What became of the events that recorders were given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Intake {
    /// Taken to be handed to sinks and watchers.
    pub accepted: u64,
    /// Lost at once: the queue was full, or the broadcaster was shut down.
    pub refused: u64,
}

/// An event that was lost, and why. [`Display`](fmt::Display) is a line for a log.
#[derive(Clone, Debug)]
pub struct Loss {
    /// The event's own namespace and name.
    pub event: ObjectKey,
    /// Why it was lost.
    pub cause: Cause,
}

/// Why an event was lost.
#[derive(Clone, Debug)]
pub enum Cause {
    /// Too many events wait.
    QueueFull,
    /// The broadcaster was shut down before.
    Stopped,
    /// The server or the client itself said no. That an event of this name exists, or that its namespace is about to go, is
    /// nothing to worry about.
    Rejected(Error),
    /// Every attempt failed, the last one so.
    Abandoned(Error),
}

/// Told of every event that is lost. It must not record another: that one may be lost as well.
pub type LossHandler = Rc<dyn Fn(&Loss)>;

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Loss { event, cause } = self;
        match cause {
            Cause::QueueFull => write!(f, "unable to record event {event}: too many queued events, dropped event"),
            Cause::Stopped => write!(f, "unable to record event {event}: broadcaster already stopped"),
            Cause::Rejected(error) => write!(f, "server rejected event {event} (will not retry): {error}"),
            Cause::Abandoned(error) => write!(f, "unable to write event {event} (retry limit exceeded): {error}"),
        }
    }
}

/// Counts what becomes of the events of one sink, and tells of losses.
pub(crate) struct Ledger {
    counts: Cell<Counts>,
    /// How many events the sink was given, those it missed too.
    given: Cell<u64>,
    /// Rung at every change.
    pub(super) notify: Notify,
    on_loss: Option<LossHandler>,
}

impl Ledger {
    pub(super) fn new(on_loss: Option<LossHandler>) -> Ledger {
        Ledger { counts: Cell::default(), given: Cell::default(), notify: Notify::default(), on_loss }
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts.get()
    }

    pub(super) fn note(&self, change: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.get();
        change(&mut counts);
        self.counts.set(counts);
    }

    /// Takes in that another event was given, after `missed` that were not.
    pub(super) fn give(&self, missed: u64) {
        self.note(|counts| counts.dropped += missed);
        self.given.set(self.given.get() + missed + 1);
    }

    /// Waits until `given` events came, and everything that came was written or given up.
    pub(super) async fn settled(&self, given: u64) {
        self.notify.until(|| self.given.get() >= given && self.counts().pending == 0).await;
    }

    pub(super) fn lost(&self, event: ObjectKey, cause: Cause) {
        if let Some(handler) = &self.on_loss {
            handler(&Loss { event, cause });
        }
    }
}
