//! Long work in short pieces.

use std::{future::Future, pin::pin, task::Poll, time::Duration};

use futures::poll;

use super::{Instant, Runtime};

/// A piece of work on the one thread there is: at most eight milliseconds, then everyone else has a turn.
#[derive(Debug)]
pub struct Slice {
    runtime: Runtime,
    began: Instant,
}

impl Slice {
    /// How long a piece of work may take: half a frame.
    pub const LIMIT: Duration = Duration::from_millis(8);

    /// A piece of work that begins now.
    pub fn new(runtime: &Runtime) -> Slice {
        Slice { runtime: runtime.clone(), began: runtime.now() }
    }

    /// Whether this piece has taken its time.
    pub fn is_over(&self) -> bool {
        self.runtime.now().since(self.began) >= Slice::LIMIT
    }

    /// Gives everyone else a turn if this piece has taken its time, and begins the next one.
    pub async fn pause(&mut self) {
        if self.is_over() {
            self.runtime.give_way().await;
            self.began = self.runtime.now();
        }
    }

    /// Waits for `future`. The next piece begins then if that took a while: everyone else had a turn.
    pub async fn wait<T>(&mut self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        if let Poll::Ready(output) = poll!(future.as_mut()) {
            return output;
        }
        let before = self.runtime.now();
        let output = future.await;
        let now = self.runtime.now();
        if now.since(before) >= TURN {
            self.began = now;
        }
        output
    }

    /// Begins anew, after something was waited for.
    pub fn restart(&mut self) {
        self.began = self.runtime.now();
    }
}

/// What resolves sooner may have been there all along: promises of it keep the thread.
const TURN: Duration = Duration::from_millis(1);
