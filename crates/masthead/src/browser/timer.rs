//! Timers that may be as long as a program lives.

use std::{
    future::Future,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, ready},
    time::Duration,
};

use gloo_timers::future::TimeoutFuture;

use crate::{
    browser::clock::PageClock,
    runtime::{Clock, Instant},
};

/// Completes once `duration` has passed.
///
/// The timer starts now, not at the first poll. It asks the clock whenever it wakes: pages in the background are woken once
/// a second or a minute, and timers stand still while the machine sleeps. So it may be late but is never early.
pub fn sleep(duration: Duration) -> Sleep {
    let clock = PageClock::shared();
    let until = clock.now() + duration;
    Sleep { slice: slice(duration), until, clock }
}

/// The future of [`sleep`]. Dropping it cancels the timer.
#[derive(Debug)]
#[must_use = "a timer stops when dropped"]
pub struct Sleep {
    slice: TimeoutFuture,
    until: Instant,
    clock: Rc<PageClock>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(Pin::new(&mut self.slice).poll(context));
            let left = self.until.since(self.clock.now());
            if left.is_zero() {
                return Poll::Ready(());
            }
            self.slice = slice(left);
        }
    }
}

fn slice(left: Duration) -> TimeoutFuture {
    let milliseconds = left.min(MAX_SLICE).as_nanos().div_ceil(1_000_000);
    TimeoutFuture::new(u32::try_from(milliseconds).expect("a slice is at most a minute"))
}

/// After the machine slept, a timer is at most this late. `setTimeout` itself fires at once beyond 24.8 days.
const MAX_SLICE: Duration = Duration::from_secs(60);
