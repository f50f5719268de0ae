//! What to write of an event, and whether at all.

use std::{num::NonZeroUsize, time::Duration};

use k8s_openapi::api::core::v1::{Event, EventSource};
use rustc_hash::FxBuildHasher;

use super::{
    Write,
    aggregator::Aggregator,
    observations::Observations,
    spam_filter::{self, SpamFilter},
};
use crate::{record::aggregator, runtime::Instant};

/// Turns many events into few writes: similar ones become one, equal ones are counted, and an object that has too many is
/// not listened to for a while.
///
/// A machine without a clock or requests of its own. The three steps come in this order, and counts rise for skipped events
/// too. What the server answers changes nothing: the counts are the correlator's own. Memory is bounded by
/// [`cache_size`](CorrelatorOptions::cache_size) for each step; what was seen longest ago is forgotten.
///
/// ```
/// use k8s_openapi::api::core::v1::Event;
/// use masthead::{record::{EventCorrelator, Write}, runtime::Instant};
///
/// let mut correlator = EventCorrelator::default();
/// let event = Event { message: Some("pulled".into()), count: Some(1), ..Default::default() };
/// let first = correlator.correlate(&event, Instant::ORIGIN);
/// assert!(matches!(first, Some(Write::Create(_))));
/// let second = correlator.correlate(&event, Instant::ORIGIN);
/// assert!(matches!(second, Some(Write::Patch(event)) if event.count == Some(2)));
/// ```
#[derive(Debug)]
pub struct EventCorrelator {
    aggregator: Aggregator,
    observations: Observations,
    spam_filter: SpamFilter,
}

/// How an [`EventCorrelator`] decides. The defaults are client-go's.
#[derive(Clone, Copy, Debug)]
pub struct CorrelatorOptions {
    /// How many entries each of its three caches holds: 4096.
    pub cache_size: usize,
    /// How many events of one spam key pass at once: 25.
    pub burst: u32,
    /// How many pass a second after that: one in five minutes.
    pub qps: f64,
    /// How many different messages of similar events make them one: 10.
    pub max_events: usize,
    /// How long events stay similar after the last one: ten minutes.
    pub max_interval: Duration,
    /// Which events are similar, and what tells similar ones apart. By default object, source, type and reason, and the
    /// message; not the field of the object.
    pub aggregate_key: fn(&Event) -> (String, String),
    /// What the one event for many similar ones says, given the last of them.
    pub aggregate_message: fn(&Event) -> String,
    /// Which events are limited together. By default those of one object, source and type.
    pub spam_key: fn(&Event) -> String,
}

impl Default for CorrelatorOptions {
    fn default() -> CorrelatorOptions {
        CorrelatorOptions {
            cache_size: 4096,
            burst: 25,
            qps: 1.0 / 300.0,
            max_events: 10,
            max_interval: Duration::from_secs(600),
            aggregate_key: aggregator::by_reason,
            aggregate_message: aggregator::combined,
            spam_key: spam_filter::by_object_and_type,
        }
    }
}

impl EventCorrelator {
    /// A correlator that has seen nothing.
    pub fn new(options: CorrelatorOptions) -> EventCorrelator {
        EventCorrelator {
            aggregator: Aggregator::new(options),
            observations: Observations::new(options.cache_size),
            spam_filter: SpamFilter::new(options),
        }
    }

    /// What to write for `event`; nothing when there were too many of its object.
    pub fn correlate(&mut self, event: &Event, now: Instant) -> Option<Write<Event>> {
        let (event, key) = self.aggregator.aggregate(event, now);
        let write = self.observations.observe(event, key);
        self.spam_filter.accepts(write.event(), now).then_some(write)
    }
}

impl Default for EventCorrelator {
    fn default() -> EventCorrelator {
        EventCorrelator::new(CorrelatorOptions::default())
    }
}

/// A map that forgets the entry that was used least recently.
pub(super) type LruCache<V> = lru::LruCache<String, V, FxBuildHasher>;

/// An empty cache of at most `capacity` entries, and at least one. `resize` sets the bound without reserving memory for it.
pub(super) fn lru_cache<V>(capacity: usize) -> LruCache<V> {
    let mut cache = LruCache::unbounded_with_hasher(FxBuildHasher);
    cache.resize(NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN));
    cache
}

/// One key of many fields. Ends each with a character that none of them has, so that two fields never run together.
pub(super) fn key_of<const N: usize>(fields: [&str; N]) -> String {
    let mut key = String::with_capacity(fields.iter().map(|field| field.len() + 1).sum());
    for field in fields {
        key.push_str(field);
        key.push('\0');
    }
    key
}

/// The component and the host of an event's source.
pub(super) fn source_of(event: &Event) -> [&str; 2] {
    let field = |field: fn(&EventSource) -> &Option<String>| event.source.as_ref().map_or("", |it| text(field(it)));
    [field(|source| &source.component), field(|source| &source.host)]
}

/// What a field says; nothing when it is absent.
pub(crate) fn text(field: &Option<String>) -> &str {
    field.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests;
