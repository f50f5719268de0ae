//! Equal events as one with a count.

use std::borrow::Cow;

use k8s_openapi::{api::core::v1::Event, apimachinery::pkg::apis::meta::v1::Time};

use super::{
    Write,
    correlator::{LruCache, lru_cache},
};

/// How often each event was seen, and under which name it was written first.
#[derive(Debug)]
pub(super) struct Observations {
    seen: LruCache<Observation>,
}

#[derive(Debug)]
struct Observation {
    count: i32,
    name: Option<String>,
    first: Option<Time>,
}

impl Observations {
    pub(super) fn new(capacity: usize) -> Observations {
        Observations { seen: lru_cache(capacity) }
    }

    /// Counts `event` by `key`: the first is created, any further one is a patch of the first.
    pub(super) fn observe(&mut self, event: Cow<'_, Event>, key: String) -> Write<Event> {
        let mut event = event.into_owned();
        if let Some(before) = self.seen.get_mut(&key) {
            before.count = before.count.saturating_add(1);
            event.count = Some(before.count);
            event.metadata.name.clone_from(&before.name);
            event.first_timestamp.clone_from(&before.first);
            return Write::Patch(event);
        }
        let seen = Observation {
            count: event.count.unwrap_or(1),
            name: event.metadata.name.clone(),
            first: event.first_timestamp.clone(),
        };
        self.seen.put(key, seen);
        Write::Create(event)
    }
}
