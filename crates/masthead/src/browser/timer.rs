//! Timers that may be as long as a program lives.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use gloo_timers::future::TimeoutFuture;

/// Completes once `duration` has passed.
///
/// The timer starts now, not at the first poll. Pages in the background are woken at most once a second, so it may be
/// late but is never early.
pub fn sleep(duration: Duration) -> Sleep {
    let mut left = duration.as_nanos().div_ceil(1_000_000);
    Sleep { slice: TimeoutFuture::new(take_slice(&mut left)), left }
}

/// The future of [`sleep`]. Dropping it cancels the timer.
#[derive(Debug)]
#[must_use = "a timer stops when dropped"]
pub struct Sleep {
    slice: TimeoutFuture,
    /// Milliseconds after the current slice.
    left: u128,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(Pin::new(&mut self.slice).poll(context));
            if self.left == 0 {
                return Poll::Ready(());
            }
            self.slice = TimeoutFuture::new(take_slice(&mut self.left));
        }
    }
}

/// `setTimeout` fires at once when asked for more than `i32::MAX` milliseconds (24.8 days), so that a longer wait is cut.
fn take_slice(left: &mut u128) -> u32 {
    let slice = u32::try_from(*left).unwrap_or(MAX_SLICE).min(MAX_SLICE);
    *left -= u128::from(slice);
    slice
}

const MAX_SLICE: u32 = i32::MAX.unsigned_abs();
