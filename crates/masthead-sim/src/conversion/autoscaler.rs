//! Autoscalers of `autoscaling/v2`, and of `v1`, which knows one metric and keeps the rest in annotations.

use serde_json::{Value, json};

const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const CURRENT_METRICS: &str = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";

pub(super) fn to_v1(object: &mut Value) {
    let metrics = taken(object, "spec", "metrics");
    let behavior = taken(object, "spec", "behavior");
    let current = taken(object, "status", "currentMetrics");
    let conditions = taken(object, "status", "conditions");
    let cpu = list(&metrics).iter().find_map(|metric| cpu_of(metric, "target"));
    if let Some(cpu) = cpu {
        object["spec"]["targetCPUUtilizationPercentage"] = cpu.clone();
    }
    if let Some(cpu) = list(&current).iter().find_map(|metric| cpu_of(metric, "current")) {
        object["status"]["currentCPUUtilizationPercentage"] = cpu.clone();
    }
    if object["status"].is_object() && object["status"]["currentReplicas"].is_null() {
        object["status"]["currentReplicas"] = 0.into();
    }
    let others = list(&metrics).iter().filter(|metric| cpu_of(metric, "target").is_none());
    let texts = [
        (METRICS, array(others.map(|metric| old_metric(metric, "target")))),
        (CURRENT_METRICS, array(list(&current).iter().map(|metric| old_metric(metric, "current")))),
        (CONDITIONS, array(list(&conditions).iter().map(old_condition))),
        (BEHAVIOR, behavior.is_object().then(|| old_behavior(&behavior))),
    ];
    for (annotation, text) in texts {
        if let Some(text) = text {
            object["metadata"]["annotations"][annotation] = text.into();
        }
    }
}

pub(super) fn to_v2(object: &mut Value) {
    let mut metrics: Vec<Value> = kept(object, METRICS).iter().map(|metric| new_metric(metric, "target")).collect();
    let cpu = taken(object, "spec", "targetCPUUtilizationPercentage");
    if cpu.is_number() || metrics.is_empty() {
        // What v2 takes for granted where no metric is named.
        let utilization = if cpu.is_number() { cpu } else { 80.into() };
        let target = json!({ "type": "Utilization", "averageUtilization": utilization });
        metrics.push(json!({ "type": "Resource", "resource": { "name": "cpu", "target": target } }));
    }
    object["spec"]["metrics"] = metrics.into();
    if let Some(behavior) = text(object, BEHAVIOR) {
        object["spec"]["behavior"] = uncapitalised(&behavior);
    }
    let current: Vec<Value> =
        kept(object, CURRENT_METRICS).iter().map(|metric| new_metric(metric, "current")).collect();
    let conditions = kept(object, CONDITIONS);
    taken(object, "status", "currentCPUUtilizationPercentage");
    if object["status"].is_object() {
        object["status"]["currentMetrics"] = if current.is_empty() { Value::Null } else { current.into() };
        if !conditions.is_empty() {
            object["status"]["conditions"] = conditions.into();
        }
        if object["status"]["currentReplicas"] == 0 {
            taken(object, "status", "currentReplicas");
        }
    }
    let annotations = object["metadata"].get_mut("annotations").and_then(Value::as_object_mut);
    let Some(annotations) = annotations else { return };
    annotations.retain(|name, _| ![METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR].contains(&name.as_str()));
    if annotations.is_empty() {
        taken(object, "metadata", "annotations");
    }
}

fn taken(object: &mut Value, part: &str, field: &str) -> Value {
    object.get_mut(part).and_then(Value::as_object_mut).and_then(|part| part.remove(field)).unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(object: &Value, annotation: &str) -> Option<Value> {
    serde_json::from_str(object["metadata"]["annotations"][annotation].as_str()?).ok()
}

fn kept(object: &Value, annotation: &str) -> Vec<Value> {
    text(object, annotation).and_then(|value| value.as_array().cloned()).unwrap_or_default()
}

/// The utilization of the CPU that a metric is about.
fn cpu_of<'a>(metric: &'a Value, side: &str) -> Option<&'a Value> {
    let resource = (metric["type"] == "Resource" && metric["resource"]["name"] == "cpu").then_some(&metric["resource"]);
    resource.and_then(|resource| resource[side].get("averageUtilization"))
}

/// Where the parts of a metric of v2 stand in one of v1: its type, its part, and each field of that with its path.
///
/// `{}` stands for `target` or `current`.
type MetricFields = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const METRIC_FIELDS: [MetricFields; 5] = [
    ("Resource", "resource", &[("name", "/name"), ("{}AverageUtilization", "/{}/averageUtilization"), AVERAGE_VALUE]),
    ("Pods", "pods", &[METRIC_NAME, AVERAGE_VALUE, ("selector", "/metric/selector")]),
    (
        "Object",
        "object",
        &[
            ("target", "/describedObject"),
            METRIC_NAME,
            ("{}Value", "/{}/value"),
            ("selector", "/metric/selector"),
            ("averageValue", "/{}/averageValue"),
        ],
    ),
    (
        "External",
        "external",
        &[METRIC_NAME, ("metricSelector", "/metric/selector"), ("{}Value", "/{}/value"), AVERAGE_VALUE],
    ),
    (
        "ContainerResource",
        "containerResource",
        &[
            ("name", "/name"),
            ("{}AverageUtilization", "/{}/averageUtilization"),
            AVERAGE_VALUE,
            ("container", "/container"),
        ],
    ),
];
const METRIC_NAME: (&str, &str) = ("metricName", "/metric/name");
const AVERAGE_VALUE: (&str, &str) = ("{}AverageValue", "/{}/averageValue");

/// The name of a field of v1.
fn old_name(name: &str, side: &str) -> String {
    name.replace("{}", side)
}

fn old_metric(metric: &Value, side: &str) -> String {
    let known = METRIC_FIELDS.iter().find(|(kind, ..)| metric["type"] == *kind);
    let Some((kind, part, fields)) = known else { return metric.to_string() };
    let fields = fields.iter().filter_map(|(name, path)| {
        let value = metric[part].pointer(&path.replace("{}", side))?;
        Some((old_name(name, side), in_order(value)))
    });
    let body = members(fields);
    members([("type".to_owned(), Value::from(*kind).to_string()), ((*part).to_owned(), body)])
}

fn new_metric(metric: &Value, side: &str) -> Value {
    let known = METRIC_FIELDS.iter().find(|(kind, ..)| metric["type"] == *kind);
    let Some((kind, part, fields)) = known else { return metric.clone() };
    let mut body = json!({});
    for (name, path) in *fields {
        let Some(value) = metric[part].get(old_name(name, side)) else { continue };
        let path = path.replace("{}", side);
        let mut place = &mut body;
        for step in path.split('/').skip(1) {
            place = &mut place[step];
        }
        *place = value.clone();
    }
    if side == "target" {
        let target = &body["target"];
        let named = [("averageUtilization", "Utilization"), ("averageValue", "AverageValue"), ("value", "Value")];
        let found = named.into_iter().find(|(field, _)| !target[field].is_null());
        body["target"]["type"] = found.map_or("Value", |(_, name)| name).into();
    }
    json!({ "type": kind, *part: body })
}

fn old_condition(condition: &Value) -> String {
    const FIELDS: [&str; 5] = ["type", "status", "lastTransitionTime", "reason", "message"];
    let present = FIELDS.into_iter().filter_map(|field| Some((field.to_owned(), condition.get(field)?.to_string())));
    members(present)
}

/// A behaviour as v1 keeps it: with the names that Go has for its fields.
fn old_behavior(behavior: &Value) -> String {
    let rules = |rules: &Value| {
        let policies = list(&rules["policies"]).iter().map(|policy| {
            members(["type", "value", "periodSeconds"].map(|field| (capital(field), policy[field].to_string())))
        });
        let policies = array(policies).unwrap_or_else(|| "null".to_owned());
        members([
            ("StabilizationWindowSeconds".to_owned(), rules["stabilizationWindowSeconds"].to_string()),
            ("SelectPolicy".to_owned(), rules["selectPolicy"].to_string()),
            ("Policies".to_owned(), policies),
            ("Tolerance".to_owned(), rules["tolerance"].to_string()),
        ])
    };
    let side = |field: &str| match &behavior[field] {
        Value::Null => "null".to_owned(),
        found => rules(found),
    };
    members([("ScaleUp".to_owned(), side("scaleUp")), ("ScaleDown".to_owned(), side("scaleDown"))])
}

/// A tree with the names that JSON has for its fields, and without what is null.
fn uncapitalised(value: &Value) -> Value {
    let named = |name: &str| name.chars().take(1).map(|c| c.to_ascii_lowercase()).chain(name.chars().skip(1)).collect();
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            Value::Object(fields.map(|(name, value)| (named(name), uncapitalised(value))).collect())
        }
        Value::Array(items) => items.iter().map(uncapitalised).collect(),
        other => other.clone(),
    }
}

fn capital(name: &str) -> String {
    name.chars().take(1).map(|c| c.to_ascii_uppercase()).chain(name.chars().skip(1)).collect()
}

/// A reference in the order that Go writes one in; all else as it comes.
fn in_order(value: &Value) -> String {
    const FIELDS: [&str; 3] = ["kind", "name", "apiVersion"];
    match value.as_object() {
        Some(fields) if fields.keys().all(|name| FIELDS.contains(&name.as_str())) => {
            members(FIELDS.into_iter().filter_map(|field| Some((field.to_owned(), fields.get(field)?.to_string()))))
        }
        _ => value.to_string(),
    }
}

fn members(fields: impl IntoIterator<Item = (String, String)>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

fn array(items: impl Iterator<Item = String>) -> Option<String> {
    let items: Vec<String> = items.collect();
    (!items.is_empty()).then(|| format!("[{}]", items.join(",")))
}
