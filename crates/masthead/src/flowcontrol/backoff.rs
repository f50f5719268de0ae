//! Delays that double while something keeps failing.

use std::{collections::HashMap, time::Duration};

use crate::runtime::Instant;

/// The delay of each of many things, by name: doubled by every failure up to a bound, forgotten by success or idleness.
#[derive(Clone, Debug)]
pub struct Backoff {
    initial: Duration,
    max: Duration,
    /// Bounded by what fails within twice `max`: older entries are dropped when one is added.
    entries: HashMap<String, Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    delay: Duration,
    failed: Instant,
}

impl Backoff {
    /// Delays from `initial` to `max`.
    pub fn new(initial: Duration, max: Duration) -> Backoff {
        Backoff { initial, max, entries: HashMap::new() }
    }

    /// The present delay of `id`; none if it did not fail lately.
    pub fn delay(&self, id: &str, now: Instant) -> Duration {
        self.entries.get(id).filter(|entry| !self.is_idle(entry, now)).map_or(Duration::ZERO, |entry| entry.delay)
    }

    /// Notes a failure of `id`.
    pub fn failed(&mut self, id: &str, now: Instant) {
        let max = self.max;
        let delay = match self.delay(id, now) {
            Duration::ZERO => self.initial,
            delay => delay.saturating_mul(2).min(max),
        };
        self.entries.retain(|_, entry| now.since(entry.failed) <= max.saturating_mul(2));
        self.entries.insert(id.to_owned(), Entry { delay, failed: now });
    }

    /// Notes a success of `id`.
    pub fn reset(&mut self, id: &str) {
        self.entries.remove(id);
    }

    fn is_idle(&self, entry: &Entry, now: Instant) -> bool {
        now.since(entry.failed) > self.max.saturating_mul(2)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Backoff, Instant};

    #[test]
    fn rq_19_delays_double_to_the_bound_and_are_forgotten() {
        let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(50));
        let mut now = Instant::ORIGIN;
        let mut seen = Vec::new();
        for _ in 0..10 {
            seen.push(backoff.delay("a", now).as_secs());
            backoff.failed("a", now);
            now = now + backoff.delay("a", now);
        }
        assert_eq!(seen, [0, 1, 2, 4, 8, 16, 32, 50, 50, 50]);
        assert_eq!(backoff.delay("b", now), Duration::ZERO);
        let idle = now + Duration::from_secs(101);
        assert_eq!(backoff.delay("a", idle), Duration::ZERO);
        backoff.failed("a", idle);
        assert_eq!(backoff.delay("a", idle), Duration::from_secs(1));
        backoff.reset("a");
        assert_eq!(backoff.delay("a", idle), Duration::ZERO);
    }

    #[test]
    fn a_delay_without_a_bound_is_for_ever_in_the_end() {
        let mut backoff = Backoff::new(Duration::from_secs(1), Duration::MAX);
        (0..100).for_each(|_| backoff.failed("a", Instant::ORIGIN));
        assert_eq!(backoff.delay("a", Instant::ORIGIN), Duration::MAX);
    }
}
