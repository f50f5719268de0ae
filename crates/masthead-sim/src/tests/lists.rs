//! LIST: selectors, pages, versions, forms.

use super::wire::{CONFIG_MAPS, Wire};
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube_core::GroupVersionResource;
use masthead::{
    metadata::MetadataClient,
    rest::{ListOptions, Method, ResourceVersionMatch},
    typed,
};
use serde_json::{Value, json};

fn names(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().filter_map(|item| item["metadata"]["name"].as_str()).collect()
}

fn many(wire: &Wire, count: usize) {
    for number in 0..count {
        wire.create_config_map(&format!("m{number}"), &json!({ "odd": (number % 2 == 1).to_string() }));
    }
}

#[test]
fn selectors_choose_by_labels_and_fields() {
    let wire = Wire::new();
    many(&wire, 4);
    for (name, node, phase) in [("a", "n1", "Running"), ("b", "n2", "Running"), ("c", "n1", "Pending")] {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name, "namespace": "kube-system" },
            "spec": { "nodeName": node }, "status": { "phase": phase },
        });
        assert!(wire.sim.insert(pod));
    }
    let check = |url: &str, expect: &[&str]| assert_eq!(names(&wire.json(Method::Get, url, "").1), expect, "{url}");
    check(&format!("{CONFIG_MAPS}?labelSelector=odd%3Dtrue"), &["m1", "m3"]);
    check(&format!("{CONFIG_MAPS}?labelSelector=odd+in+(false),!x"), &["m0", "m2"]);
    check(&format!("{CONFIG_MAPS}?fieldSelector=metadata.name!%3Dm1"), &["m0", "m2", "m3"]);
    check("/api/v1/pods?fieldSelector=spec.nodeName%3Dn1,status.phase%3DRunning", &["a"]);
    check("/api/v1/pods?fieldSelector=spec.hostNetwork%3Dfalse", &["a", "b", "c"]);
    check("/api/v1/namespaces/default/pods", &[]);
}

#[test]
fn pages_are_of_one_version() {
    let wire = Wire::new();
    many(&wire, 5);
    let version = wire.sim.version();
    let (_, first) = wire.json(Method::Get, &format!("{CONFIG_MAPS}?limit=2"), "");
    assert_eq!(first["metadata"]["remainingItemCount"], 3);
    wire.json(Method::Delete, &format!("{CONFIG_MAPS}/m3"), "");
    wire.create_config_map("m2x", &json!({}));
    let token = first["metadata"]["continue"].as_str().unwrap();
    let (_, rest) = wire.json(Method::Get, &format!("{CONFIG_MAPS}?limit=5&continue={token}"), "");
    assert_eq!(names(&rest), ["m2", "m3", "m4"]);
    assert_eq!(rest["metadata"], json!({ "resourceVersion": version.to_string() }));
}

#[test]
fn an_expired_page_says_how_to_go_on_without_consistency() {
    let wire = Wire::new();
    many(&wire, 4);
    let (_, first) = wire.json(Method::Get, &format!("{CONFIG_MAPS}?limit=2"), "");
    wire.json(Method::Delete, &format!("{CONFIG_MAPS}/m2"), "");
    wire.sim.compact();
    let token = first["metadata"]["continue"].as_str().unwrap();
    let (code, status) = wire.json(Method::Get, &format!("{CONFIG_MAPS}?limit=2&continue={token}"), "");
    assert_eq!((code, status["reason"].as_str()), (410, Some("Expired")));
    let token = status["metadata"]["continue"].as_str().unwrap();
    let (_, rest) = wire.json(Method::Get, &format!("{CONFIG_MAPS}?limit=2&continue={token}"), "");
    assert_eq!(names(&rest), ["m3"]);
}

#[test]
fn the_library_reads_every_page() {
    let wire = Wire::new();
    many(&wire, 25);
    let maps = typed::Client::<ConfigMap>::namespaced(&wire.client, "default");
    let mut options = ListOptions { limit: Some(10), ..Default::default() };
    let mut seen = 0;
    loop {
        let page = wire.time.run(maps.list(&options)).unwrap();
        seen += page.items.len();
        options.continue_token = page.continue_token.unwrap_or_default();
        if options.continue_token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, 25);
}

#[test]
fn an_old_version_is_listed_as_it_was() {
    let wire = Wire::new();
    many(&wire, 2);
    let then = wire.sim.version();
    wire.json(Method::Delete, &format!("{CONFIG_MAPS}/m0"), "");
    wire.patch("merge-patch", &format!("{CONFIG_MAPS}/m1"), &json!({ "data": { "k": "w" } }));
    let maps = typed::Client::<ConfigMap>::namespaced(&wire.client, "default");
    let at = |rule| ListOptions {
        resource_version: then.to_string(),
        resource_version_match: Some(rule),
        ..Default::default()
    };
    let exact = wire.time.run(maps.list(&at(ResourceVersionMatch::Exact))).unwrap();
    assert_eq!(exact.items.len(), 2);
    assert_eq!(exact.items[1].data.as_ref().unwrap()["k"], "v");
    assert_eq!(exact.resource_version, then.to_string());
    let newer = wire.time.run(maps.list(&at(ResourceVersionMatch::NotOlderThan))).unwrap();
    assert_eq!(newer.items.len(), 1);
    wire.sim.compact();
    let gone = wire.time.run(maps.list(&at(ResourceVersionMatch::Exact)));
    assert!(gone.unwrap_err().is_gone());
}

#[test]
fn metadata_come_without_the_rest() {
    let wire = Wire::new();
    many(&wire, 2);
    let maps = MetadataClient::new(&wire.client).resource(&GroupVersionResource::gvr("", "v1", "configmaps"));
    let list = wire.time.run(maps.namespace("default").list(&ListOptions::default())).unwrap();
    assert_eq!(list.items.len(), 2);
    let accept = [("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")];
    let one = wire.ask(Method::Get, &format!("{CONFIG_MAPS}/m0"), &accept, "");
    let one: Value = serde_json::from_slice(&one.body).unwrap();
    assert_eq!((one["kind"].as_str(), &one["data"]), (Some("PartialObjectMetadata"), &Value::Null));
    let refused = wire.ask(Method::Get, CONFIG_MAPS, &accept, "");
    assert_eq!(refused.code, 406);
    let protobuf = [("Accept", "application/vnd.kubernetes.protobuf")];
    assert_eq!(wire.ask(Method::Get, CONFIG_MAPS, &protobuf, "").code, 406);
}

#[test]
fn a_list_of_all_namespaces_is_in_their_order() {
    let wire = Wire::new();
    for (namespace, name) in [("kube-system", "a"), ("default", "z"), ("default", "b")] {
        let pod = json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name, "namespace": namespace } });
        assert!(wire.sim.insert(pod));
    }
    let pods = typed::Client::<Pod>::all_namespaces(&wire.client);
    let list = wire.time.run(pods.list(&ListOptions::default())).unwrap();
    let names: Vec<_> = list.items.iter().filter_map(|pod| pod.metadata.name.as_deref()).collect();
    assert_eq!(names, ["b", "z", "a"]);
}
