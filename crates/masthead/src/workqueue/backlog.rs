//! What there is to do: the two kinds of queue behind one face.

use std::time::Duration;

use super::{desk::End, metrics::MetricsBuffer};
use crate::runtime::Instant;

/// Items that are delayed, ready or being worked on. Has no clock and wakes nobody; holds no borrow when it returns.
pub(super) trait Backlog: 'static {
    type Item: 'static;

    /// Whether workers get what is ready even after the queue was shut down.
    const HANDS_OUT_TO_THE_END: bool;

    /// Whether it matters at present what time it is.
    fn depends_on_time(&self) -> bool;

    /// When the next delayed item is due.
    fn next_due(&self) -> Option<Instant>;

    /// Makes ready what is due at `now`.
    fn settle(&self, now: Instant, changes: &mut MetricsBuffer);

    /// Hands out the next item with its priority.
    fn take(&self, now: Instant, changes: &mut MetricsBuffer) -> Option<(Self::Item, i32)>;

    /// Takes an item back.
    fn finish(&self, item: &Self::Item, end: End, now: Instant, changes: &mut MetricsBuffer);

    /// Forgets what is delayed.
    fn close(&self);

    /// How many items there are that somebody could have, or could have as soon as somebody else is through with them.
    fn len(&self) -> usize;

    /// How many items somebody could have now.
    fn ready(&self) -> usize;

    /// How many items are being worked on.
    fn working(&self) -> usize;

    /// How many items a drain waits for.
    fn left(&self) -> usize;

    /// For how long items have been worked on, in all, and the longest.
    fn unfinished(&self, now: Instant) -> (Duration, Duration);
}
