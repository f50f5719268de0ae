//! How long to wait before the next attempt.

use std::time::Duration;

/// Waits that double from half a second to ten seconds, less a random part of up to a half.
///
/// The server is a proxy on the same machine, and somebody sits in front of the page: asking is cheap, waiting is not.
#[derive(Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The wait after one more failure; `random` is in 0..1.
    pub fn next(&mut self, random: f64) -> Duration {
        let full = FIRST.saturating_mul(1 << self.failures.min(10)).min(LONGEST);
        self.failures = self.failures.saturating_add(1);
        full.mul_f64(1.0 - random.clamp(0.0, 1.0) / 2.0)
    }

    /// Forgets the failures: something worked.
    pub fn reset(&mut self) {
        self.failures = 0;
    }
}

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(random: f64, count: usize) -> Vec<u128> {
        let mut backoff = Backoff::default();
        (0..count).map(|_| backoff.next(random).as_millis()).collect()
    }

    #[test]
    fn doubles_to_a_bound() {
        assert_eq!(waits(0.0, 7), [500, 1000, 2000, 4000, 8000, 10000, 10000]);
    }

    #[test]
    fn jitter_takes_at_most_half() {
        assert_eq!(waits(1.0, 3), [250, 500, 1000]);
    }

    #[test]
    fn starts_again_after_a_success() {
        let mut backoff = Backoff::default();
        for _ in 0..40 {
            backoff.next(0.0);
        }
        backoff.reset();
        assert_eq!(backoff.next(0.0), FIRST);
    }
}
