//! What the new group of events demands.

use super::wire::Wire;
use masthead::rest::Method;
use serde_json::json;

const NEW: &str = "/apis/events.k8s.io/v1/namespaces/default/events";

#[test]
fn a_new_event_is_whole_and_only_its_series_changes() {
    let wire = Wire::new();
    let mut event = json!({
        "metadata": { "name": "a" }, "eventTime": "2026-01-01T00:00:00.000000Z", "type": "Sometimes",
        "reason": "Tested", "action": "Testing", "reportingController": "example.com/c", "deprecatedCount": 2,
        "regarding": { "kind": "Pod", "namespace": "default", "name": "web" },
    });
    let why = "Event \"a\" is invalid: [reportingInstance: Required value, type: Invalid value: \"\": has invalid value: \
               Sometimes, count: Invalid value: \"\": needs to be unset]";
    assert_eq!(wire.refusal(Method::Post, NEW, &event.to_string()), (422, why.to_owned()));
    event["reportingInstance"] = "one".into();
    event["type"] = "Normal".into();
    event["deprecatedCount"] = 0.into();
    assert_eq!(wire.json(Method::Post, NEW, &event.to_string()).0, 201);
    let (code, refused) = wire.patch("merge-patch", &format!("{NEW}/a"), &json!({ "reason": "Other" }));
    let why = "Event \"a\" is invalid: reason: Invalid value: \"Other\": field is immutable";
    assert_eq!((code, refused["message"].as_str()), (422, Some(why)));
    assert_eq!(
        refused["details"]["causes"].as_array().map(Vec::len),
        Some(2),
        "the message says once what is said twice"
    );
    let series = json!({ "series": { "count": 3, "lastObservedTime": "2026-01-01T00:01:00.000000Z" } });
    assert_eq!(wire.patch("merge-patch", &format!("{NEW}/a"), &series).0, 200);
}

#[test]
fn owners_in_another_group_are_forgotten() {
    let wire = Wire::new();
    let core = "/api/v1/namespaces/default/events";
    let event = json!({ "metadata": { "name": "a" }, "message": "one", "involvedObject": { "namespace": "default" } });
    wire.json(Method::Post, core, &event.to_string());
    let (code, patched) =
        wire.patch("merge-patch", &format!("{NEW}/a"), &json!({ "metadata": { "labels": { "x": "y" } } }));
    let owners = patched["metadata"]["managedFields"].as_array().unwrap();
    assert_eq!((code, owners.len(), &owners[0]["apiVersion"]), (200, 1, &json!("events.k8s.io/v1")), "{patched}");
}
