//! Asking less often: a token bucket for requests, and a backoff for whatever fails.
//!
//! Both are machines: the time is an argument.

mod backoff;
mod token_bucket;

pub use backoff::Backoff;
pub use token_bucket::TokenBucket;
