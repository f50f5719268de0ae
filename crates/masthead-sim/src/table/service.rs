//! The rows of services and of what stands behind them.

use std::{collections::BTreeSet, time::Duration};

use serde_json::Value;

use super::{
    age,
    cell::{NONE, UNKNOWN, UNSET, cells, list, number, or, shortened, text, text_or},
    selector,
};

pub(super) fn service(object: &Value, now: Duration) -> Vec<Value> {
    let spec = &object["spec"];
    let ports: Vec<String> = list(&spec["ports"]).iter().map(port).collect();
    cells![
        text(&object["metadata"]["name"]),
        text(&spec["type"]),
        or(text_or(&spec["clusterIPs"][0], text(&spec["clusterIP"])), NONE),
        external(object),
        or(&ports.join(","), NONE),
        age::of(object, now),
        selector::labels(&spec["selector"]),
    ]
}

fn port(port: &Value) -> String {
    let (number_in, protocol) = (number(&port["port"]), text(&port["protocol"]));
    match number(&port["nodePort"]) {
        0 => format!("{number_in}/{protocol}"),
        node => format!("{number_in}:{node}/{protocol}"),
    }
}

/// Where a service is reached from outside.
fn external(object: &Value) -> String {
    let spec = &object["spec"];
    let given: Vec<&str> = list(&spec["externalIPs"]).iter().map(text).collect();
    match text(&spec["type"]) {
        "ClusterIP" | "NodePort" => or(&given.join(","), NONE).to_owned(),
        "LoadBalancer" => {
            let balancer = balancer(object);
            let all: Vec<&str> = [balancer.as_str()].into_iter().filter(|it| !it.is_empty()).chain(given).collect();
            or(&all.join(","), "<pending>").to_owned()
        }
        "ExternalName" => text(&spec["externalName"]).to_owned(),
        _ => UNKNOWN.to_owned(),
    }
}

/// The addresses that a load balancer has given a service or an ingress.
pub(super) fn balancer(object: &Value) -> String {
    let points = list(&object["status"]["loadBalancer"]["ingress"]);
    let named = points.iter().map(|point| or(text(&point["ip"]), text(&point["hostname"])));
    let sorted: BTreeSet<&str> = named.filter(|name| !name.is_empty()).collect();
    sorted.into_iter().collect::<Vec<_>>().join(",")
}

pub(super) fn endpoints(object: &Value, now: Duration) -> Vec<Value> {
    let subsets = list(&object["subsets"]);
    let all = subsets.iter().flat_map(|subset| {
        let addresses = list(&subset["addresses"]).iter().map(|address| text(&address["ip"]));
        let ports = list(&subset["ports"]).iter().map(|port| Some(number(&port["port"])));
        // A headless service may have no ports.
        let ports: Vec<Option<i64>> = if ports.len() == 0 { vec![None] } else { ports.collect() };
        let reached = move |port: Option<i64>| {
            addresses.clone().map(move |address| match port {
                Some(port) if address.contains(':') => format!("[{address}]:{port}"),
                Some(port) => format!("{address}:{port}"),
                None => address.to_owned(),
            })
        };
        ports.into_iter().flat_map(reached)
    });
    let shown = if subsets.is_empty() { NONE.to_owned() } else { shortened(all, "") };
    cells![text(&object["metadata"]["name"]), shown, age::of(object, now)]
}

pub(super) fn endpoint_slice(object: &Value, now: Duration) -> Vec<Value> {
    let ports = list(&object["ports"]).iter().map(|port| match (port["port"].as_i64(), port["name"].as_str()) {
        (Some(number), _) => number.to_string(),
        (None, Some(name)) => name.to_owned(),
        (None, None) => "*".to_owned(),
    });
    let addresses = list(&object["endpoints"]).iter().flat_map(|endpoint| list(&endpoint["addresses"]));
    cells![
        text(&object["metadata"]["name"]),
        text(&object["addressType"]),
        shortened(ports, UNSET),
        shortened(addresses.map(|address| text(address).to_owned()), UNSET),
        age::of(object, now),
    ]
}
