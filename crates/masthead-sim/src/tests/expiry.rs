//! Events go by themselves.

use std::time::Duration;

use super::wire::{Wire, told};
use masthead::rest::Method;
use serde_json::json;

const EVENTS: &str = "/api/v1/namespaces/default/events";

#[test]
fn an_event_lives_for_an_hour_after_it_was_last_written() {
    let wire = Wire::new();
    let start = wire.sim.version();
    for name in ["a", "b"] {
        wire.json(Method::Post, EVENTS, &json!({ "metadata": { "name": name }, "count": 1 }).to_string());
    }
    let left = || wire.json(Method::Get, EVENTS, "").1["items"].as_array().unwrap().len();
    wire.time.advance(Duration::from_secs(3000));
    wire.patch("merge-patch", &format!("{EVENTS}/b"), &json!({ "count": 2 }));
    wire.time.advance(Duration::from_secs(599));
    assert_eq!(left(), 2);
    wire.time.advance(Duration::from_secs(1));
    assert_eq!(left(), 1);
    wire.time.advance(Duration::from_secs(3000));
    assert_eq!(left(), 0);
    let events = wire.events(&format!("{EVENTS}?watch=1&timeoutSeconds=1&resourceVersion={start}"));
    let told: Vec<String> = events.iter().map(told).collect();
    assert_eq!(told, ["ADDED a", "ADDED b", "MODIFIED b", "DELETED a", "DELETED b"]);
    wire.json(Method::Post, EVENTS, &json!({ "metadata": { "name": "c" } }).to_string());
    wire.time.advance(Duration::from_secs(3600));
    assert_eq!(left(), 0);
}
