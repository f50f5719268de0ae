//! How long a lease lasts and how often it is renewed.

use std::time::Duration;

use crate::{Error, runtime::scaled};

/// The times of an election. All candidates should have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// How long a candidate waits without seeing the record change before it takes over. The record holds whole seconds.
    pub lease_duration: Duration,
    /// How long the leader goes on trying to renew before it gives up.
    pub renew_deadline: Duration,
    /// The time between two attempts.
    pub retry_period: Duration,
}

impl Config {
    /// By how much of itself the time between two attempts to acquire is lengthened at most.
    pub const JITTER: f64 = 1.2;

    /// Fails unless a lease lasts longer than renewing may take, and renewing longer than the longest pause.
    pub fn validate(&self) -> Result<(), Error> {
        let refuse = |why: &str| Err(Error::invalid("configure leader election", why));
        if self.lease_duration <= self.renew_deadline {
            return refuse("leaseDuration must be greater than renewDeadline");
        }
        if self.renew_deadline <= scaled(self.retry_period, Self::JITTER) {
            return refuse("renewDeadline must be greater than retryPeriod*JitterFactor");
        }
        if self.retry_period.is_zero() {
            return refuse("retryPeriod must be greater than zero");
        }
        if self.lease_duration.as_secs() == 0 {
            return refuse("leaseDuration must be at least a second");
        }
        Ok(())
    }

    /// How long one request about the lock may take.
    pub(super) fn request_timeout(&self) -> Duration {
        (self.renew_deadline / 2).max(Duration::from_secs(1))
    }
}

impl Default for Config {
    /// The times of Kubernetes' own components: 15 s, 10 s and 2 s.
    fn default() -> Config {
        let [lease_duration, renew_deadline, retry_period] = [15, 10, 2].map(Duration::from_secs);
        Config { lease_duration, renew_deadline, retry_period }
    }
}
