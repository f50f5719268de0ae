//! The rows of what has a say in requests: webhooks, admission policies, flow control and other API servers.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{NONE, UNSET, cells, condition, count, list, number, text},
};

pub(super) fn webhooks(object: &Value, now: Duration) -> Vec<Value> {
    cells![text(&object["metadata"]["name"]), count(&object["webhooks"]), age::of(object, now)]
}

pub(super) fn validating_policy(object: &Value, now: Duration) -> Vec<Value> {
    policy(object, "validations", now)
}

pub(super) fn mutating_policy(object: &Value, now: Duration) -> Vec<Value> {
    policy(object, "mutations", now)
}

fn policy(object: &Value, rules: &str, now: Duration) -> Vec<Value> {
    let (spec, kind) = (&object["spec"], &object["spec"]["paramKind"]);
    let kind = match kind.is_null() {
        true => UNSET.to_owned(),
        false => format!("{}/{}", text(&kind["apiVersion"]), text(&kind["kind"])),
    };
    cells![text(&object["metadata"]["name"]), count(&spec[rules]), kind, age::of(object, now)]
}

pub(super) fn policy_binding(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, of) = (&object["spec"], &object["spec"]["paramRef"]);
    let parameter = match (text(&of["name"]), text(&of["namespace"]), of["selector"].is_null()) {
        ("", _, true) => UNSET.to_owned(),
        ("", _, false) => go_selector(&of["selector"]),
        (name, "", _) => format!("*/{name}"),
        (name, namespace, _) => format!("{namespace}/{name}"),
    };
    cells![text(&object["metadata"]["name"]), text(&spec["policyName"]), parameter, age::of(object, now)]
}

/// A selector as Go prints its struct, which is what the real server shows here.
fn go_selector(selector: &Value) -> String {
    let labels = selector["matchLabels"].as_object().into_iter().flatten();
    let labels: String = labels.map(|(key, value)| format!("{key}: {},", text(value))).collect();
    let requirements = list(&selector["matchExpressions"]).iter().map(|it| {
        let values: Vec<&str> = list(&it["values"]).iter().map(text).collect();
        let (key, operator) = (text(&it["key"]), text(&it["operator"]));
        format!("LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{}],}},", values.join(" "))
    });
    let requirements: String = requirements.collect();
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{labels}}},\
         MatchExpressions:[]LabelSelectorRequirement{{{requirements}}},}}"
    )
}

pub(super) fn flow_schema(object: &Value, now: Duration) -> Vec<Value> {
    let spec = &object["spec"];
    let method = &spec["distinguisherMethod"];
    cells![
        text(&object["metadata"]["name"]),
        text(&spec["priorityLevelConfiguration"]["name"]),
        number(&spec["matchingPrecedence"]),
        if method.is_null() { NONE } else { text(&method["type"]) },
        age::of(object, now),
        condition(object, "Dangling").map_or("?", |condition| text(&condition["status"])),
    ]
}

pub(super) fn priority_level(object: &Value, now: Duration) -> Vec<Value> {
    let spec = &object["spec"];
    let (limited, queuing) = (&spec["limited"], &spec["limited"]["limitResponse"]["queuing"]);
    let part = |of: &Value, field: &str| match of.is_null() {
        true => Value::from(NONE),
        false => number(&of[field]).into(),
    };
    cells![
        text(&object["metadata"]["name"]),
        text(&spec["type"]),
        part(limited, "nominalConcurrencyShares"),
        part(queuing, "queues"),
        part(queuing, "handSize"),
        part(queuing, "queueLengthLimit"),
        age::of(object, now),
    ]
}

pub(super) fn api_service(object: &Value, now: Duration) -> Vec<Value> {
    let service = &object["spec"]["service"];
    let service = match service.is_null() {
        true => "Local".to_owned(),
        false => format!("{}/{}", text(&service["namespace"]), text(&service["name"])),
    };
    let available = match condition(object, "Available") {
        None => "Unknown".to_owned(),
        Some(condition) => match (text(&condition["status"]), text(&condition["reason"])) {
            (status @ "True", _) | (status, "") => status.to_owned(),
            (status, reason) => format!("{status} ({reason})"),
        },
    };
    cells![text(&object["metadata"]["name"]), service, available, age::of(object, now)]
}
