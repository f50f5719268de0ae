//! How long things took, in classes.

use std::time::Duration;

/// Durations, counted by how long they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// How many there were.
    pub count: u64,
    /// How long they took together.
    pub sum: Duration,
    /// The longest.
    pub max: Duration,
    /// The one before now.
    pub last: Duration,
    /// How many took at most [`bound`](Self::bound) of this place and more than that of the place before; in the last place
    /// those that took longer than all bounds.
    pub buckets: [u64; Histogram::BOUNDS + 1],
}

impl Histogram {
    /// How many bounds there are.
    pub const BOUNDS: usize = 12;

    /// The bounds are controller-runtime's: 10 ns, ten times as much for each further place, 1000 s in the last.
    pub fn bound(place: usize) -> Duration {
        let power = u32::try_from(place.min(Histogram::BOUNDS - 1)).unwrap_or_default();
        Duration::from_nanos(10 * 10u64.pow(power))
    }

    /// How long they took on average; nothing if there were none.
    pub fn mean(&self) -> Duration {
        u32::try_from(self.count).ok().and_then(|count| self.sum.checked_div(count)).unwrap_or_default()
    }

    pub(super) fn observe(&mut self, duration: Duration) {
        self.count += 1;
        self.sum = self.sum.saturating_add(duration);
        self.max = self.max.max(duration);
        self.last = duration;
        let place = (0..Histogram::BOUNDS).find(|place| duration <= Histogram::bound(*place));
        self.buckets[place.unwrap_or(Histogram::BOUNDS)] += 1;
    }
}
