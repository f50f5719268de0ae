//! Virtual time that keeps pace with the real one.

use std::{
    thread,
    time::{Duration, Instant},
};

use masthead::runtime::{self, VirtualTime};

/// Moves a world's clock as fast as the machine's, from where it stands.
#[derive(Debug)]
pub(super) struct Pace<'a> {
    time: &'a VirtualTime,
    began: Instant,
    origin: runtime::Instant,
}

impl<'a> Pace<'a> {
    pub(super) fn start(time: &'a VirtualTime) -> Pace<'a> {
        Pace { time, began: Instant::now(), origin: time.now() }
    }

    /// Runs what can run now, then waits for the next timer, for a wake from another thread, or for `limit`.
    ///
    /// The wake is not missed when it comes before the wait: the executor keeps it in the thread's token.
    pub(super) fn turn(&self, limit: Duration) {
        self.time.advance(self.now().since(self.time.now()));
        let until = self.time.next_timer().map_or(limit, |at| at.since(self.now()));
        thread::park_timeout(until.min(limit));
    }

    fn now(&self) -> runtime::Instant {
        self.origin + self.began.elapsed()
    }
}
