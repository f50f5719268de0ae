//! The events that components record, with repeats counted on the event that is there already.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};

use super::{actor::Turn, component::Component, resource::Resource};
use crate::{object::Key, timestamp, write::Half};

/// Something that a component has to tell of an object.
#[derive(Debug)]
pub(super) struct Happening<'a> {
    pub(super) by: Component,
    /// The object it is about.
    pub(super) about: &'a Value,
    /// The field of it, as in `spec.containers{app}`; empty for all of it.
    pub(super) field: String,
    /// The node that tells; empty for the control plane.
    pub(super) host: &'a str,
    pub(super) severity: Severity,
    pub(super) reason: &'a str,
    pub(super) message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    Normal,
    Warning,
}

impl<'a> Happening<'a> {
    pub(super) fn normal(by: Component, about: &'a Value, reason: &'a str, message: String) -> Happening<'a> {
        let (field, host) = (String::new(), "");
        Happening { by, about, field, host, severity: Severity::Normal, reason, message }
    }

    pub(super) fn warning(by: Component, about: &'a Value, reason: &'a str, message: String) -> Happening<'a> {
        Happening { severity: Severity::Warning, ..Happening::normal(by, about, reason, message) }
    }

    fn signature(&self) -> String {
        let uid = self.about["metadata"]["uid"].as_str().unwrap_or_default();
        let (source, field, host) = (self.by.source(), &self.field, self.host);
        [source, host, uid, field, self.reason, &self.message].join("\n")
    }
}

/// Which events there are to count repeats on.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    /// By everything that makes two happenings the same. The last [`KNOWN`].
    known: BTreeMap<String, Key>,
    /// The keys of `known`, oldest first.
    order: VecDeque<String>,
    /// Tells apart what is recorded in one moment.
    made: u64,
}

/// How many events are remembered, as client-go does.
const KNOWN: usize = 4096;

impl Recorder {
    fn remember(&mut self, signature: String, key: Key) {
        if self.known.insert(signature.clone(), key).is_none() {
            self.order.push_back(signature);
        }
        while self.order.len() > KNOWN {
            if let Some(oldest) = self.order.pop_front() {
                self.known.remove(&oldest);
            }
        }
    }
}

impl Turn<'_> {
    /// Records an event, or that it happened again.
    pub(super) fn record(&mut self, happening: &Happening<'_>) {
        let signature = happening.signature();
        let known = self.state.recorder.known.get(&signature).cloned();
        if let Some(event) = known.and_then(|key| self.get(Resource::Event, &key)) {
            let again = self.again(event, happening.by);
            self.update(happening.by, Resource::Event, Half::Main, again);
            return;
        }
        let event = self.first(happening);
        let key = super::actor::key_of(&event);
        // An event that cannot be recorded, in a namespace that ends for one, is lost, as it is for the real components.
        if self.create(happening.by, Resource::Event, event).is_ok() {
            self.state.recorder.remember(signature, key);
        }
    }

    fn first(&mut self, happening: &Happening<'_>) -> Value {
        let Happening { by, about, field, host, severity, reason, message } = happening;
        let metadata = &about["metadata"];
        let name = metadata["name"].as_str().unwrap_or_default();
        let namespace = metadata["namespace"].as_str().unwrap_or("default");
        self.state.recorder.made += 1;
        let moment = self.wall().as_nanos() as u64 + self.state.recorder.made;
        let mut involved = json!({ "kind": about["kind"], "name": name, "uid": metadata["uid"] });
        for (key, value) in [
            ("namespace", &metadata["namespace"]),
            ("apiVersion", &about["apiVersion"]),
            ("resourceVersion", &metadata["resourceVersion"]),
            ("fieldPath", &Value::from(field.as_str())),
        ] {
            if value.as_str().is_some_and(|text| !text.is_empty()) {
                involved[key] = value.clone();
            }
        }
        let mut event = json!({
            "metadata": { "name": format!("{name}.{moment:x}"), "namespace": namespace },
            "involvedObject": involved,
            "reason": reason, "message": message,
            "type": match severity { Severity::Normal => "Normal", Severity::Warning => "Warning" },
            "reportingComponent": by.source(), "reportingInstance": host,
        });
        let mut source = json!({ "component": by.source() });
        if !host.is_empty() {
            source["host"] = (*host).into();
        }
        let rest = match by {
            // The scheduler records in the way of events.k8s.io.
            Component::Scheduler => json!({
                "source": {}, "firstTimestamp": null, "lastTimestamp": null,
                "eventTime": timestamp::format_micro(self.wall()), "reportingInstance": "default-scheduler-control-plane",
                "action": if *reason == "Scheduled" { "Binding" } else { "Scheduling" },
            }),
            _ => json!({
                "source": source, "firstTimestamp": self.time(), "lastTimestamp": self.time(), "count": 1,
                "eventTime": null,
            }),
        };
        if let (Value::Object(event), Value::Object(rest)) = (&mut event, rest) {
            event.extend(rest);
        }
        event
    }

    fn again(&self, mut event: Value, by: Component) -> Value {
        if by == Component::Scheduler {
            let count = event["series"]["count"].as_u64().unwrap_or(1) + 1;
            let observed = timestamp::format_micro(self.wall());
            event["series"] = json!({ "count": count, "lastObservedTime": observed });
        } else {
            event["count"] = (event["count"].as_u64().unwrap_or(1) + 1).into();
            event["lastTimestamp"] = self.time();
        }
        event
    }
}
