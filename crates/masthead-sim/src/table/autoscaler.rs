//! The row of a horizontal pod autoscaler.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{NONE, UNKNOWN, UNSET, cells, either, list, number, quantity, text},
};

pub(super) fn cells(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let target = &spec["scaleTargetRef"];
    cells![
        text(&object["metadata"]["name"]),
        format!("{}/{}", text(&target["kind"]), text(&target["name"])),
        metrics(list(&spec["metrics"]), list(&status["currentMetrics"])),
        either(&spec["minReplicas"]).unwrap_or_else(|| UNSET.to_owned()),
        number(&spec["maxReplicas"]),
        number(&status["currentReplicas"]),
        age::of(object, now),
    ]
}

/// How many metrics are shown before the rest is only counted.
const SHOWN: usize = 2;

fn metrics(specs: &[Value], statuses: &[Value]) -> String {
    if specs.is_empty() {
        return NONE.to_owned();
    }
    let all = specs.iter().enumerate().map(|(at, spec)| metric(spec, statuses.get(at).unwrap_or(&Value::Null)));
    let shown = all.take(SHOWN).collect::<Vec<_>>().join(", ");
    match specs.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} + {more} more..."),
    }
}

/// One metric: what it is, over what it should be.
fn metric(spec: &Value, status: &Value) -> String {
    let unknown = || UNKNOWN.to_owned();
    match text(&spec["type"]) {
        "Pods" => {
            let (now, target) = (&status["pods"], &spec["pods"]["target"]);
            let now = if now.is_null() { unknown() } else { quantity(&now["current"]["averageValue"]) };
            format!("{now}/{}", quantity(&target["averageValue"]))
        }
        name @ ("External" | "Object") => {
            let field = name.to_lowercase();
            let (now, target) = (&status[&field], &spec[&field]["target"]);
            match either(&target["averageValue"]) {
                Some(target) => {
                    format!("{}/{target} (avg)", either(&now["current"]["averageValue"]).unwrap_or_else(unknown))
                }
                None => {
                    let now = if now.is_null() { unknown() } else { quantity(&now["current"]["value"]) };
                    format!("{now}/{}", quantity(&target["value"]))
                }
            }
        }
        "Resource" => of_resource(&spec["resource"], &status["resource"]),
        "ContainerResource" => of_resource(&spec["containerResource"], &status["containerResource"]),
        _ => "<unknown type>".to_owned(),
    }
}

fn of_resource(spec: &Value, status: &Value) -> String {
    let (name, target, current) = (text(&spec["name"]), &spec["target"], &status["current"]);
    if let Some(target) = either(&target["averageValue"]) {
        let now = if status.is_null() { UNKNOWN.to_owned() } else { quantity(&current["averageValue"]) };
        return format!("{name}: {now}/{target}");
    }
    let percent = |share: &Value, otherwise: &str| match share.as_i64() {
        Some(share) => format!("{share}%"),
        None => otherwise.to_owned(),
    };
    let now = percent(&current["averageUtilization"], UNKNOWN);
    format!("{name}: {now}/{}", percent(&target["averageUtilization"], "<auto>"))
}
