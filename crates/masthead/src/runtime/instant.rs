//! A point in time that works where `std::time::Instant` does not.

use std::{
    ops::{Add, Sub},
    time::Duration,
};

/// A point in time of one clock, as the time since that clock's origin.
///
/// `std::time::Instant` panics on wasm32-unknown-unknown and cannot be made up in a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// The clock's origin.
    pub const ORIGIN: Instant = Instant(Duration::ZERO);

    /// The time from `earlier` to this, or none if it is later.
    pub fn since(self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, duration: Duration) -> Instant {
        Instant(self.0.saturating_add(duration))
    }
}

impl Sub<Instant> for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.since(earlier)
    }
}
