//! The rows of services and of what stands behind them.

use std::collections::BTreeSet;

use masthead::lean::{Interned, Lean};
use serde::Deserialize;

use super::{
    cells::Cells,
    heading::{Heading, wide, words},
    nested::Nested,
    selector::Pairs,
    subject::Subject,
    words::{NONE, UNKNOWN, UNSET, joined, or, shortened},
};
use crate::model::table::cell::Tone;

pub(super) const SERVICE: &[Heading] = &[
    words("NAME"),
    words("TYPE"),
    words("CLUSTER-IP"),
    words("EXTERNAL-IP"),
    words("PORT(S)"),
    words("AGE"),
    wide("SELECTOR"),
];

#[derive(Lean)]
pub(super) struct Service {
    #[lean("spec.type")]
    kind: Interned,
    #[lean("spec.clusterIP")]
    address: Box<str>,
    #[lean("spec.clusterIPs[*]")]
    addresses: Vec<Box<str>>,
    #[lean("spec.externalIPs[*]")]
    external: Vec<Box<str>>,
    #[lean("spec.externalName")]
    external_name: Box<str>,
    #[lean("spec.ports")]
    ports: Nested<Vec<Port>>,
    #[lean("spec.selector")]
    selector: Pairs,
    #[lean("status.loadBalancer.ingress")]
    balancer: Nested<Vec<Point>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Port {
    port: i64,
    node_port: i64,
    protocol: String,
}

/// Where a load balancer is reached.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Point {
    ip: String,
    hostname: String,
}

pub(super) fn service(subject: &Subject<Service>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.known(&it.kind, "");
    to.own(it.addresses.first().filter(|first| !first.is_empty()).unwrap_or(&it.address), NONE);
    external(it, to);
    to.word(or(&joined(it.ports.iter().map(Port::text), ","), NONE));
    to.age();
    to.known(&it.selector.0, NONE);
}

impl Port {
    fn text(&self) -> String {
        match self.node_port {
            0 => format!("{}/{}", self.port, self.protocol),
            node => format!("{}:{node}/{}", self.port, self.protocol),
        }
    }
}

/// Where a service is reached from outside.
fn external(it: &Service, to: &mut Cells<'_>) {
    let given = joined(&it.external, ",");
    match it.kind.as_str() {
        "ClusterIP" | "NodePort" => to.own(&given, NONE),
        "LoadBalancer" => {
            let all = [balancer(&it.balancer), given];
            match joined(all.iter().filter(|it| !it.is_empty()), ",").as_str() {
                "" => to.status("<pending>", Tone::Busy),
                addresses => to.own(addresses, ""),
            }
        }
        "ExternalName" => to.own(&it.external_name, ""),
        _ => to.word(UNKNOWN),
    }
}

/// The addresses that a load balancer has given a service or an ingress.
pub(super) fn balancer(points: &[Point]) -> String {
    let named = points.iter().map(|point| or(&point.ip, &point.hostname));
    joined(named.filter(|name| !name.is_empty()).collect::<BTreeSet<&str>>(), ",")
}

pub(super) const ENDPOINTS: &[Heading] = &[words("NAME"), words("ENDPOINTS"), words("AGE")];

#[derive(Lean)]
pub(super) struct Endpoints {
    #[lean("subsets")]
    subsets: Nested<Vec<Subset>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Subset {
    addresses: Vec<Point>,
    ports: Vec<Port>,
}

pub(super) fn endpoints(subject: &Subject<Endpoints>, to: &mut Cells<'_>) {
    let subsets = &subject.of.subsets;
    to.name();
    match subsets.is_empty() {
        true => to.word(NONE),
        false => to.own(&shortened(subsets.iter().flat_map(Subset::all), ""), ""),
    }
    to.age();
}

impl Subset {
    /// Every address at every port.
    fn all(&self) -> impl Iterator<Item = String> + Clone {
        let ports = self.ports.iter().map(|port| Some(port.port));
        // A headless service may have no ports.
        let portless = self.ports.is_empty().then_some(None);
        ports.chain(portless).flat_map(|port| {
            self.addresses.iter().map(move |address| match port {
                Some(port) if address.ip.contains(':') => format!("[{}]:{port}", address.ip),
                Some(port) => format!("{}:{port}", address.ip),
                None => address.ip.clone(),
            })
        })
    }
}

pub(super) const ENDPOINT_SLICE: &[Heading] =
    &[words("NAME"), words("ADDRESSTYPE"), words("PORTS"), words("ENDPOINTS"), words("AGE")];

#[derive(Lean)]
pub(super) struct EndpointSlice {
    #[lean("addressType")]
    kind: Interned,
    #[lean("ports")]
    ports: Nested<Vec<SlicePort>>,
    #[lean("endpoints[*].addresses[*]")]
    addresses: Vec<Box<str>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SlicePort {
    port: Option<i64>,
    name: Option<String>,
}

pub(super) fn endpoint_slice(subject: &Subject<EndpointSlice>, to: &mut Cells<'_>) {
    let it = &subject.of;
    let ports = it.ports.iter().map(|port| match (port.port, &port.name) {
        (Some(number), _) => number.to_string(),
        (None, Some(name)) => name.clone(),
        (None, None) => "*".to_owned(),
    });
    to.name();
    to.known(&it.kind, "");
    to.word(&shortened(ports, UNSET));
    to.own(&shortened(it.addresses.iter(), UNSET), "");
    to.age();
}
