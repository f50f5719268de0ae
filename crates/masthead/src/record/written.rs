//! Events as they are written to a server.
//!
//! By hand: the types' own way to write a time brings a formatter for any time in any zone along, a fifth of a small program.
//! What only a server sets, such as managed fields, is left out.

use std::{collections::BTreeMap, time::Duration};

use k8s_openapi::{
    api::{
        core::v1::{self as core, EventSource, ObjectReference},
        events::v1 as events,
    },
    apimachinery::pkg::apis::meta::v1::{MicroTime, Time},
    jiff::Timestamp,
};
use kube_core::ObjectMeta;
use serde_json::{Map, Value};

use crate::timestamp;

/// An event of `core/v1`.
pub(super) fn core_event(event: &core::Event) -> Value {
    let mut written = begun("v1", &event.metadata);
    texts(
        &mut written,
        &[
            ("action", &event.action),
            ("message", &event.message),
            ("reason", &event.reason),
            ("reportingComponent", &event.reporting_component),
            ("reportingInstance", &event.reporting_instance),
            ("type", &event.type_),
        ],
    );
    written.insert("involvedObject".into(), reference(&event.involved_object));
    set(&mut written, "count", event.count);
    set(&mut written, "eventTime", event.event_time.as_ref().map(micro_time));
    set(&mut written, "firstTimestamp", event.first_timestamp.as_ref().map(time));
    set(&mut written, "lastTimestamp", event.last_timestamp.as_ref().map(time));
    set(&mut written, "related", event.related.as_ref().map(reference));
    set(&mut written, "source", event.source.as_ref().map(source));
    let series = event.series.as_ref();
    set(&mut written, "series", series.map(|series| series_of(series.count, series.last_observed_time.as_ref())));
    written.into()
}

/// An event of `events.k8s.io/v1`.
pub(super) fn events_event(event: &events::Event) -> Value {
    let mut written = begun("events.k8s.io/v1", &event.metadata);
    texts(
        &mut written,
        &[
            ("action", &event.action),
            ("note", &event.note),
            ("reason", &event.reason),
            ("reportingController", &event.reporting_controller),
            ("reportingInstance", &event.reporting_instance),
            ("type", &event.type_),
        ],
    );
    set(&mut written, "deprecatedCount", event.deprecated_count);
    set(&mut written, "deprecatedFirstTimestamp", event.deprecated_first_timestamp.as_ref().map(time));
    set(&mut written, "deprecatedLastTimestamp", event.deprecated_last_timestamp.as_ref().map(time));
    set(&mut written, "deprecatedSource", event.deprecated_source.as_ref().map(source));
    set(&mut written, "eventTime", event.event_time.as_ref().map(micro_time));
    set(&mut written, "regarding", event.regarding.as_ref().map(reference));
    set(&mut written, "related", event.related.as_ref().map(reference));
    set(&mut written, "series", event.series.as_ref().map(series));
    written.into()
}

/// How often an event of `events.k8s.io/v1` happened.
pub(super) fn series(series: &events::EventSeries) -> Value {
    series_of(Some(series.count), Some(&series.last_observed_time))
}

/// A time in whole seconds.
pub(super) fn time(Time(time): &Time) -> Value {
    timestamp::format(since_1970(*time)).into()
}

fn micro_time(MicroTime(time): &MicroTime) -> Value {
    timestamp::format_micro(since_1970(*time)).into()
}

/// Nothing happened before 1970 that an event could tell of.
fn since_1970(time: Timestamp) -> Duration {
    Duration::from_micros(u64::try_from(time.as_microsecond()).unwrap_or_default())
}

fn series_of(count: Option<i32>, last: Option<&MicroTime>) -> Value {
    let mut written = Map::new();
    set(&mut written, "count", count);
    set(&mut written, "lastObservedTime", last.map(micro_time));
    written.into()
}

fn begun(api_version: &str, metadata: &ObjectMeta) -> Map<String, Value> {
    let mut meta = Map::new();
    texts(
        &mut meta,
        &[
            ("generateName", &metadata.generate_name),
            ("name", &metadata.name),
            ("namespace", &metadata.namespace),
            ("resourceVersion", &metadata.resource_version),
            ("uid", &metadata.uid),
        ],
    );
    set(&mut meta, "annotations", metadata.annotations.as_ref().map(map));
    set(&mut meta, "labels", metadata.labels.as_ref().map(map));
    let mut written = Map::new();
    written.insert("apiVersion".into(), api_version.into());
    written.insert("kind".into(), "Event".into());
    written.insert("metadata".into(), meta.into());
    written
}

fn reference(object: &ObjectReference) -> Value {
    let mut written = Map::new();
    texts(
        &mut written,
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
    written.into()
}

fn source(source: &EventSource) -> Value {
    let mut written = Map::new();
    texts(&mut written, &[("component", &source.component), ("host", &source.host)]);
    written.into()
}

fn map(texts: &BTreeMap<String, String>) -> Value {
    texts.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()
}

fn texts(written: &mut Map<String, Value>, fields: &[(&str, &Option<String>)]) {
    for (name, value) in fields {
        set(written, name, value.as_deref());
    }
}

fn set(written: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        written.insert(name.to_owned(), value.into());
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

    /// The types' own writer is the oracle: it is not used for its size alone.
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
