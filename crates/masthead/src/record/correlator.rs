//! Decides what is written for a recorded event: client-go's event correlator.
//!
//! [`EventCorrelator`] passes each event through three steps, in this order: the aggregator replaces similar events by one
//! event, the logger counts equal events, and the spam filter skips events of an object that has too many. All three are
//! state machines: they read no clock and send no requests.

use std::{borrow::Cow, collections::VecDeque, num::NonZeroUsize, time::Duration};

use k8s_openapi::{
    api::core::v1::{Event, EventSource},
    apimachinery::pkg::apis::meta::v1::Time,
};
use kube_core::ObjectMeta;
use rustc_hash::FxBuildHasher;

use super::EventWrite;
use crate::{flowcontrol::TokenBucket, runtime::Instant};

/// Turns many events into few writes: similar events become one, equal events are counted, and events of an object that
/// has too many are skipped.
///
/// Counts rise for skipped events too. The server's answers change nothing: the correlator counts what it was given.
/// Each step remembers at most [`cache_size`](CorrelatorOptions::cache_size) keys and forgets the least recently used.
///
/// ```
/// use k8s_openapi::api::core::v1::Event;
/// use masthead::{record::{EventCorrelator, EventWrite}, runtime::Instant};
///
/// let mut correlator = EventCorrelator::default();
/// let event = Event { message: Some("pulled".into()), count: Some(1), ..Default::default() };
/// let first = correlator.correlate(&event, Instant::ORIGIN);
/// assert!(matches!(first, Some(EventWrite::Create(_))));
/// let second = correlator.correlate(&event, Instant::ORIGIN);
/// assert!(matches!(second, Some(EventWrite::Patch(event)) if event.count == Some(2)));
/// ```
#[derive(Debug)]
pub struct EventCorrelator {
    aggregator: EventAggregator,
    logger: EventLogger,
    spam_filter: EventSourceObjectSpamFilter,
}

/// The limits and keys of an [`EventCorrelator`]. The defaults are client-go's.
#[derive(Clone, Copy, Debug)]
pub struct CorrelatorOptions {
    /// How many keys each of the three steps remembers: 4096.
    pub cache_size: usize,
    /// How many events of one spam key pass at once: 25.
    pub burst: u32,
    /// How many events of one spam key pass per second after the burst: one in five minutes.
    pub qps: f64,
    /// How many different messages of similar events turn them into one event: 10.
    pub max_events: usize,
    /// How long after the last similar event the next one still counts as similar: ten minutes.
    pub max_interval: Duration,
    /// Returns the key that similar events share and the key that tells them apart. By default the first is made of object,
    /// source, type and reason, without the object's field path, and the second is the message.
    pub aggregate_key: fn(&Event) -> (String, String),
    /// Returns the message of the event that replaces similar ones, given the last of them.
    pub aggregate_message: fn(&Event) -> String,
    /// Returns the key of the events that share one burst. By default it is made of object, source and type.
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
            aggregate_key: aggregate_by_reason,
            aggregate_message: aggregate_by_reason_message,
            spam_key,
        }
    }
}

impl EventCorrelator {
    /// A correlator that has seen no events.
    pub fn new(options: CorrelatorOptions) -> EventCorrelator {
        EventCorrelator {
            aggregator: EventAggregator { cache: lru_cache(options.cache_size), options },
            logger: EventLogger { cache: lru_cache(options.cache_size) },
            spam_filter: EventSourceObjectSpamFilter { cache: lru_cache(options.cache_size), options },
        }
    }

    /// Returns what to write for `event`, or `None` if the spam filter skips it.
    pub fn correlate(&mut self, event: &Event, now: Instant) -> Option<EventWrite<Event>> {
        let (event, key) = self.aggregator.aggregate(event, now);
        let write = self.logger.observe(event, key);
        self.spam_filter.accepts(write.event(), now).then_some(write)
    }
}

impl Default for EventCorrelator {
    fn default() -> EventCorrelator {
        EventCorrelator::new(CorrelatorOptions::default())
    }
}

/// Replaces similar events by one event once there are too many different ones.
#[derive(Debug)]
struct EventAggregator {
    options: CorrelatorOptions,
    cache: LruCache<AggregateRecord>,
}

/// The similar events of one aggregate key.
#[derive(Debug, Default)]
struct AggregateRecord {
    /// The local key of each different event, oldest first. Between two calls there are fewer than `max_events`.
    local_keys: VecDeque<String>,
    last_seen: Instant,
}

impl EventAggregator {
    /// Returns the event to count and the key to count it by.
    fn aggregate<'a>(&mut self, event: &'a Event, now: Instant) -> (Cow<'a, Event>, String) {
        let (aggregate_key, local_key) = (self.options.aggregate_key)(event);
        let record = self.cache.get_or_insert_mut_ref(&aggregate_key, AggregateRecord::default);
        if now.since(record.last_seen) > self.options.max_interval {
            record.local_keys.clear();
        }
        record.last_seen = now;
        if !record.local_keys.contains(&local_key) {
            record.local_keys.push_back(local_key);
        }
        if record.local_keys.len() < self.options.max_events {
            return (Cow::Borrowed(event), event_key(event));
        }
        // Removes one key, so that the next different event is aggregated again.
        record.local_keys.pop_front();
        let message = (self.options.aggregate_message)(event);
        (Cow::Owned(aggregate_event(event, message)), aggregate_key)
    }
}

/// The event that replaces all events similar to `event`. It takes over the name of `event`, which is not written itself.
fn aggregate_event(event: &Event, message: String) -> Event {
    Event {
        metadata: ObjectMeta {
            name: event.metadata.name.clone(),
            namespace: event.metadata.namespace.clone(),
            ..ObjectMeta::default()
        },
        count: Some(1),
        first_timestamp: event.last_timestamp.clone(),
        involved_object: event.involved_object.clone(),
        last_timestamp: event.last_timestamp.clone(),
        message: Some(message),
        type_: event.type_.clone(),
        reason: event.reason.clone(),
        source: event.source.clone(),
        ..Event::default()
    }
}

/// Counts equal events and remembers the name of the first, so that the others become patches of it.
#[derive(Debug)]
struct EventLogger {
    cache: LruCache<EventLog>,
}

/// What was observed of one event.
#[derive(Debug)]
struct EventLog {
    count: i32,
    name: Option<String>,
    first_timestamp: Option<Time>,
}

impl EventLogger {
    /// Counts `event` by `key`: the first event of a key is created, each later one patches the first.
    fn observe(&mut self, event: Cow<'_, Event>, key: String) -> EventWrite<Event> {
        let mut event = event.into_owned();
        if let Some(log) = self.cache.get_mut(&key) {
            log.count = log.count.saturating_add(1);
            event.count = Some(log.count);
            event.metadata.name.clone_from(&log.name);
            event.first_timestamp.clone_from(&log.first_timestamp);
            return EventWrite::Patch(event);
        }
        let log = EventLog {
            count: event.count.unwrap_or(1),
            name: event.metadata.name.clone(),
            first_timestamp: event.first_timestamp.clone(),
        };
        self.cache.put(key, log);
        EventWrite::Create(event)
    }
}

/// Limits the events of one source about one object: a burst passes, and few after it.
#[derive(Debug)]
struct EventSourceObjectSpamFilter {
    options: CorrelatorOptions,
    cache: LruCache<TokenBucket>,
}

impl EventSourceObjectSpamFilter {
    fn accepts(&mut self, event: &Event, now: Instant) -> bool {
        let CorrelatorOptions { burst, qps, spam_key, .. } = self.options;
        self.cache.get_or_insert_mut(spam_key(event), || TokenBucket::new(qps, burst)).try_accept(now)
    }
}

/// Returns the key that equal events share.
fn event_key(event: &Event) -> String {
    let [component, host] = source_fields(event);
    let object = &event.involved_object;
    join_fields([
        component,
        host,
        text(&object.kind),
        text(&object.namespace),
        text(&object.name),
        text(&object.field_path),
        text(&object.uid),
        text(&object.api_version),
        text(&event.type_),
        text(&event.reason),
        text(&event.message),
    ])
}

/// Aggregates events of one object, source, type and reason; the message tells them apart.
fn aggregate_by_reason(event: &Event) -> (String, String) {
    let key = spam_key(event)
        + &join_fields([text(&event.reason), text(&event.reporting_component), text(&event.reporting_instance)]);
    (key, text(&event.message).to_owned())
}

/// Returns the message of `event`, marked as one of several.
fn aggregate_by_reason_message(event: &Event) -> String {
    format!("(combined from similar events): {}", text(&event.message))
}

/// Limits events of one object, source and type together.
fn spam_key(event: &Event) -> String {
    let [component, host] = source_fields(event);
    let object = &event.involved_object;
    join_fields([
        component,
        host,
        text(&object.kind),
        text(&object.namespace),
        text(&object.name),
        text(&object.uid),
        text(&object.api_version),
        text(&event.type_),
    ])
}

/// Joins fields to one key. A NUL ends each field, so that `ab` and `c` differ from `a` and `bc`.
fn join_fields<const N: usize>(fields: [&str; N]) -> String {
    let mut key = String::with_capacity(fields.iter().map(|field| field.len() + 1).sum());
    for field in fields {
        key.push_str(field);
        key.push('\0');
    }
    key
}

/// Returns component and host of the event's source.
fn source_fields(event: &Event) -> [&str; 2] {
    let field = |field: fn(&EventSource) -> &Option<String>| event.source.as_ref().map_or("", |it| text(field(it)));
    [field(|source| &source.component), field(|source| &source.host)]
}

/// Returns the text of an optional field, empty if it is absent.
pub(crate) fn text(field: &Option<String>) -> &str {
    field.as_deref().unwrap_or_default()
}

/// A map that forgets the least recently used key.
type LruCache<V> = lru::LruCache<String, V, FxBuildHasher>;

/// An empty cache of at most `capacity` keys, and at least one. `resize` sets the bound without reserving memory for it.
fn lru_cache<V>(capacity: usize) -> LruCache<V> {
    let mut cache = LruCache::unbounded_with_hasher(FxBuildHasher);
    cache.resize(NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN));
    cache
}

#[cfg(test)]
mod tests;
