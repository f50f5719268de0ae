//! Equal events as one with a count.

use std::borrow::Cow;

use k8s_openapi::{api::core::v1::Event, apimachinery::pkg::apis::meta::v1::Time};

use super::{Write, lru::Lru};

/// How often each event was seen, and under which name it was written first.
#[derive(Debug)]
pub(super) struct Observations {
    seen: Lru<Option<Observation>>,
}

#[derive(Debug)]
struct Observation {
    count: i32,
    name: Option<String>,
    first: Option<Time>,
}

impl Observations {
    pub(super) fn new(capacity: usize) -> Observations {
        Observations { seen: Lru::new(capacity) }
    }

    /// Counts `event` by `key`: the first is created, any further one is a patch of the first.
    pub(super) fn observe(&mut self, event: Cow<'_, Event>, key: &str) -> Write<Event> {
        let mut event = event.into_owned();
        let (seen, _) = self.seen.entry(key, || None);
        if let Some(before) = seen {
            before.count = before.count.saturating_add(1);
            event.count = Some(before.count);
            event.metadata.name.clone_from(&before.name);
            event.first_timestamp.clone_from(&before.first);
            return Write::Patch(event);
        }
        *seen = Some(Observation {
            count: event.count.unwrap_or(1),
            name: event.metadata.name.clone(),
            first: event.first_timestamp.clone(),
        });
        Write::Create(event)
    }
}
