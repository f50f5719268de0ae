//! Which events are the same again, and when that is written.

use std::time::Duration;

use k8s_openapi::{
    api::{
        core::v1::ObjectReference,
        events::v1::{Event, EventSeries as Series},
    },
    apimachinery::pkg::apis::meta::v1::MicroTime,
};
use rustc_hash::FxHashMap;

use crate::{record::Write, runtime::Instant};

/// Turns equal events into one with a series: a machine without a clock or requests of its own.
///
/// The first is created, the second makes a series of it, and those after that are only counted. [`refresh`](Self::refresh)
/// writes the counts; [`finish`](Self::finish) forgets what is over. At most 4096 are kept; one more ends the series that was
/// quiet for the longest time. What the server answers changes nothing.
#[derive(Debug, Default)]
pub struct EventSeries {
    seen: FxHashMap<Key, Entry>,
}

/// Equal events have an equal key: all but the note, the name and the time.
type Key = [String; 19];

#[derive(Debug)]
struct Entry {
    event: Event,
    last: Instant,
}

impl EventSeries {
    /// After how long without a repetition a series is over.
    pub const FINISH: Duration = Duration::from_secs(6 * 60);
    /// How often the count of a series is written while it goes on.
    pub const REFRESH: Duration = Duration::from_secs(30 * 60);
    const LIMIT: usize = 4096;

    /// What to write for `event`, seen at `now`, which is `time` by a person's clock. Nothing if it was only counted.
    pub fn observe(&mut self, event: &Event, now: Instant, time: MicroTime) -> Vec<Write<Event>> {
        let key = key_of(event);
        if let Some(entry) = self.seen.get_mut(&key) {
            entry.last = now;
            let before = entry.event.series.take().map(|series| series.count);
            let count = before.unwrap_or(1).saturating_add(1);
            entry.event.series = Some(Series { count, last_observed_time: time });
            return before.is_none().then(|| Write::Patch(entry.event.clone())).into_iter().collect();
        }
        let pushed_out = if self.seen.len() < Self::LIMIT { None } else { self.end_quietest() };
        self.seen.insert(key, Entry { event: event.clone(), last: now });
        pushed_out.into_iter().chain([Write::Create(event.clone())]).collect()
    }

    /// The count of every series.
    pub fn refresh(&self) -> Vec<Write<Event>> {
        let series = self.seen.values().filter(|entry| entry.event.series.is_some());
        series.map(|entry| Write::Patch(entry.event.clone())).collect()
    }

    /// Forgets what has not been seen for [`FINISH`](Self::FINISH), and gives the last count of each series among it.
    pub fn finish(&mut self, now: Instant) -> Vec<Write<Event>> {
        let over = self.seen.extract_if(|_, entry| now.since(entry.last) > Self::FINISH);
        over.filter_map(|(_, entry)| last_write(entry)).collect()
    }

    /// How many are kept: events without a series, and series.
    pub fn kept(&self) -> (usize, usize) {
        let series = self.seen.values().filter(|entry| entry.event.series.is_some()).count();
        (self.seen.len() - series, series)
    }

    fn end_quietest(&mut self) -> Option<Write<Event>> {
        let quietest = self.seen.iter().min_by_key(|(_, entry)| entry.last).map(|(key, _)| key.clone())?;
        self.seen.remove(&quietest).and_then(last_write)
    }
}

fn last_write(entry: Entry) -> Option<Write<Event>> {
    entry.event.series.is_some().then_some(Write::Patch(entry.event))
}

fn key_of(event: &Event) -> Key {
    let own = [&event.type_, &event.action, &event.reason, &event.reporting_controller, &event.reporting_instance];
    let fields = own.into_iter().chain(event.regarding.iter().flat_map(fields_of));
    let mut key = Key::default();
    for (place, field) in key.iter_mut().zip(fields) {
        place.clone_from(field.as_ref().unwrap_or(&String::new()));
    }
    for (place, field) in key[12..].iter_mut().zip(event.related.iter().flat_map(fields_of)) {
        place.clone_from(field.as_ref().unwrap_or(&String::new()));
    }
    key
}

fn fields_of(object: &ObjectReference) -> [&Option<String>; 7] {
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
