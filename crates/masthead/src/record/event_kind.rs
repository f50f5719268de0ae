//! What differs between the events of `core/v1` and of `events.k8s.io/v1`: their JSON, their patches and their retries.
//!
//! The JSON is written by hand. The types' own `Serialize` brings a formatter for any time in any zone along, a fifth of a
//! small program. Fields that only a server sets, such as managed fields, are left out.

use std::{collections::BTreeMap, time::Duration};

use k8s_openapi::{
    api::{
        core::v1::{self as core, EventSource, ObjectReference},
        events::v1 as events,
    },
    apimachinery::pkg::apis::meta::v1::{MicroTime, Time},
    jiff::Timestamp,
};
use kube_core::{NamespaceScope, ObjectMeta, Resource};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{runtime::scaled, timestamp};

/// An event type of the Kubernetes API: that of `core/v1` or of `events.k8s.io/v1`.
pub trait EventKind:
    Clone + Serialize + DeserializeOwned + Resource<DynamicType = (), Scope: NamespaceScope> + 'static
{
    /// Returns the event as JSON for the server.
    fn to_json(&self) -> Value;

    /// Returns the patch that updates the event after it happened again: its count and the time of the last occurrence.
    fn patch(&self) -> Value;

    /// Takes over from `newer` the fields that change when the event happens again.
    fn merge(&mut self, newer: Self);

    /// Returns how long to wait after `failures` failed attempts to write an event. `pause` is the configured wait, and
    /// `jitter` is random, in 0..1.
    fn retry_delay(pause: Duration, failures: u32, jitter: f64) -> Duration;

    /// Whether a patch is retried that found no event, when the creation in its place found one.
    const RETRIES_ALREADY_EXISTS: bool;
}

impl EventKind for core::Event {
    fn to_json(&self) -> Value {
        core_event(self)
    }

    fn patch(&self) -> Value {
        let mut patch = Map::new();
        patch.insert("count".into(), self.count.into());
        patch.insert("lastTimestamp".into(), self.last_timestamp.as_ref().map(time).into());
        if let Some(message) = self.message.as_ref().filter(|message| !message.is_empty()) {
            patch.insert("message".into(), message.as_str().into());
        }
        patch.into()
    }

    fn merge(&mut self, newer: Self) {
        self.count = newer.count;
        self.last_timestamp = newer.last_timestamp;
        self.message = newer.message;
    }

    /// The first delay is random, so that many clients do not come back at once.
    fn retry_delay(pause: Duration, failures: u32, jitter: f64) -> Duration {
        if failures <= 1 { scaled(pause, jitter) } else { pause }
    }

    const RETRIES_ALREADY_EXISTS: bool = false;
}

impl EventKind for events::Event {
    fn to_json(&self) -> Value {
        events_event(self)
    }

    fn patch(&self) -> Value {
        Map::from_iter([("series".into(), self.series.as_ref().map(series).into())]).into()
    }

    fn merge(&mut self, newer: Self) {
        self.series = newer.series;
    }

    /// Each delay is up to a quarter longer than `pause`.
    fn retry_delay(pause: Duration, _failures: u32, jitter: f64) -> Duration {
        scaled(pause, 1.0 + jitter / 4.0)
    }

    /// An event that happens twice at once is created and patched at once.
    const RETRIES_ALREADY_EXISTS: bool = true;
}

fn core_event(event: &core::Event) -> Value {
    let mut json = type_and_metadata("v1", &event.metadata);
    set_texts(
        &mut json,
        &[
            ("action", &event.action),
            ("message", &event.message),
            ("reason", &event.reason),
            ("reportingComponent", &event.reporting_component),
            ("reportingInstance", &event.reporting_instance),
            ("type", &event.type_),
        ],
    );
    json.insert("involvedObject".into(), reference(&event.involved_object));
    set(&mut json, "count", event.count);
    set(&mut json, "eventTime", event.event_time.as_ref().map(micro_time));
    set(&mut json, "firstTimestamp", event.first_timestamp.as_ref().map(time));
    set(&mut json, "lastTimestamp", event.last_timestamp.as_ref().map(time));
    set(&mut json, "related", event.related.as_ref().map(reference));
    set(&mut json, "source", event.source.as_ref().map(source));
    let series = event.series.as_ref();
    set(&mut json, "series", series.map(|series| series_fields(series.count, series.last_observed_time.as_ref())));
    json.into()
}

fn events_event(event: &events::Event) -> Value {
    let mut json = type_and_metadata("events.k8s.io/v1", &event.metadata);
    set_texts(
        &mut json,
        &[
            ("action", &event.action),
            ("note", &event.note),
            ("reason", &event.reason),
            ("reportingController", &event.reporting_controller),
            ("reportingInstance", &event.reporting_instance),
            ("type", &event.type_),
        ],
    );
    set(&mut json, "deprecatedCount", event.deprecated_count);
    set(&mut json, "deprecatedFirstTimestamp", event.deprecated_first_timestamp.as_ref().map(time));
    set(&mut json, "deprecatedLastTimestamp", event.deprecated_last_timestamp.as_ref().map(time));
    set(&mut json, "deprecatedSource", event.deprecated_source.as_ref().map(source));
    set(&mut json, "eventTime", event.event_time.as_ref().map(micro_time));
    set(&mut json, "regarding", event.regarding.as_ref().map(reference));
    set(&mut json, "related", event.related.as_ref().map(reference));
    set(&mut json, "series", event.series.as_ref().map(series));
    json.into()
}

fn series(series: &events::EventSeries) -> Value {
    series_fields(Some(series.count), Some(&series.last_observed_time))
}

/// A time in whole seconds.
fn time(Time(time): &Time) -> Value {
    timestamp::format(since_1970(*time)).into()
}

fn micro_time(MicroTime(time): &MicroTime) -> Value {
    timestamp::format_micro(since_1970(*time)).into()
}

/// Times before 1970 become 1970: no event is older.
fn since_1970(time: Timestamp) -> Duration {
    Duration::from_micros(u64::try_from(time.as_microsecond()).unwrap_or_default())
}

fn series_fields(count: Option<i32>, last: Option<&MicroTime>) -> Value {
    let mut json = Map::new();
    set(&mut json, "count", count);
    set(&mut json, "lastObservedTime", last.map(micro_time));
    json.into()
}

fn type_and_metadata(api_version: &str, metadata: &ObjectMeta) -> Map<String, Value> {
    let mut meta = Map::new();
    set_texts(
        &mut meta,
        &[
            ("generateName", &metadata.generate_name),
            ("name", &metadata.name),
            ("namespace", &metadata.namespace),
            ("resourceVersion", &metadata.resource_version),
            ("uid", &metadata.uid),
        ],
    );
    set(&mut meta, "annotations", metadata.annotations.as_ref().map(string_map));
    set(&mut meta, "labels", metadata.labels.as_ref().map(string_map));
    let mut json = Map::new();
    json.insert("apiVersion".into(), api_version.into());
    json.insert("kind".into(), "Event".into());
    json.insert("metadata".into(), meta.into());
    json
}

fn reference(object: &ObjectReference) -> Value {
    let mut json = Map::new();
    set_texts(
        &mut json,
        &[
            ("apiVersion", &object.api_version),
            ("fieldPath", &object.field_path),
            ("kind", &object.kind),
            ("name", &object.name),
            ("namespace", &object.namespace),
            ("resourceVersion", &object.resource_version),
            ("uid", &object.uid),
        ],
    );
    json.into()
}

fn source(source: &EventSource) -> Value {
    let mut json = Map::new();
    set_texts(&mut json, &[("component", &source.component), ("host", &source.host)]);
    json.into()
}

fn string_map(strings: &BTreeMap<String, String>) -> Value {
    strings.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()
}

fn set_texts(json: &mut Map<String, Value>, fields: &[(&str, &Option<String>)]) {
    for (name, value) in fields {
        set(json, name, value.as_deref());
    }
}

fn set(json: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        json.insert(name.to_owned(), value.into());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{core, core_event, events, events_event};

    const METADATA: &str = r#"{"annotations":{"a":"b"},"generateName":"x-","labels":{"c":"d"},"name":"e","namespace":"f",
        "resourceVersion":"7","uid":"g"}"#;

    fn complete(own: Value) -> Value {
        let object = json!({
            "apiVersion": "v1", "kind": "Pod", "name": "web", "namespace": "f", "uid": "u", "resourceVersion": "9",
            "fieldPath": "spec.containers{web}",
        });
        let time = "2026-02-28T23:59:59Z";
        let mut event = json!({
            "kind": "Event", "action": "Pulling", "reason": "Pulled", "type": "Normal", "reportingInstance": "i",
            "eventTime": "2026-02-28T23:59:59.000123Z", "related": object,
            "series": { "count": 3, "lastObservedTime": "2026-03-01T00:00:00.999999Z" },
        });
        event["metadata"] = serde_json::from_str(METADATA).unwrap();
        for (name, value) in own.as_object().unwrap() {
            event[name] = match value.as_str() {
                Some("object") => object.clone(),
                Some("time") => time.into(),
                Some("source") => json!({ "component": "c", "host": "h" }),
                _ => value.clone(),
            };
        }
        event
    }

    /// `Serialize` of the types is the oracle.
    #[test]
    fn events_are_written_as_their_types_write_them() {
        let event = complete(json!({
            "apiVersion": "v1", "count": 2, "firstTimestamp": "time", "lastTimestamp": "time", "involvedObject": "object",
            "message": "m", "reportingComponent": "c", "source": "source",
        }));
        let typed: core::Event = serde_json::from_value(event.clone()).unwrap();
        assert_eq!(serde_json::to_value(&typed).unwrap(), event);
        assert_eq!(core_event(&typed), event);
        let event = complete(json!({
            "apiVersion": "events.k8s.io/v1", "deprecatedCount": 2, "deprecatedFirstTimestamp": "time",
            "deprecatedLastTimestamp": "time", "deprecatedSource": "source", "regarding": "object", "note": "n",
            "reportingController": "c",
        }));
        let typed: events::Event = serde_json::from_value(event.clone()).unwrap();
        assert_eq!(serde_json::to_value(&typed).unwrap(), event);
        assert_eq!(events_event(&typed), event);
    }

    #[test]
    fn what_is_absent_is_not_written() {
        let (core, events) = (core::Event::default(), events::Event::default());
        assert_eq!(core_event(&core), serde_json::to_value(&core).unwrap());
        assert_eq!(events_event(&events), serde_json::to_value(&events).unwrap());
    }
}
