//! A rate with a burst.

use std::time::Duration;

use crate::runtime::Instant;

/// Lets `burst` requests through at once and `qps` a second after that.
///
/// Requests may be reserved ahead of time: each is told how long to wait, in the order they come.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    qps: f64,
    burst: f64,
    /// Requests that may pass at `updated`; negative when later ones are reserved.
    tokens: f64,
    updated: Instant,
}

impl TokenBucket {
    /// A full bucket.
    pub fn new(qps: f64, burst: u32) -> TokenBucket {
        let burst = f64::from(burst);
        TokenBucket { qps, burst, tokens: burst, updated: Instant::ORIGIN }
    }

    /// Takes a token if one is there now.
    pub fn try_accept(&mut self, now: Instant) -> bool {
        self.refill(now);
        let there = self.tokens >= 1.0;
        if there {
            self.tokens -= 1.0;
        }
        there
    }

    /// Takes the next token, and says how long until it is there; for ever if it never will be.
    pub fn reserve(&mut self, now: Instant) -> Duration {
        self.refill(now);
        if self.burst < 1.0 {
            return Duration::MAX;
        }
        self.tokens -= 1.0;
        if self.tokens >= 0.0 {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f64(-self.tokens / self.qps).unwrap_or(Duration::MAX)
    }

    /// Tokens a second.
    pub fn qps(&self) -> f64 {
        self.qps
    }

    fn refill(&mut self, now: Instant) {
        let passed = now.since(self.updated).as_secs_f64();
        self.tokens = (self.tokens + passed * self.qps).min(self.burst);
        self.updated = self.updated.max(now);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Instant, TokenBucket};

    #[test]
    fn a_burst_passes_and_then_the_rate_holds() {
        let mut bucket = TokenBucket::new(10.0, 3);
        let waits: Vec<u128> = (0..5).map(|_| bucket.reserve(Instant::ORIGIN).as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 100, 200]);
        let later = Instant::ORIGIN + Duration::from_secs(60);
        assert_eq!((0..4).filter(|_| bucket.try_accept(later)).count(), 3, "a rest fills no more than the burst");
    }

    #[test]
    fn a_token_that_never_comes_is_waited_for_for_ever() {
        let check = |qps: f64, burst: u32, waits: [Duration; 3]| {
            let mut bucket = TokenBucket::new(qps, burst);
            assert_eq!([(); 3].map(|()| bucket.reserve(Instant::ORIGIN)), waits, "{qps} {burst}");
        };
        check(0.0, 1, [Duration::ZERO, Duration::MAX, Duration::MAX]);
        check(-1.0, 1, [Duration::ZERO, Duration::MAX, Duration::MAX]);
        check(1e-300, 2, [Duration::ZERO, Duration::ZERO, Duration::MAX]);
        check(10.0, 0, [Duration::MAX; 3]);
        check(f64::INFINITY, 1, [Duration::ZERO; 3]);
    }
}
