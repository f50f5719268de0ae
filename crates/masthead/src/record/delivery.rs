//! Writes events to a sink, again and again where that helps.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use futures::{
    StreamExt,
    future::{Either, pending, select},
    stream::FuturesUnordered,
};

use super::{
    EventKind, Sink, Write,
    counts::{Cause, Counts, Ledger},
    outbox::{Letter, Outbox, Pushed},
};
use crate::{
    Error,
    runtime::{Instant, Runtime},
};

/// Carries the writes of one sink.
///
/// No event waits for another: up to four are being written at any time, and one that failed lets others pass until its
/// pause is over. Of one event the writes go in order. Of more events than the queue's length, those that come last are
/// dropped.
pub(crate) struct Delivery<K> {
    sink: Rc<dyn Sink<K>>,
    runtime: Runtime,
    pause: Duration,
    outbox: RefCell<Outbox<K>>,
    ledger: Rc<Ledger>,
    mood: Cell<Mood>,
    /// How often something changed that may give work.
    changes: Cell<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mood {
    /// A failed write is tried again.
    Patient,
    /// Every write has one attempt.
    Hurried,
    /// No further write comes: it is over with the last.
    Closing,
}

/// How a write ended.
enum Outcome {
    Written,
    Rejected(Error),
    Failed(Error),
}

impl<K: EventKind> Delivery<K> {
    pub(super) fn new(
        sink: Rc<dyn Sink<K>>,
        runtime: &Runtime,
        pause: Duration,
        limit: usize,
        ledger: Rc<Ledger>,
    ) -> Delivery<K> {
        Delivery {
            sink,
            runtime: runtime.clone(),
            pause,
            outbox: RefCell::new(Outbox::new(limit)),
            ledger,
            mood: Cell::new(Mood::Patient),
            changes: Cell::new(0),
        }
    }

    /// Adds a write; one too many is lost.
    pub(crate) fn push(&self, write: Write<K>) {
        let key = write.key();
        let pushed = self.outbox.borrow_mut().push(write);
        match pushed {
            Pushed::Queued => {}
            Pushed::Merged => self.merge(),
            Pushed::Full => {
                self.ledger.note(|counts| counts.dropped += 1);
                self.ledger.lost(key, Cause::QueueFull);
            }
        }
        self.changed();
    }

    /// Counts an event that a count somewhere else tells of.
    pub(crate) fn merge(&self) {
        self.ledger.note(|counts| counts.merged += 1);
    }

    /// Counts an event that is not to be written.
    pub(super) fn filter(&self) {
        self.ledger.note(|counts| counts.filtered += 1);
    }

    /// Waits until another event would not be one too many.
    pub(super) async fn room(&self) {
        self.ledger.notify.until(|| self.outbox.borrow().has_room()).await;
    }

    /// From now on every write has one attempt; those that wait for another have had theirs.
    pub(super) fn hurry(&self) {
        self.mood.set(self.mood.get().max(Mood::Hurried));
        let given_up = self.outbox.borrow_mut().give_up_resting();
        for letter in given_up {
            let stopped = Error::closed("write event", "broadcaster is shut down");
            self.account(letter, Outcome::Failed(stopped));
        }
        self.changed();
    }

    /// No further write comes.
    pub(super) fn close(&self) {
        self.hurry();
        self.mood.set(Mood::Closing);
        self.changed();
    }

    /// Writes until it is closed and nothing is left.
    pub(super) async fn run(&self) {
        let mut sending = FuturesUnordered::new();
        loop {
            while sending.len() < WRITERS
                && let Some(letter) = self.take()
            {
                sending.push(self.attempt(letter));
            }
            if sending.is_empty() && self.is_over() {
                return;
            }
            let seen = self.changes.get();
            let changed = std::pin::pin!(self.ledger.notify.until(|| self.changes.get() != seen));
            let due = std::pin::pin!(self.due(sending.len() < WRITERS));
            match select(sending.next(), select(changed, due)).await {
                // Nothing is being sent: only what comes next can change that.
                Either::Left((None, others)) => {
                    others.await;
                }
                Either::Left(_) | Either::Right(_) => {}
            }
        }
    }

    /// How many writes are on their way.
    fn pending(&self) -> usize {
        self.outbox.borrow().len()
    }

    fn take(&self) -> Option<Letter<K>> {
        self.outbox.borrow_mut().take(self.runtime.now())
    }

    fn is_over(&self) -> bool {
        self.mood.get() == Mood::Closing && self.pending() == 0
    }

    /// Waits until a write may be tried again; for ever while nobody is free to do it.
    async fn due(&self, is_free: bool) {
        let next = self.outbox.borrow().next_due();
        match next.filter(|_| is_free) {
            Some(at) => self.runtime.sleep(at.since(self.runtime.now())).await,
            None => pending().await,
        }
    }

    async fn attempt(&self, mut letter: Letter<K>) {
        letter.tries += 1;
        let outcome = self.send(&letter.write).await;
        match outcome {
            Outcome::Failed(_) if letter.tries < MAX_TRIES && self.mood.get() == Mood::Patient => {
                let wait = K::wait(self.pause, letter.tries, self.runtime.random());
                let until: Instant = self.runtime.now() + wait;
                self.outbox.borrow_mut().rest(letter, until);
            }
            outcome => {
                self.outbox.borrow_mut().over(letter.key.clone());
                self.account(letter, outcome);
            }
        }
        self.changed();
    }

    /// One request, or two where an event that should be there is not.
    async fn send(&self, write: &Write<K>) -> Outcome {
        let patch = write.patch();
        let is_patch = patch.is_some();
        let patched = match patch {
            Some(patch) => Some(self.sink.patch(write.event(), patch).await),
            None => None,
        };
        let done = match patched {
            Some(Err(error)) if error.is_not_found() => self.create(write).await,
            None => self.create(write).await,
            Some(done) => done,
        };
        match done {
            Ok(()) => Outcome::Written,
            Err(error) if K::PATCHES_EXISTING && is_patch && error.is_already_exists() => Outcome::Failed(error),
            // The same request would be refused again.
            Err(error) if error.is_invalid_request() || error.status().is_some() => Outcome::Rejected(error),
            Err(error) => Outcome::Failed(error),
        }
    }

    async fn create(&self, write: &Write<K>) -> Result<(), Error> {
        let mut event = write.event().clone();
        event.meta_mut().resource_version = None;
        self.sink.create(&event).await
    }

    fn account(&self, letter: Letter<K>, outcome: Outcome) {
        let (change, cause): (fn(&mut Counts), _) = match outcome {
            Outcome::Written => (|counts| counts.written += 1, None),
            Outcome::Rejected(error) => (|counts| counts.rejected += 1, Some(Cause::Rejected(error))),
            Outcome::Failed(error) => (|counts| counts.abandoned += 1, Some(Cause::Abandoned(error))),
        };
        self.ledger.note(change);
        if let Some(cause) = cause {
            self.ledger.lost(letter.key, cause);
        }
    }

    fn changed(&self) {
        self.changes.set(self.changes.get() + 1);
        let pending = self.pending() as u64;
        self.ledger.note(|counts| counts.pending = pending);
        self.ledger.notify.notify_all();
    }
}

/// How often a write is tried, as in client-go.
const MAX_TRIES: u32 = 12;
/// How many are written at a time. A page has six connections to a host, and others need some too.
const WRITERS: usize = 4;
