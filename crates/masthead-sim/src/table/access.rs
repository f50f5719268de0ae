//! The rows of role bindings and of certificates that are asked for.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{NONE, cells, list, text, text_or},
};

pub(super) fn binding(object: &Value, now: Duration) -> Vec<Value> {
    let role = &object["roleRef"];
    let named = |kind: &str, name: fn(&Value) -> String| {
        let subjects = list(&object["subjects"]).iter().filter(|subject| subject["kind"] == kind);
        subjects.map(name).collect::<Vec<_>>().join(", ")
    };
    let name = |subject: &Value| text(&subject["name"]).to_owned();
    cells![
        text(&object["metadata"]["name"]),
        format!("{}/{}", text(&role["kind"]), text(&role["name"])),
        age::of(object, now),
        named("User", name),
        named("Group", name),
        named("ServiceAccount", |it| format!("{}/{}", text(&it["namespace"]), text(&it["name"]))),
    ]
}

pub(super) fn signing_request(object: &Value, now: Duration) -> Vec<Value> {
    let spec = &object["spec"];
    let duration = match spec["expirationSeconds"].as_i64() {
        Some(seconds) => age::human(seconds.saturating_mul(1_000_000)),
        None => NONE.to_owned(),
    };
    cells![
        text(&object["metadata"]["name"]),
        age::of(object, now),
        text_or(&spec["signerName"], NONE),
        text(&spec["username"]),
        duration,
        decision(&object["status"]),
    ]
}

fn decision(status: &Value) -> String {
    let has = |name: &str| list(&status["conditions"]).iter().any(|condition| condition["type"] == name);
    let decision = match (has("Denied"), has("Approved")) {
        (true, _) => "Denied",
        (false, true) => "Approved",
        (false, false) => "Pending",
    };
    let failed = if has("Failed") { ",Failed" } else { "" };
    let issued = if text(&status["certificate"]).is_empty() { "" } else { ",Issued" };
    format!("{decision}{failed}{issued}")
}
