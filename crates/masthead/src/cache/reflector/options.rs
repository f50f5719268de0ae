//! How a reflector reads.

use std::time::Duration;

use crate::retry::Backoff;

/// How a reflector gets at the present state and how it keeps up.
#[derive(Clone, Debug, PartialEq)]
pub struct ReflectorOptions {
    /// How the present state is read.
    pub initial: Initial,
    /// How many objects a page of a list has; the reflector decides where this is `None`.
    pub page_size: Option<u32>,
    /// The shortest life that is asked of a watch; the longest is twice that. Less than
    /// [`MIN_WATCH_TIMEOUT`](Self::MIN_WATCH_TIMEOUT) counts as that.
    pub min_watch_timeout: Duration,
    /// After how many streams that were closed before their state was complete lists are used instead. client-go tries for
    /// ever, which behind some proxies is what it takes.
    pub cut_short_limit: u32,
    /// The waits after failures, which begin anew two minutes after they began; the reflector decides where this is `None`:
    /// as client-go does from 0.8 s to 30 s where the server refuses, and at most a few seconds where nobody answers.
    pub backoff: Option<Backoff>,
    /// For how long a watch that the server ends with an internal error is opened again at once, where it left off; after
    /// that everything is listed. Zero, as by default, is never.
    pub max_internal_error_retry: Duration,
}

/// How the present state of a collection is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Initial {
    /// As a list of the latest state, in pages: compressed, the first objects at once, and a main thread that breathes.
    #[default]
    Pages,
    /// As a list of what the server has in its cache, as client-go does without streams: in one piece, where the server has
    /// a cache.
    Cached,
    /// As the beginning of a watch, which then goes on (client-go's WatchList); a list as with `Cached` where the server
    /// cannot do that.
    Stream,
}

impl ReflectorOptions {
    /// The shortest life that is ever asked of a watch.
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
