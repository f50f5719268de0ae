//! The controllers of endpoints and endpoint slices: where the pods of a service are.

use serde_json::{Value, json};

use super::{actor::Turn, component::Component, engine::Work, facts::Facts, resource::Resource, selector, template};
use crate::{
    object::{Key, Object},
    write::Half,
};

/// How many endpoints a slice has at most.
const PER_SLICE: usize = 100;
const HEADLESS: &str = "service.kubernetes.io/headless";

/// One pod of a service.
struct Target {
    key: Key,
    facts: Facts,
    pod: Value,
}

impl Turn<'_> {
    /// Puts the services on the agenda that select a pod.
    pub(super) fn push_services(&mut self, pod: &Object) {
        let services = self.state.services.range(Key::new(&pod.key.namespace, "")..);
        let near = services.take_while(|(key, _)| key.namespace == pod.key.namespace);
        let chosen = near.filter(|(_, wanted)| selector::has_all(wanted, &pod.labels)).map(|(key, _)| key.clone());
        for key in chosen.collect::<Vec<_>>() {
            self.state.agenda.push(Work::Service(key));
        }
    }

    /// Learns which pods a service selects.
    pub(super) fn note_service(&mut self, key: &Key, service: Option<&Value>) {
        let wanted = service.map(|service| service["spec"]["selector"].clone());
        match wanted.filter(|wanted| wanted.as_object().is_some_and(|pairs| !pairs.is_empty())) {
            Some(wanted) => {
                self.state.services.insert(key.clone(), wanted);
                self.state.agenda.push(Work::Service(key.clone()));
            }
            None => {
                // The slices go with the service that owns them; the endpoints have its name and no owner.
                let known = self.state.services.remove(key).is_some();
                if known && service.is_none() {
                    self.delete(Component::Endpoints, Resource::Endpoints, key, None);
                }
            }
        }
    }

    pub(super) fn sync_service(&mut self, key: &Key) {
        let wanted = self.state.services.get(key).cloned();
        let Some((service, wanted)) = self.get(Resource::Service, key).zip(wanted) else { return };
        let chosen = |pod: &Object| selector::has_all(&wanted, &pod.labels);
        let pods = self.list(Resource::Pod, Some(&key.namespace)).into_iter().filter(|pod| chosen(pod));
        let targets: Vec<Target> = pods
            .filter_map(|pod| {
                let facts = self.state.pods.get(&pod.key)?.clone();
                let serves = !facts.ip.is_empty() && !facts.is_over();
                serves.then(|| Target { key: pod.key.clone(), facts, pod: pod.value() })
            })
            .collect();
        self.write_endpoints(&service, &targets);
        self.write_slices(&service, &targets);
    }

    fn write_endpoints(&mut self, service: &Value, targets: &[Target]) {
        let tolerant = service["spec"]["publishNotReadyAddresses"] == true;
        let address = |target: &Target| json!({ "ip": target.facts.ip, "nodeName": *target.facts.node, "targetRef": reference(target) });
        let (ready, unready): (Vec<&Target>, Vec<&Target>) = targets
            .iter()
            .filter(|target| !target.facts.ending)
            .partition(|target| tolerant || target.facts.ready.is_some());
        let mut subset = json!({});
        for (field, some) in [("addresses", ready), ("notReadyAddresses", unready)] {
            if !some.is_empty() {
                subset[field] = some.into_iter().map(address).collect();
            }
        }
        let ports = ports(service, targets);
        let listed = subset.as_object().is_some_and(|subset| !subset.is_empty());
        if !ports.is_empty() {
            subset["ports"] = ports.into();
        }
        let subsets = if listed { json!([subset]) } else { Value::Null };
        let mut labels = service["metadata"]["labels"].as_object().cloned().unwrap_or_default();
        labels.insert("endpoints.kubernetes.io/managed-by".to_owned(), "endpoint-controller".into());
        if is_headless(service) {
            labels.insert(HEADLESS.to_owned(), "".into());
        }
        let key = super::actor::key_of(service);
        let known = self.get(Resource::Endpoints, &key);
        if known.as_ref().is_some_and(|known| known["subsets"] == subsets) {
            return;
        }
        let mut next = known.clone().unwrap_or_else(|| {
            json!({
                "apiVersion": "v1", "kind": "Endpoints",
                "metadata": { "name": *key.name, "namespace": *key.namespace, "labels": labels },
            })
        });
        next["metadata"]["annotations"]["endpoints.kubernetes.io/last-change-trigger-time"] = self.time();
        next["subsets"] = subsets;
        match known {
            Some(_) => drop(self.update(Component::Endpoints, Resource::Endpoints, Half::Main, next)),
            // A namespace that ends takes no more; neither does the real controller insist.
            None => drop(self.create(Component::Endpoints, Resource::Endpoints, next)),
        }
    }

    fn write_slices(&mut self, service: &Value, targets: &[Target]) {
        let by = Component::EndpointSlices;
        let ports = ports(service, targets);
        let endpoints: Vec<Value> = targets.iter().map(|target| self.endpoint(service, target)).collect();
        let mut chunks: Vec<Vec<Value>> = endpoints.chunks(PER_SLICE).map(<[Value]>::to_vec).collect();
        if chunks.is_empty() {
            chunks.push(Vec::new());
        }
        let known = self.owned(Resource::EndpointSlice, template::uid(service));
        for surplus in known.iter().skip(chunks.len()) {
            self.delete(by, Resource::EndpointSlice, &surplus.key, None);
        }
        for (at, chunk) in chunks.into_iter().enumerate() {
            let (chunk, ports) = (Value::from(chunk), Value::from(ports.clone()));
            if let Some(slice) = known.get(at) {
                let mut slice = slice.value();
                if slice["endpoints"] != chunk || slice["ports"] != ports {
                    slice["endpoints"] = chunk;
                    slice["ports"] = ports;
                    slice["metadata"]["annotations"]["endpoints.kubernetes.io/last-change-trigger-time"] = self.time();
                    self.update(by, Resource::EndpointSlice, Half::Main, slice);
                }
                continue;
            }
            let mut labels = service["metadata"]["labels"].as_object().cloned().unwrap_or_default();
            let name = template::name(service);
            labels.insert("kubernetes.io/service-name".to_owned(), name.into());
            labels
                .insert("endpointslice.kubernetes.io/managed-by".to_owned(), "endpointslice-controller.k8s.io".into());
            if is_headless(service) {
                labels.insert(HEADLESS.to_owned(), "".into());
            }
            let slice = json!({
                "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
                "metadata": {
                    "generateName": format!("{name}-"), "namespace": service["metadata"]["namespace"], "labels": labels,
                    "annotations": { "endpoints.kubernetes.io/last-change-trigger-time": self.time() },
                    "ownerReferences": [template::reference(service)],
                },
                "endpoints": chunk, "ports": ports,
            });
            drop(self.create(by, Resource::EndpointSlice, slice));
        }
    }

    fn endpoint(&self, service: &Value, target: &Target) -> Value {
        let facts = &target.facts;
        let serving = facts.ready.is_some();
        let tolerant = service["spec"]["publishNotReadyAddresses"] == true;
        let mut endpoint = json!({
            "addresses": [facts.ip], "nodeName": *facts.node, "targetRef": reference(target),
            "conditions": {
                "ready": tolerant || serving && !facts.ending, "serving": serving, "terminating": facts.ending,
            },
        });
        let zone = self.state.rooms.node(&facts.node).and_then(|node| node.labels.get("topology.kubernetes.io/zone"));
        if let Some(zone) = zone {
            endpoint["zone"] = zone.as_str().into();
        }
        if let Some(host) = target.pod["spec"]["hostname"].as_str().filter(|_| is_headless(service)) {
            endpoint["hostname"] = host.into();
        }
        endpoint
    }
}

fn reference(target: &Target) -> Value {
    json!({
        "kind": "Pod", "namespace": *target.key.namespace, "name": *target.key.name, "uid": target.facts.uid,
    })
}

fn is_headless(service: &Value) -> bool {
    service["spec"]["clusterIP"] == "None"
}

/// The ports that a service leads to; one that is named is looked up in the pods.
fn ports(service: &Value, targets: &[Target]) -> Vec<Value> {
    let named = |name: &str| {
        let containers = targets.first()?.pod["spec"]["containers"].as_array()?.iter();
        let ports = containers.filter_map(|container| container["ports"].as_array()).flatten();
        ports.into_iter().find(|port| port["name"] == name).map(|port| port["containerPort"].clone())
    };
    let ports = service["spec"]["ports"].as_array().into_iter().flatten();
    let resolved = ports.filter_map(|port| {
        let number = match &port["targetPort"] {
            Value::String(name) => named(name)?,
            Value::Null => port["port"].clone(),
            number => number.clone(),
        };
        let protocol = port["protocol"].as_str().unwrap_or("TCP");
        let mut found = json!({ "port": number, "protocol": protocol });
        if let Some(name) = port["name"].as_str().filter(|name| !name.is_empty()) {
            found["name"] = name.into();
        }
        Some(found)
    });
    resolved.collect()
}
