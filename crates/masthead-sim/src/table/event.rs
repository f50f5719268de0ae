//! The row of an event.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{cells, number, or, text},
};

pub(super) fn cells(event: &Value, now: Duration) -> Vec<Value> {
    let (about, series) = (&event["involvedObject"], &event["series"]);
    let [first, last] = [&event["firstTimestamp"], &event["lastTimestamp"]];
    let first = age::since(if first.is_null() { &event["eventTime"] } else { first }, now);
    let (last, count) = match (series.is_null(), last.is_null()) {
        (false, _) => (age::since(&series["lastObservedTime"], now), number(&series["count"])),
        (true, true) => (first.clone(), number(&event["count"])),
        (true, false) => (age::since(last, now), number(&event["count"])),
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
        text(&event["message"]).trim(),
        first,
        count,
        text(&event["metadata"]["name"]),
    ]
}

fn target(about: &Value) -> String {
    let kind = text(&about["kind"]).to_lowercase();
    match text(&about["name"]) {
        "" => kind,
        name => format!("{kind}/{name}"),
    }
}

fn source(event: &Value) -> String {
    let source = &event["source"];
    let component = or(text(&source["component"]), text(&event["reportingComponent"]));
    match or(text(&source["host"]), text(&event["reportingInstance"])) {
        "" => component.to_owned(),
        instance => format!("{component}, {instance}"),
    }
}
