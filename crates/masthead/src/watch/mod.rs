//! Watching beyond one request: a watch that survives its connections, waiting for a condition, and one sender with many
//! receivers.
//!
//! What arrives on a single connection is [`rest::Watch`](crate::rest::Watch).

mod broadcaster;
mod page;
mod retry_watcher;
mod source;
mod until;

pub use broadcaster::{Broadcaster, Watcher, WhenFull};
pub use retry_watcher::RetryWatcher;
pub use source::Source;
pub use until::{until, until_with_sync, until_without_retry};
