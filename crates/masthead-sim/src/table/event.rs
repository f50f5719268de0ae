//! The row of an event, of the core group or of `events.k8s.io`.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{cells, number, or, text},
};

pub(super) fn cells(event: &Value, now: Duration) -> Vec<Value> {
    let (about, series) = (either(event, "involvedObject", "regarding"), &event["series"]);
    let [first, last] = [("firstTimestamp", "deprecatedFirstTimestamp"), ("lastTimestamp", "deprecatedLastTimestamp")]
        .map(|(core, new)| either(event, core, new));
    let first = age::since(if first.is_null() { &event["eventTime"] } else { first }, now);
    let (last, count) = match (series.is_null(), last.is_null()) {
        (false, _) => (age::since(&series["lastObservedTime"], now), number(&series["count"])),
        (true, true) => (first.clone(), number(either(event, "count", "deprecatedCount"))),
        (true, false) => (age::since(last, now), number(either(event, "count", "deprecatedCount"))),
    };
    // An event that happened once need not say so.
    let count = if series.is_null() && count == 0 { 1 } else { count };
    cells![
        last,
        text(&event["type"]),
        text(&event["reason"]),
        target(about),
        text(&about["fieldPath"]),
        source(event),
        text(either(event, "message", "note")).trim(),
        first,
        count,
        text(&event["metadata"]["name"]),
    ]
}

/// The same field by its name in the core group, or by that of the other.
fn either<'a>(event: &'a Value, core: &str, new: &str) -> &'a Value {
    event.get(core).unwrap_or(&event[new])
}

fn target(about: &Value) -> String {
    let kind = text(&about["kind"]).to_lowercase();
    match text(&about["name"]) {
        "" => kind,
        name => format!("{kind}/{name}"),
    }
}

fn source(event: &Value) -> String {
    let source = either(event, "source", "deprecatedSource");
    let controller = either(event, "reportingComponent", "reportingController");
    let component = or(text(&source["component"]), text(controller));
    match or(text(&source["host"]), text(&event["reportingInstance"])) {
        "" => component.to_owned(),
        instance => format!("{component}, {instance}"),
    }
}
