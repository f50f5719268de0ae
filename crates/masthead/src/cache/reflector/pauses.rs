//! How long to wait after one failure after another.

use std::time::Duration;

use crate::runtime::Instant;

/// Doubling pauses, as long as failures follow each other.
///
/// Two minutes without a failure make the next one the first again. (client-go, since 0.36, begins again every two minutes
/// even while all attempts fail.)
#[derive(Debug, Default)]
pub(super) struct Pauses {
    failures: u32,
    last: Option<Instant>,
}

const FIRST: Duration = Duration::from_millis(800);
const LONGEST: Duration = Duration::from_secs(30);
const FORGOTTEN_AFTER: Duration = Duration::from_secs(120);

impl Pauses {
    /// The pause after a failure now; `draw`, in 0..1, lengthens it by up to itself.
    pub(super) fn next(&mut self, now: Instant, draw: f64) -> Duration {
        if self.last.is_some_and(|last| now.since(last) >= FORGOTTEN_AFTER) {
            self.failures = 0;
        }
        let pause = FIRST.saturating_mul(1 << self.failures.min(16)).min(LONGEST).mul_f64(1.0 + draw);
        self.failures += 1;
        self.last = Some(now + pause);
        pause
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Pauses;
    use crate::runtime::Instant;

    #[test]
    fn pauses_double_up_to_half_a_minute_and_begin_again_after_two() {
        let (mut pauses, mut now) = (Pauses::default(), Instant::ORIGIN);
        let mut next = |wait: u64, draw: f64| {
            now = now + Duration::from_secs(wait);
            let pause = pauses.next(now, draw);
            now = now + pause;
            pause.as_millis()
        };
        let first: Vec<u128> = (0..8).map(|_| next(0, 0.0)).collect();
        assert_eq!(first, [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
        assert_eq!(next(119, 0.5), 45000);
        assert_eq!(next(120, 0.0), 800);
    }
}
