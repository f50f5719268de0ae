//! The real clock.

use std::{
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use futures::{channel::oneshot, future::LocalBoxFuture};
use masthead::runtime::{Clock, Instant};

/// The machine's own clock, for tests on real servers.
#[derive(Clone, Copy, Debug)]
pub struct WallClock {
    started: std::time::Instant,
}

impl WallClock {
    /// A clock whose origin is now.
    pub fn new() -> WallClock {
        WallClock { started: std::time::Instant::now() }
    }
}

impl Default for WallClock {
    fn default() -> WallClock {
        WallClock::new()
    }
}

impl Clock for WallClock {
    fn now(&self) -> Instant {
        Instant::ORIGIN + self.started.elapsed()
    }

    fn wall(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()> {
        let (done, wake) = oneshot::channel::<()>();
        thread::spawn(move || {
            thread::sleep(duration);
            drop(done);
        });
        Box::pin(async move {
            // The sender is dropped unsent when the time is over: that is the signal.
            wake.await.ok();
        })
    }
}
