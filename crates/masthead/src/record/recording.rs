//! A sink that is being written to.

use std::{cell::Cell, rc::Rc};

use super::counts::{Counts, Intake, Ledger};
use crate::runtime::Task;

/// The way of events to one sink. Dropping it stops writing at once, with what is on its way.
#[must_use = "stops writing when dropped"]
pub struct Recording {
    pub(super) ledger: Rc<Ledger>,
    pub(super) intake: Rc<Cell<Intake>>,
    /// How many events had been accepted before this began.
    pub(super) before: u64,
    pub(super) task: Task,
}

impl Recording {
    /// What became of the events so far.
    pub fn counts(&self) -> Counts {
        self.ledger.counts()
    }

    /// Waits until every event recorded so far is written or given up, which can take two minutes without a server.
    pub async fn flushed(&self) {
        self.ledger.settled(self.intake.get().accepted - self.before).await;
    }

    /// Goes on for as long as the broadcaster, and until what was accepted is written.
    pub fn forget(self) {
        self.task.forget();
    }
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording").field("counts", &self.counts()).finish_non_exhaustive()
    }
}
