//! WATCH: what is told, when, and how it ends.

use std::time::Duration;

use super::wire::{CONFIG_MAPS, Wire, told};
use crate::{Damage, Effect, Fault};
use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    rest::{ListOptions, Method, WatchEvent},
    typed,
};
use serde_json::json;

fn check(wire: &Wire, query: &str, expect: &[&str]) {
    let events = wire.events(&format!("{CONFIG_MAPS}?watch=1&timeoutSeconds=5&{query}"));
    assert_eq!(events.iter().map(told).collect::<Vec<_>>(), expect, "{query}");
}

#[test]
fn a_watch_begins_where_it_is_asked_to() {
    let wire = Wire::new();
    let start = wire.sim.version();
    wire.create_config_map("a", &json!({}));
    wire.create_config_map("b", &json!({}));
    wire.patch("merge-patch", &format!("{CONFIG_MAPS}/a"), &json!({ "data": { "k": "w" } }));
    wire.json(Method::Delete, &format!("{CONFIG_MAPS}/b"), "");
    let all = ["ADDED a", "ADDED b", "MODIFIED a", "DELETED b"];
    check(&wire, &format!("resourceVersion={start}"), &all);
    check(&wire, &format!("resourceVersion={}", start + 2), &all[2..]);
    check(&wire, "", &["ADDED a"]);
    check(&wire, "resourceVersion=0", &["ADDED a"]);
    check(&wire, "resourceVersion=9999", &[]);
    check(&wire, "sendInitialEvents=false&resourceVersionMatch=NotOlderThan", &[]);
    let initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    check(&wire, initial, &["ADDED a"]);
    check(&wire, &format!("{initial}&allowWatchBookmarks=true"), &["ADDED a", "BOOKMARK end", "BOOKMARK"]);
}

#[test]
fn a_deleted_object_has_the_version_of_its_deletion() {
    let wire = Wire::new();
    let created = wire.create_config_map("a", &json!({}));
    wire.json(Method::Delete, &format!("{CONFIG_MAPS}/a"), "");
    let from = created["metadata"]["resourceVersion"].as_str().unwrap();
    let events = wire.events(&format!("{CONFIG_MAPS}?watch=1&timeoutSeconds=1&resourceVersion={from}"));
    assert_eq!(events[0]["object"]["metadata"]["resourceVersion"], wire.sim.version().to_string());
    assert_eq!(events[0]["object"]["metadata"]["uid"], created["metadata"]["uid"]);
}

#[test]
fn an_object_that_leaves_the_selector_is_deleted_for_the_watch() {
    let wire = Wire::new();
    let start = wire.sim.version();
    wire.create_config_map("a", &json!({ "app": "web" }));
    wire.create_config_map("b", &json!({ "app": "db" }));
    let label = |name: &str, app: &str| {
        let patch = json!({ "metadata": { "labels": { "app": app } } });
        wire.patch("merge-patch", &format!("{CONFIG_MAPS}/{name}"), &patch);
    };
    label("a", "db");
    label("b", "web");
    let query = format!("labelSelector=app%3Dweb&resourceVersion={start}");
    check(&wire, &query, &["ADDED a", "DELETED a", "ADDED b"]);
    check(&wire, &format!("fieldSelector=metadata.name%3Db&resourceVersion={start}"), &["ADDED b", "MODIFIED b"]);
}

#[test]
fn a_version_beyond_the_history_is_an_error_inside_the_stream() {
    let wire = Wire::new();
    wire.sim.keep_history(2);
    for name in ["a", "b", "c"] {
        wire.create_config_map(name, &json!({}));
    }
    let events = wire.events(&format!("{CONFIG_MAPS}?watch=1&resourceVersion=1"));
    let oldest = wire.sim.version() - 2;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["type"], "ERROR");
    assert_eq!(events[0]["object"]["code"], 410);
    assert_eq!(events[0]["object"]["reason"], "Expired");
    assert_eq!(events[0]["object"]["message"], format!("too old resource version: 1 ({oldest})"));
    check(&wire, &format!("resourceVersion={oldest}"), &["ADDED b", "ADDED c"]);
}

#[test]
fn bookmarks_come_every_minute_and_before_the_end() {
    let wire = Wire::new();
    let from = wire.sim.version();
    let query = format!("watch=1&allowWatchBookmarks=true&resourceVersion={from}&timeoutSeconds=150");
    let events = wire.events(&format!("{CONFIG_MAPS}?{query}"));
    assert_eq!(events.iter().map(told).collect::<Vec<_>>(), ["BOOKMARK"; 3]);
    assert_eq!(wire.time.now().since(masthead::runtime::Instant::ORIGIN), Duration::from_secs(150));
    assert_eq!(wire.events(&format!("/api/v1/events?{query}")), [] as [serde_json::Value; 0]);
}

#[test]
fn a_live_watch_hears_of_changes_and_of_a_restart() {
    let wire = Wire::new();
    let maps = typed::Client::<ConfigMap>::namespaced(&wire.client, "default");
    let options = ListOptions { resource_version: wire.sim.version().to_string(), ..Default::default() };
    let mut watch = wire.time.run(maps.watch(&options)).unwrap();
    wire.create_config_map("a", &json!({}));
    let Some(Ok(WatchEvent::Added(added))) = wire.time.run(watch.next()) else { panic!("no event") };
    assert_eq!(added.metadata.name.as_deref(), Some("a"));
    wire.sim.restart();
    let last = wire.time.run(watch.next()).unwrap();
    assert!(last.unwrap_err().is_network());
    let events = wire.events(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={}", options.resource_version));
    assert_eq!(events[0]["object"]["code"], 410);
}

#[test]
fn a_watch_that_waits_is_woken_by_another_task() {
    let wire = Wire::new();
    let maps = typed::Client::<ConfigMap>::namespaced(&wire.client, "default");
    let options = ListOptions { resource_version: wire.sim.version().to_string(), ..Default::default() };
    let heard = std::rc::Rc::new(std::cell::Cell::new(0));
    let count = std::rc::Rc::clone(&heard);
    let task = wire.time.runtime().spawn(async move {
        let mut watch = maps.watch(&options).await.unwrap();
        while let Some(Ok(_)) = watch.next().await {
            count.set(count.get() + 1);
        }
    });
    wire.time.settle();
    for name in ["a", "b", "c"] {
        let object =
            json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "namespace": "default" } });
        assert!(wire.sim.insert(object));
        wire.time.settle();
    }
    assert_eq!(heard.get(), 3);
    drop(task);
}

#[test]
fn metadata_are_watched_without_the_rest() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    let accept = [("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")];
    let url = format!("{CONFIG_MAPS}?watch=1&timeoutSeconds=1");
    let response = wire.ask(Method::Get, &url, &accept, "");
    let event: serde_json::Value = serde_json::from_slice(&response.body).unwrap();
    assert_eq!(event["object"]["kind"], "PartialObjectMetadata");
    assert_eq!(event["object"]["data"], serde_json::Value::Null);
    let lists = [("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")];
    let response = wire.ask(Method::Get, &url, &lists, "");
    assert_eq!((response.code, response.body.len()), (200, 0));
}

#[test]
fn a_fault_bends_a_watch() {
    let wire = Wire::new();
    let start = wire.time.now();
    wire.create_config_map("a", &json!({}));
    let fault = |effect| wire.sim.fault(Fault { part_of_url: "watch=".into(), ..Fault::next(effect) });
    let initial = "allowWatchBookmarks=true";
    fault(Effect::ErrorEvent(410));
    check(&wire, initial, &["ERROR"]);
    fault(Effect::UndecodableErrorEvent);
    check(&wire, initial, &["ERROR"]);
    fault(Effect::Damage { nth: 1, damage: Damage::EventType });
    check(&wire, initial, &["UNADDED a", "BOOKMARK end", "BOOKMARK"]);
    fault(Effect::SkipBookmarks);
    check(&wire, initial, &["ADDED a"]);
    fault(Effect::SkipBookmark(1));
    check(&wire, initial, &["ADDED a", "BOOKMARK"]);
    fault(Effect::SkipBookmark(2));
    check(&wire, initial, &["ADDED a", "BOOKMARK end"]);
    fault(Effect::CloseBeforeBookmark);
    check(&wire, initial, &["ADDED a"]);
    assert!(wire.time.now().since(start) < Duration::from_secs(30), "a watch that is closed does not wait for its end");
    fault(Effect::Chunks(1));
    check(&wire, initial, &["ADDED a", "BOOKMARK end", "BOOKMARK"]);
    check(&wire, initial, &["ADDED a", "BOOKMARK end", "BOOKMARK"]);
}

#[test]
fn the_old_path_watches_one_object_or_all() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    wire.create_config_map("b", &json!({}));
    let check = |path: &str, expect: &[&str]| {
        let events = wire.events(&format!("/api/v1/watch/{path}timeoutSeconds=1"));
        assert_eq!(events.iter().map(told).collect::<Vec<_>>(), expect, "{path}");
    };
    check("namespaces/default/configmaps/b?", &["ADDED b"]);
    check("namespaces/default/configmaps/c?", &[]);
    check("namespaces/default/configmaps?fieldSelector=metadata.name%3Da&", &["ADDED a"]);
    check("namespaces/kube-public?", &["ADDED kube-public"]);
    let other = "/api/v1/watch/namespaces/default/configmaps/b?fieldSelector=metadata.name%3Da";
    let (code, message) = wire.refusal(Method::Get, other, "");
    assert_eq!((code, message.as_str()), (400, "fieldSelector metadata.name doesn't match requested name"));
    assert_eq!(wire.json(Method::Post, "/api/v1/watch/namespaces/default/configmaps", "{}").0, 405);
}
