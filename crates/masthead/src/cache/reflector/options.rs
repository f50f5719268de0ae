//! Options of a reflector.

use std::time::Duration;

use crate::retry::Backoff;

/// How a reflector reads a collection and keeps it up to date. The defaults suit a page in a browser.
#[derive(Clone, Debug, PartialEq)]
pub struct ReflectorOptions {
    /// How the whole collection is read.
    pub initial: Initial,
    /// The number of objects per list page. If `None`, the reflector decides.
    pub page_size: Option<u32>,
    /// The shortest timeout of a watch request; each watch gets a random timeout of one to two times this. Values below
    /// [`MIN_WATCH_TIMEOUT`](Self::MIN_WATCH_TIMEOUT) are raised to it.
    pub min_watch_timeout: Duration,
    /// After this many streams in a row that closed before their initial events were complete, the reflector lists
    /// instead. client-go retries forever; some proxies never let such a stream complete.
    pub cut_short_limit: u32,
    /// The backoff after failures, reset after two minutes. If `None`, client-go's 0.8 s to 30 s while the server
    /// refuses requests, and at most a few seconds while it cannot be reached.
    pub backoff: Option<Backoff>,
    /// For how long the reflector resumes a watch at once after an internal error of the server. After that it relists.
    /// Zero, the default, is never.
    pub max_internal_error_retry: Duration,
}

/// How a reflector reads the whole collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Initial {
    /// Lists the latest state in pages. Responses are compressed, the first objects arrive early, and the main thread
    /// stays responsive.
    #[default]
    Pages,
    /// Lists the state in the server's watch cache, as client-go does without `WatchList`: in one page, if the
    /// server has the cache.
    Cached,
    /// Streams the state as initial events of a watch, which then continues (client-go's `WatchList`). Lists as
    /// `Cached` does if the server does not support it.
    Stream,
}

impl ReflectorOptions {
    /// The minimum for [`min_watch_timeout`](Self::min_watch_timeout).
    pub const MIN_WATCH_TIMEOUT: Duration = Duration::from_secs(300);
}

impl Default for ReflectorOptions {
    fn default() -> ReflectorOptions {
        ReflectorOptions {
            initial: Initial::Pages,
            page_size: None,
            min_watch_timeout: ReflectorOptions::MIN_WATCH_TIMEOUT,
            cut_short_limit: 3,
            backoff: None,
            max_internal_error_retry: Duration::ZERO,
        }
    }
}
