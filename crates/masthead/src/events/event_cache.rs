//! Turns equal events of `events.k8s.io/v1` into one event with a series, and decides when the series is written.

use std::time::Duration;

use k8s_openapi::{
    api::{
        core::v1::ObjectReference,
        events::v1::{Event, EventSeries},
    },
    apimachinery::pkg::apis::meta::v1::MicroTime,
};
use rustc_hash::FxHashMap;

use crate::{record::EventWrite, runtime::Instant};

/// The events that may happen again, by their key: a state machine that reads no clock and sends no requests.
///
/// The first of equal events is created, the second turns it into a series, and later ones are only counted.
/// [`refresh_series`](Self::refresh_series) writes the counts of all series;
/// [`finish_series`](Self::finish_series) removes the events that stopped happening. The server's answers change nothing.
///
/// The cache holds at most 4096 events. One more removes the event that was quiet for the longest time, in a search of all.
///
/// ```
/// use k8s_openapi::{api::events::v1::Event, apimachinery::pkg::apis::meta::v1::MicroTime, jiff::Timestamp};
/// use masthead::{events::EventCache, record::EventWrite, runtime::Instant};
///
/// let mut cache = EventCache::default();
/// let mut observe = || cache.observe(&Event::default(), Instant::ORIGIN, MicroTime(Timestamp::UNIX_EPOCH));
/// assert!(matches!(observe()[..], [EventWrite::Create(_)]));
/// assert!(matches!(observe()[..], [EventWrite::Patch(_)]));
/// assert!(observe().is_empty());
/// ```
#[derive(Debug, Default)]
pub struct EventCache {
    events: FxHashMap<EventKey, CachedEvent>,
}

/// The fields in which equal events agree: all but note, name and time. Absent fields are empty.
type EventKey = [String; 19];

#[derive(Debug)]
struct CachedEvent {
    /// The event as it was created, with the series of its repetitions.
    event: Event,
    last_observed: Instant,
}

impl EventCache {
    /// How long after its last repetition a series is finished.
    pub const FINISH_TIME: Duration = Duration::from_secs(6 * 60);
    /// How often the count of a series is written while it goes on.
    pub const REFRESH_TIME: Duration = Duration::from_secs(30 * 60);
    const LIMIT: usize = 4096;

    /// Counts `event` and returns what to write for it: nothing if it only repeats a series.
    ///
    /// `now` and `time` are the moment of the event by the runtime's clock and by the wall clock.
    pub fn observe(&mut self, event: &Event, now: Instant, time: MicroTime) -> Vec<EventWrite<Event>> {
        let key = event_key(event);
        if let Some(cached) = self.events.get_mut(&key) {
            cached.last_observed = now;
            let count_before = cached.event.series.take().map(|series| series.count);
            let count = count_before.unwrap_or(1).saturating_add(1);
            cached.event.series = Some(EventSeries { count, last_observed_time: time });
            return count_before.is_none().then(|| EventWrite::Patch(cached.event.clone())).into_iter().collect();
        }
        let removed = if self.events.len() < Self::LIMIT { None } else { self.remove_quietest() };
        self.events.insert(key, CachedEvent { event: event.clone(), last_observed: now });
        removed.into_iter().chain([EventWrite::Create(event.clone())]).collect()
    }

    /// Returns a patch with the count of every series.
    pub fn refresh_series(&self) -> Vec<EventWrite<Event>> {
        let series = self.events.values().filter(|cached| cached.event.series.is_some());
        series.map(|cached| EventWrite::Patch(cached.event.clone())).collect()
    }

    /// Removes the events that did not happen for [`FINISH_TIME`](Self::FINISH_TIME), and returns a patch with the last
    /// count of each series among them.
    pub fn finish_series(&mut self, now: Instant) -> Vec<EventWrite<Event>> {
        let finished = self.events.extract_if(|_, cached| now.since(cached.last_observed) > Self::FINISH_TIME);
        finished.filter_map(|(_, cached)| last_write(cached)).collect()
    }

    /// Returns how many events without a series and how many series the cache holds.
    pub fn counts(&self) -> (usize, usize) {
        let series = self.events.values().filter(|cached| cached.event.series.is_some()).count();
        (self.events.len() - series, series)
    }

    fn remove_quietest(&mut self) -> Option<EventWrite<Event>> {
        let quietest = self.events.iter().min_by_key(|(_, cached)| cached.last_observed).map(|(key, _)| key.clone())?;
        self.events.remove(&quietest).and_then(last_write)
    }
}

/// Returns a patch with the last count of an event that has a series.
fn last_write(cached: CachedEvent) -> Option<EventWrite<Event>> {
    cached.event.series.is_some().then_some(EventWrite::Patch(cached.event))
}

fn event_key(event: &Event) -> EventKey {
    let own = [&event.type_, &event.action, &event.reason, &event.reporting_controller, &event.reporting_instance];
    let fields = own.into_iter().chain(event.regarding.iter().flat_map(reference_fields));
    let mut key = EventKey::default();
    for (slot, field) in key.iter_mut().zip(fields) {
        slot.clone_from(field.as_ref().unwrap_or(&String::new()));
    }
    for (slot, field) in key[12..].iter_mut().zip(event.related.iter().flat_map(reference_fields)) {
        slot.clone_from(field.as_ref().unwrap_or(&String::new()));
    }
    key
}

fn reference_fields(object: &ObjectReference) -> [&Option<String>; 7] {
    [
        &object.kind,
        &object.namespace,
        &object.name,
        &object.uid,
        &object.api_version,
        &object.resource_version,
        &object.field_path,
    ]
}

#[cfg(test)]
mod tests;
