//! The rows of what bounds others: disruption budgets, quotas and priorities.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{cells, either, flag, number, quantity, text},
};

pub(super) fn disruption_budget(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let bound = |field: &str| either(&spec[field]).unwrap_or_else(|| "N/A".to_owned());
    cells![
        text(&object["metadata"]["name"]),
        bound("minAvailable"),
        bound("maxUnavailable"),
        number(&status["disruptionsAllowed"]),
        age::of(object, now),
    ]
}

pub(super) fn quota(object: &Value, now: Duration) -> Vec<Value> {
    let status = &object["status"];
    let mut names: Vec<&String> = status["hard"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
    names.sort();
    let (limits, requests): (Vec<&String>, Vec<&String>) =
        names.into_iter().partition(|name| name.starts_with("limits."));
    let shown = |names: Vec<&String>| {
        let used = |name: &String| (quantity(&status["used"][name]), quantity(&status["hard"][name]));
        let each = names.into_iter().map(|name| (name, used(name)));
        each.map(|(name, (used, hard))| format!("{name}: {used}/{hard}")).collect::<Vec<_>>().join(", ")
    };
    cells![text(&object["metadata"]["name"]), shown(requests), shown(limits), age::of(object, now)]
}

pub(super) fn priority_class(object: &Value, now: Duration) -> Vec<Value> {
    cells![
        text(&object["metadata"]["name"]),
        number(&object["value"]),
        flag(&object["globalDefault"]),
        age::of(object, now),
        text(&object["preemptionPolicy"]),
    ]
}
