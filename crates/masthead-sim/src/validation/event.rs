//! Events, of the core group and of the group that has stricter rules for them.

use serde_json::Value;

use super::{
    checker::{Checker, IMMUTABLE},
    format,
};
use crate::{conversion::convert, kind::Kind, tree::text};

/// The longest name or reason, and the longest note.
const LONGEST: usize = 128;
const LONGEST_NOTE: usize = 1024;

/// What may not change of an event that is written through the new group. The real server asks twice for the reason.
const FIXED: [&str; 13] = [
    "involvedObject",
    "reason",
    "message",
    "source",
    "firstTimestamp",
    "lastTimestamp",
    "count",
    "reason",
    "type",
    "eventTime",
    "action",
    "reportingComponent",
    "reportingInstance",
];

/// An event of either group. The rules are about the fields of the core group, whichever it is.
pub(super) fn check(kind: &Kind, event: &Value, before: Option<&Value>, checker: &mut Checker) {
    let as_core = |event: &Value| match &kind.hub {
        Some(core) => convert(event.clone(), kind, core),
        None => event.clone(),
    };
    let (is_new, event, before) = (kind.hub.is_some(), as_core(event), before.map(as_core));
    check_legacy(&event, if is_new { "reportingController" } else { "reportingComponent" }, checker);
    if !is_new {
        return;
    }
    if before.as_ref().is_none_or(|before| before["series"] != event["series"]) {
        check_series(&event["series"], checker);
    }
    match before {
        Some(before) => {
            for field in FIXED.into_iter().filter(|field| before[field] != event[field]) {
                let shown = if field == "reportingComponent" { "reportingController" } else { field };
                checker.invalid(shown, &event[field], IMMUTABLE);
            }
        }
        None => check_created(&event, checker),
    }
}

fn check_legacy(event: &Value, reporter: &str, checker: &mut Checker) {
    let (own, about) = (text(&event["metadata"], "namespace"), text(&event["involvedObject"], "namespace"));
    let is_old = event["eventTime"].is_null();
    let fits = match about {
        "" => own == "default" || (!is_old && own == "kube-system"),
        about => !is_old || own == about,
    };
    if !fits {
        checker.invalid("involvedObject.namespace", &about.into(), "does not match event.namespace");
    }
    if is_old {
        return;
    }
    let name = text(event, "reportingComponent");
    if name.is_empty() {
        checker.required(reporter, "");
    }
    checker.text(reporter, name, format::qualified_name(name));
    for field in ["reportingInstance", "action", "reason"] {
        if text(event, field).is_empty() {
            checker.required(field, "");
        }
        check_length(event, field, LONGEST, checker);
    }
    check_length(event, "message", LONGEST_NOTE, checker);
}

fn check_length(event: &Value, field: &str, longest: usize, checker: &mut Checker) {
    if text(event, field).len() > longest {
        checker.invalid(field, &"".into(), &format!("can have at most {longest} characters"));
    }
}

fn check_series(series: &Value, checker: &mut Checker) {
    if series.is_null() {
        return;
    }
    if series["count"].as_i64().unwrap_or_default() < 2 {
        checker.invalid("series.count", &"".into(), "should be at least 2");
    }
    if series["lastObservedTime"].is_null() {
        checker.required("series.lastObservedTime", "");
    }
}

fn check_created(event: &Value, checker: &mut Checker) {
    if event["eventTime"].is_null() {
        checker.required("eventTime", "");
    }
    let kind = text(event, "type");
    if !matches!(kind, "Normal" | "Warning") {
        checker.invalid("type", &"".into(), &format!("has invalid value: {kind}"));
    }
    let is_set = |field: &str| match &event[field] {
        Value::Null => false,
        Value::Number(count) => count.as_i64() != Some(0),
        Value::Object(source) => ["component", "host"].iter().any(|part| source.get(*part).is_some_and(|it| it != "")),
        _ => true,
    };
    for field in ["firstTimestamp", "lastTimestamp", "count", "source"].into_iter().filter(|field| is_set(field)) {
        checker.invalid(field, &"".into(), "needs to be unset");
    }
}
