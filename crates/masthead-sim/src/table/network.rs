//! The rows of ingresses, network policies and addresses.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{NONE, cells, list, optional, text},
    selector, service,
};

pub(super) fn ingress(object: &Value, now: Duration) -> Vec<Value> {
    let spec = &object["spec"];
    let ports = if list(&spec["tls"]).is_empty() { "80" } else { "80, 443" };
    cells![
        text(&object["metadata"]["name"]),
        optional(&spec["ingressClassName"], NONE),
        hosts(list(&spec["rules"])),
        service::balancer(object),
        ports,
        age::of(object, now),
    ]
}

/// The hosts of the rules; those beyond the third are counted by rules, with a host or without.
fn hosts(rules: &[Value]) -> String {
    let named = rules.iter().enumerate().filter(|(_, rule)| !text(&rule["host"]).is_empty());
    let shown: Vec<(usize, &str)> = named.map(|(at, rule)| (at, text(&rule["host"]))).take(3).collect();
    let names = shown.iter().map(|(_, host)| *host).collect::<Vec<_>>().join(",");
    match shown.last() {
        None => "*".to_owned(),
        Some((last, _)) if shown.len() == 3 && last + 1 < rules.len() => {
            format!("{names} + {} more...", rules.len() - 3)
        }
        Some(_) => names,
    }
}

pub(super) fn ingress_class(object: &Value, now: Duration) -> Vec<Value> {
    let (metadata, spec) = (&object["metadata"], &object["spec"]);
    let is_default = metadata["annotations"]["ingressclass.kubernetes.io/is-default-class"] == "true";
    let name = format!("{}{}", text(&metadata["name"]), if is_default { " (default)" } else { "" });
    let of = &spec["parameters"];
    let parameters = match (of.is_null(), of["apiGroup"].as_str()) {
        (true, _) => NONE.to_owned(),
        (false, Some(group)) => format!("{}.{group}/{}", text(&of["kind"]), text(&of["name"])),
        (false, None) => format!("{}/{}", text(&of["kind"]), text(&of["name"])),
    };
    cells![name, text(&spec["controller"]), parameters, age::of(object, now)]
}

pub(super) fn network_policy(object: &Value, now: Duration) -> Vec<Value> {
    let selector = selector::shown(&object["spec"]["podSelector"]);
    cells![text(&object["metadata"]["name"]), selector, age::of(object, now)]
}

pub(super) fn service_cidr(object: &Value, now: Duration) -> Vec<Value> {
    let ranges: Vec<&str> = list(&object["spec"]["cidrs"]).iter().map(text).collect();
    cells![text(&object["metadata"]["name"]), ranges.join(","), age::of(object, now)]
}

/// One cell more than there are columns, as the real server has it.
pub(super) fn ip_address(object: &Value, now: Duration) -> Vec<Value> {
    let parent = &object["spec"]["parentRef"];
    let part = |field: &str| text(&parent[field]);
    let shown = if parent.is_null() {
        NONE.to_owned()
    } else {
        let dot = if part("group").is_empty() { "" } else { "." };
        let resource = format!("{}{dot}{}", part("resource"), part("group")).to_lowercase();
        let names = [part("namespace"), part("name")];
        let names = if names[0].is_empty() { names[1].to_owned() } else { names.join("/") };
        format!("{resource}/{names}")
    };
    cells![text(&object["metadata"]["name"]), shown, age::of(object, now)]
}
