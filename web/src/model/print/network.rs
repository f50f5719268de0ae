//! The rows of ingresses, network policies and addresses.

use masthead::lean::{Interned, Lean};
use serde::Deserialize;

use super::{
    cells::Cells,
    heading::{Heading, words},
    nested::Nested,
    presence::{Element, Presence},
    selector::Selector,
    service::{Point, balancer},
    subject::Subject,
    words::{NONE, joined},
};

pub(super) const INGRESS: &[Heading] =
    &[words("NAME"), words("CLASS"), words("HOSTS"), words("ADDRESS"), words("PORTS"), words("AGE")];

#[derive(Lean)]
pub(super) struct Ingress {
    #[lean("spec.ingressClassName")]
    class: Option<Interned>,
    #[lean("spec.rules")]
    rules: Nested<Vec<Rule>>,
    #[lean("spec.tls[*]")]
    tls: Vec<Element>,
    #[lean("status.loadBalancer.ingress")]
    balancer: Nested<Vec<Point>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Rule {
    host: String,
}

pub(super) fn ingress(subject: &Subject<Ingress>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.word(it.class.as_deref().unwrap_or(NONE));
    to.own(&hosts(&it.rules), "");
    to.own(&balancer(&it.balancer), "");
    to.word(if it.tls.is_empty() { "80" } else { "80, 443" });
    to.age();
}

/// The hosts of the rules; those beyond the third are counted by rules, with a host or without.
fn hosts(rules: &[Rule]) -> String {
    let named = rules.iter().enumerate().filter(|(_, rule)| !rule.host.is_empty());
    let shown: Vec<(usize, &str)> = named.map(|(at, rule)| (at, rule.host.as_str())).take(3).collect();
    let names = joined(shown.iter().map(|(_, host)| *host), ",");
    match shown.last() {
        None => "*".to_owned(),
        Some((last, _)) if shown.len() == 3 && last + 1 < rules.len() => {
            format!("{names} + {} more...", rules.len() - 3)
        }
        Some(_) => names,
    }
}

pub(super) const INGRESS_CLASS: &[Heading] = &[words("NAME"), words("CONTROLLER"), words("PARAMETERS"), words("AGE")];

#[derive(Lean)]
pub(super) struct IngressClass {
    #[lean(r"metadata.annotations.ingressclass\.kubernetes\.io/is-default-class")]
    is_default: Interned,
    #[lean("spec.controller")]
    controller: Interned,
    #[lean("spec.parameters")]
    parameters: Presence,
    #[lean("spec.parameters.apiGroup")]
    group: Option<Interned>,
    #[lean("spec.parameters.kind")]
    kind: Interned,
    #[lean("spec.parameters.name")]
    name: Interned,
}

pub(super) fn ingress_class(subject: &Subject<IngressClass>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.default_name(it.is_default == "true");
    to.known(&it.controller, "");
    match (it.parameters.0, &it.group) {
        (false, _) => to.word(NONE),
        (true, Some(group)) => to.word(&format!("{}.{group}/{}", it.kind, it.name)),
        (true, None) => to.word(&format!("{}/{}", it.kind, it.name)),
    }
    to.age();
}

pub(super) const NETWORK_POLICY: &[Heading] = &[words("NAME"), words("POD-SELECTOR"), words("AGE")];

#[derive(Lean)]
pub(super) struct NetworkPolicy {
    #[lean("spec.podSelector")]
    selector: Selector,
}

pub(super) fn network_policy(subject: &Subject<NetworkPolicy>, to: &mut Cells<'_>) {
    to.name();
    subject.of.selector.show(to);
    to.age();
}

pub(super) const SERVICE_CIDR: &[Heading] = &[words("NAME"), words("CIDRS"), words("AGE")];

#[derive(Lean)]
pub(super) struct ServiceCidr {
    #[lean("spec.cidrs[*]")]
    ranges: Vec<Interned>,
}

pub(super) fn service_cidr(subject: &Subject<ServiceCidr>, to: &mut Cells<'_>) {
    to.name();
    to.word(&joined(&subject.of.ranges, ","));
    to.age();
}

pub(super) const IP_ADDRESS: &[Heading] = &[words("NAME"), words("PARENTREF")];

#[derive(Lean)]
pub(super) struct IpAddress {
    #[lean("spec.parentRef")]
    parent: Presence,
    #[lean("spec.parentRef.group")]
    group: Interned,
    #[lean("spec.parentRef.resource")]
    resource: Interned,
    #[lean("spec.parentRef.namespace")]
    namespace: Interned,
    #[lean("spec.parentRef.name")]
    name: Box<str>,
}

pub(super) fn ip_address(subject: &Subject<IpAddress>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    if !it.parent.0 {
        return to.word(NONE);
    }
    let dot = if it.group.is_empty() { "" } else { "." };
    let slash = if it.namespace.is_empty() { "" } else { "/" };
    let resource = format!("{}{dot}{}", it.resource, it.group).to_ascii_lowercase();
    to.own(&format!("{resource}/{}{slash}{}", it.namespace, it.name), "");
}
