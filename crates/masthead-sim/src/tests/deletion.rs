//! DELETE: finalizers, grace, namespaces, owners, collections, eviction.

use std::time::Duration;

use super::wire::{CONFIG_MAPS, Wire};
use masthead::rest::Method::{Delete, Get, Post};
use serde_json::{Value, json};

const PODS: &str = "/api/v1/namespaces/default/pods";

fn exists(wire: &Wire, url: &str) -> bool {
    wire.json(Get, url, "").0 == 200
}

fn pod(wire: &Wire, name: &str, node: &str) {
    let spec = json!({ "nodeName": node, "containers": [{ "name": "main", "image": "main" }] });
    let pod = json!({ "metadata": { "name": name, "labels": { "app": name } }, "spec": spec });
    assert_eq!(wire.json(Post, PODS, &pod.to_string()).0, 201);
}

#[test]
fn a_deletion_answers_with_what_it_was_about() {
    let wire = Wire::new();
    let uid = wire.create_config_map("a", &json!({}))["metadata"]["uid"].clone();
    let (code, status) = wire.json(Delete, &format!("{CONFIG_MAPS}/a"), "");
    let expect = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
        "details": { "name": "a", "kind": "configmaps", "uid": uid },
    });
    assert_eq!((code, status), (200, expect));
    assert_eq!(wire.refusal(Delete, &format!("{CONFIG_MAPS}/a"), "").1, "configmaps \"a\" not found");
}

#[test]
fn finalizers_hold_an_object_until_the_last_is_gone() {
    let wire = Wire::new();
    wire.json(Post, CONFIG_MAPS, r#"{"metadata":{"name":"f","finalizers":["x.io/f"]}}"#);
    let f = format!("{CONFIG_MAPS}/f");
    let (code, ending) = wire.json(Delete, &f, "");
    assert_eq!((code, ending["metadata"]["deletionTimestamp"].is_string()), (200, true));
    assert_eq!(ending["metadata"]["deletionGracePeriodSeconds"], 0);
    assert_eq!(wire.json(Delete, &f, ""), (200, ending.clone()));
    let (code, status) = wire.patch("merge-patch", &f, &json!({ "metadata": { "finalizers": ["x.io/f", "y/z"] } }));
    let why = "ConfigMap \"f\" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object \
               is being deleted, found new finalizers []string{\"y/z\"}";
    assert_eq!((code, status["message"].as_str()), (422, Some(why)));
    let (code, last) = wire.patch("merge-patch", &f, &json!({ "metadata": { "finalizers": null } }));
    assert_eq!((code, &last["metadata"]["resourceVersion"]), (200, &ending["metadata"]["resourceVersion"]));
    assert!(!exists(&wire, &f));
}

#[test]
fn a_pod_on_a_node_ends_when_its_node_says_so() {
    let wire = Wire::new();
    pod(&wire, "placed", "n1");
    pod(&wire, "waiting", "");
    wire.time.advance(Duration::from_secs(60));
    let (_, ending) = wire.json(Delete, &format!("{PODS}/placed"), "");
    assert_eq!(ending["metadata"]["deletionTimestamp"], "2026-01-01T00:01:30Z");
    assert_eq!(ending["metadata"]["deletionGracePeriodSeconds"], 30);
    assert_eq!(ending["metadata"]["generation"], 2);
    assert!(exists(&wire, &format!("{PODS}/placed")));
    let (_, gone) = wire.json(Delete, &format!("{PODS}/placed?gracePeriodSeconds=0"), "");
    assert_eq!(
        (gone["kind"].as_str(), gone["metadata"]["deletionGracePeriodSeconds"].as_u64()),
        (Some("Pod"), Some(0))
    );
    assert!(!exists(&wire, &format!("{PODS}/placed")));
    wire.json(Delete, &format!("{PODS}/waiting"), "");
    assert!(!exists(&wire, &format!("{PODS}/waiting")));
}

#[test]
fn a_namespace_takes_its_content_along() {
    let wire = Wire::new();
    wire.json(Post, "/api/v1/namespaces", r#"{"metadata":{"name":"team"}}"#);
    let maps = "/api/v1/namespaces/team/configmaps";
    wire.json(Post, maps, r#"{"metadata":{"name":"a"}}"#);
    wire.json(Post, maps, r#"{"metadata":{"name":"held","finalizers":["x.io/f"]}}"#);
    let (code, ending) = wire.json(Delete, "/api/v1/namespaces/team", "");
    assert_eq!((code, ending["status"]["phase"].as_str()), (200, Some("Terminating")));
    assert!(exists(&wire, &format!("{maps}/a")));
    wire.time.advance(Duration::from_secs(5));
    assert!(!exists(&wire, &format!("{maps}/a")));
    let (_, waiting) = wire.json(Get, "/api/v1/namespaces/team", "");
    let left = [
        "Some resources are remaining: configmaps. has 1 resource instances",
        "Some content in the namespace has finalizers remaining: x.io/f in 1 resource instances",
    ];
    assert_eq!([3, 4].map(|at| waiting["status"]["conditions"][at]["message"].as_str().unwrap()), left);
    let refused = wire.json(Post, maps, r#"{"metadata":{"name":"b"}}"#);
    let why = "configmaps \"b\" is forbidden: unable to create new content in namespace team because it is being \
               terminated";
    assert_eq!((refused.0, refused.1["message"].as_str()), (403, Some(why)));
    assert_eq!(refused.1["details"]["causes"][0]["reason"], "NamespaceTerminating");
    wire.patch("merge-patch", &format!("{maps}/held"), &json!({ "metadata": { "finalizers": null } }));
    wire.time.advance(Duration::from_secs(5));
    assert!(!exists(&wire, "/api/v1/namespaces/team"));
}

#[test]
fn a_namespace_keeps_everything_else_while_a_pod_is_left() {
    let wire = Wire::new();
    wire.json(Post, "/api/v1/namespaces", r#"{"metadata":{"name":"team"}}"#);
    let (pods, maps) = ("/api/v1/namespaces/team/pods", "/api/v1/namespaces/team/configmaps");
    wire.json(Post, maps, r#"{"metadata":{"name":"a"}}"#);
    let spec = json!({ "containers": [{ "name": "c", "image": "i" }] });
    let held = json!({ "metadata": { "name": "held", "finalizers": ["x.io/f"] }, "spec": spec });
    assert_eq!(wire.json(Post, pods, &held.to_string()).0, 201);
    wire.json(Delete, "/api/v1/namespaces/team", "");
    wire.time.advance(Duration::from_secs(60));
    assert!(exists(&wire, &format!("{maps}/a")));
    wire.patch("merge-patch", &format!("{pods}/held"), &json!({ "metadata": { "finalizers": null } }));
    wire.time.advance(Duration::from_secs(5));
    assert!(!exists(&wire, "/api/v1/namespaces/team"));
}

#[test]
fn what_an_object_owns_goes_after_before_or_not_at_all() {
    let check = |policy: &str, stays: bool| {
        let wire = Wire::new();
        let uid = wire.create_config_map("owner", &json!({}))["metadata"]["uid"].clone();
        let owner = json!({ "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": uid });
        let owned = json!({ "metadata": { "name": "owned", "ownerReferences": [owner] } });
        let uid = wire.json(Post, CONFIG_MAPS, &owned.to_string()).1["metadata"]["uid"].clone();
        let owner = json!({ "apiVersion": "v1", "kind": "ConfigMap", "name": "owned", "uid": uid });
        let last = json!({ "metadata": { "name": "last", "ownerReferences": [owner] } });
        wire.json(Post, CONFIG_MAPS, &last.to_string());
        let options = json!({ "propagationPolicy": policy }).to_string();
        assert_eq!(wire.json(Delete, &format!("{CONFIG_MAPS}/owner"), &options).0, 200);
        assert!(!exists(&wire, &format!("{CONFIG_MAPS}/owner")), "{policy}");
        let (code, found) = wire.json(Get, &format!("{CONFIG_MAPS}/owned"), "");
        assert_eq!(code == 200, stays, "{policy}");
        assert_eq!(exists(&wire, &format!("{CONFIG_MAPS}/last")), stays, "{policy}");
        assert_eq!(found["metadata"]["ownerReferences"], Value::Null);
    };
    check("Background", false);
    check("Foreground", false);
    check("Orphan", true);
}

#[test]
fn an_owner_waits_in_the_foreground_for_what_is_held() {
    let wire = Wire::new();
    let uid = wire.create_config_map("owner", &json!({}))["metadata"]["uid"].clone();
    let owner = json!({ "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": uid });
    let held = json!({ "metadata": { "name": "held", "finalizers": ["x/y"], "ownerReferences": [owner] } });
    wire.json(Post, CONFIG_MAPS, &held.to_string());
    let (_, ending) = wire.json(Delete, &format!("{CONFIG_MAPS}/owner"), r#"{"propagationPolicy":"Foreground"}"#);
    assert_eq!(ending["metadata"]["finalizers"], json!(["foregroundDeletion"]));
    assert!(exists(&wire, &format!("{CONFIG_MAPS}/owner")));
    wire.patch("merge-patch", &format!("{CONFIG_MAPS}/held"), &json!({ "metadata": { "finalizers": null } }));
    assert!(!exists(&wire, &format!("{CONFIG_MAPS}/owner")));
}

#[test]
fn a_collection_loses_what_is_selected() {
    let wire = Wire::new();
    for (name, app) in [("a", "web"), ("b", "db"), ("c", "web")] {
        wire.create_config_map(name, &json!({ "app": app }));
    }
    let (code, list) = wire.json(Delete, &format!("{CONFIG_MAPS}?labelSelector=app%3Dweb"), "");
    assert_eq!((code, list["kind"].as_str()), (200, Some("ConfigMapList")));
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    let (_, left) = wire.json(Get, CONFIG_MAPS, "");
    assert_eq!(left["items"][0]["metadata"]["name"], "b");
    assert_eq!(left["items"].as_array().unwrap().len(), 1);
}
