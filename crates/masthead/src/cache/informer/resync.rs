//! When handlers are told everything again.

use std::time::Duration;

use crate::runtime::Instant;

/// How often a handler is told everything again; never for no time at all.
///
/// Less than a second counts as a second.
pub(super) fn at_least_a_second(period: Duration) -> Duration {
    if period.is_zero() { period } else { period.max(Duration::from_secs(1)) }
}

/// How often a handler that asks for `asked` is told, where the informer looks every `check`.
pub(super) fn handler_period(asked: Duration, check: Duration) -> Duration {
    match (asked.is_zero(), check.is_zero()) {
        (true, _) | (_, true) => Duration::ZERO,
        _ => asked.max(check),
    }
}

/// When one handler is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    pub(super) period: Duration,
    next: Instant,
}

impl Due {
    pub(super) fn new(period: Duration, now: Instant) -> Due {
        Due { period, next: now + period }
    }

    /// Whether it is due now; if so, it is due next a period from now.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        if self.period.is_zero() || now < self.next {
            return false;
        }
        self.next = now + self.period;
        true
    }
}
