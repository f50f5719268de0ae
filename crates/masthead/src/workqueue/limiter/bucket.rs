//! One rate for everything.

use std::{cell::RefCell, time::Duration};

use super::RateLimiter;
use crate::{flowcontrol::TokenBucket, runtime::Instant};

/// All items take from one bucket: `burst` at once, then `qps` a second. Each is told when its token is there.
///
/// Knows no item, so it has nothing to forget, and [`num_requeues`](RateLimiter::num_requeues) is always 0.
#[derive(Debug)]
pub struct Bucket {
    bucket: RefCell<TokenBucket>,
}

impl Bucket {
    /// A full bucket.
    pub fn new(qps: f64, burst: u32) -> Bucket {
        Bucket { bucket: RefCell::new(TokenBucket::new(qps, burst)) }
    }
}

impl<T> RateLimiter<T> for Bucket {
    fn when(&self, _item: &T, now: Instant) -> Duration {
        self.bucket.borrow_mut().reserve(now)
    }

    fn forget(&self, _item: &T) {}

    fn num_requeues(&self, _item: &T) -> u32 {
        0
    }
}
