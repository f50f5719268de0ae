//! How things are reached.

use super::{Detail, Facts, Label, Listing, Object, Reference, Relation, Told, listing::text, relation::selector};
use crate::model::table::cell::Tone;

pub(super) fn service(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    facts.at(Label::Type, it, "/spec/type");
    match it.joined("/spec/clusterIPs") {
        one if one.is_empty() => facts.at(Label::ClusterIp, it, "/spec/clusterIP"),
        all => facts.text(Label::ClusterIp, all),
    }
    facts.at(Label::ExternalName, it, "/spec/externalName");
    facts.text(Label::ExternalIp, it.joined("/spec/externalIPs"));
    facts.text(Label::LoadBalancer, balancer(it));
    if it.text("/spec/sessionAffinity") != "None" {
        facts.at(Label::SessionAffinity, it, "/spec/sessionAffinity");
    }
    let port = |port: Object<'_>| {
        let number = format!("{}/{}", port.written("/port"), port.text("/protocol"));
        [port.text("/name").to_owned(), number, port.written("/targetPort"), port.written("/nodePort")]
            .map(text)
            .to_vec()
    };
    let heads = [Label::Name, Label::Port, Label::TargetPort, Label::NodePort];
    detail.listings.extend(Listing::new(Label::Ports, &heads, it.items("/spec/ports").map(port)));
    let name = it.text("/metadata/name");
    if let Some(labels) = selector(it.at("/spec/selector")) {
        facts.text(Label::Selector, labels.clone());
        detail.relations.push(Relation::pods(it, labels));
    }
    detail.relations.push(Relation {
        label: Label::EndpointSlices,
        resource: ["discovery.k8s.io", "v1", "endpointslices"],
        ..Relation::pods(it, format!("kubernetes.io/service-name={name}"))
    });
}

pub(super) fn ingress(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    facts.link(Label::Class, ["networking.k8s.io/v1", "IngressClass"], ["", it.text("/spec/ingressClassName")]);
    facts.text(Label::LoadBalancer, balancer(it));
    let namespace = it.text("/metadata/namespace");
    let backend = |backend: Object<'_>| match backend.text("/service/name") {
        "" => text(format!("{} {}", backend.text("/resource/kind"), backend.text("/resource/name")).trim()),
        name => Told::Link(Reference::new("v1", "Service", namespace, name)),
    };
    let port =
        |backend: Object<'_>| [backend.written("/service/port/name"), backend.written("/service/port/number")].concat();
    let paths = it.items("/spec/rules").flat_map(|rule| {
        let host = rule.text("/host");
        rule.items("/http/paths").map(move |path| {
            let to = path.at("/backend");
            vec![text(if host.is_empty() { "*" } else { host }), text(path.text("/path")), backend(to), text(port(to))]
        })
    });
    let heads = [Label::Host, Label::Path, Label::Service, Label::Port];
    detail.listings.extend(Listing::new(Label::Rules, &heads, paths));
    for secret in it.items("/spec/tls").map(|tls| tls.text("/secretName")) {
        facts.link(Label::Certificate, ["v1", "Secret"], [namespace, secret]);
    }
}

pub(super) fn policy(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    facts.text(Label::Type, it.joined("/spec/policyTypes"));
    let labels = selector(it.at("/spec/podSelector"));
    facts.text(Label::Selector, labels.clone().unwrap_or_else(|| "*".to_owned()));
    // One without a selector is about every pod of its namespace.
    detail.relations.push(Relation::pods(it, labels.unwrap_or_default()));
}

pub(super) fn endpoint_slice(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    let namespace = it.text("/metadata/namespace");
    let service = it.text("/metadata/labels/kubernetes.io~1service-name");
    facts.link(Label::Service, ["v1", "Service"], [namespace, service]);
    facts.at(Label::Type, it, "/addressType");
    let endpoint = |endpoint: Object<'_>| {
        let ready = endpoint.at("/conditions/ready").0.as_bool() != Some(false);
        let target = endpoint.at("/targetRef");
        let link = Reference::new("v1", target.text("/kind"), namespace, target.text("/name"));
        vec![
            text(endpoint.joined("/addresses")),
            Told::State(ready.to_string(), if ready { Tone::Quiet } else { Tone::Warning }),
            if link.name.is_empty() { text("") } else { Told::Link(link) },
            text(endpoint.text("/nodeName")),
        ]
    };
    let heads = [Label::Address, Label::Ready, Label::Target, Label::Node];
    detail.listings.extend(Listing::new(Label::Endpoints, &heads, it.items("/endpoints").map(endpoint)));
    let port = |port: Object<'_>| {
        vec![text(port.text("/name")), text(format!("{}/{}", port.written("/port"), port.text("/protocol")))]
    };
    let heads = [Label::Name, Label::Port];
    detail.listings.extend(Listing::new(Label::Ports, &heads, it.items("/ports").map(port)));
}

fn balancer(it: Object<'_>) -> String {
    let address = |entry: Object<'_>| [entry.text("/ip"), entry.text("/hostname")].concat();
    it.items("/status/loadBalancer/ingress").map(address).collect::<Vec<_>>().join(", ")
}
