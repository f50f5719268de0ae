//! The clients on a real API server through `kubectl proxy`, in Node and in Chromium.

use std::collections::BTreeMap;

use futures::StreamExt;
use k8s_openapi::{
    api::{
        apps::v1::Deployment,
        core::v1::{ConfigMap, Pod},
    },
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube_core::{DynamicObject, GroupVersionResource, ObjectMeta, ResourceExt};
use masthead::{
    discovery::{CachedDiscovery, DeferredRestMapper, DiscoveryClient},
    dynamic::DynamicClient,
    metadata::MetadataClient,
    rest::{ApplyOptions, DeleteOptions, GetOptions, ListOptions, PatchKind, PatchOptions, RestClient, WatchEvent},
    retry,
    table::TableClient,
    typed::{Client, LogOptions},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::remote::{self, Proxy};

fn object<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn config_map(name: &str, data: &[(&str, &str)]) -> ConfigMap {
    let data = data.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    ConfigMap {
        metadata: ObjectMeta { name: Some(name.into()), ..Default::default() },
        data: Some(data),
        ..Default::default()
    }
}

fn data(map: &ConfigMap) -> BTreeMap<&str, &str> {
    map.data.iter().flatten().map(|(key, value)| (key.as_str(), value.as_str())).collect()
}

async fn place() -> (RestClient, String) {
    let client = Proxy::start("admin").await.client();
    let namespace = remote::namespace(&client).await;
    (client, namespace)
}

#[wasm_bindgen_test]
async fn objects_are_created_read_changed_listed_and_deleted() {
    let (client, namespace) = place().await;
    let maps = Client::<ConfigMap>::namespaced(&client, &namespace);
    let made = maps.create(&config_map("a", &[("k", "1")]), &Default::default()).await.unwrap();
    let exists = maps.create(&config_map("a", &[]), &Default::default()).await.unwrap_err();
    assert!(exists.is_already_exists(), "{exists}");

    let mut changed = made.clone();
    changed.data = Some([("k".to_owned(), "2".to_owned())].into());
    let changed = maps.update(&changed, &Default::default()).await.unwrap();
    assert_eq!(data(&changed), BTreeMap::from([("k", "2")]));
    let stale = maps.update(&made, &Default::default()).await.unwrap_err();
    assert!(stale.is_conflict() && !stale.is_already_exists(), "{stale}");

    let dry = masthead::rest::CreateOptions { dry_run: true, ..Default::default() };
    maps.create(&config_map("dry", &[]), &dry).await.unwrap();
    assert!(maps.get_opt("dry", &GetOptions::default()).await.unwrap().is_none());

    let options = ListOptions { field_selector: "metadata.name=a".into(), ..Default::default() };
    let listed = maps.list(&options).await.unwrap();
    assert_eq!(listed.items.iter().map(ResourceExt::name_any).collect::<Vec<_>>(), ["a"]);
    maps.delete("a", &DeleteOptions::default()).await.unwrap();
    let gone = maps.get("a", &GetOptions::default()).await.unwrap_err();
    assert!(gone.is_not_found(), "{gone}");
    remote::forget(&client, &namespace).await;
}

#[wasm_bindgen_test]
async fn every_kind_of_patch_does_what_its_kind_says() {
    let (client, namespace) = place().await;
    let maps = Client::<ConfigMap>::namespaced(&client, &namespace);
    maps.create(&config_map("p", &[("a", "1"), ("b", "2")]), &Default::default()).await.unwrap();
    let options = PatchOptions::default();
    let patch = json!([{ "op": "replace", "path": "/data/a", "value": "10" }]);
    let map = maps.patch("p", PatchKind::Json, &patch, &options).await.unwrap();
    assert_eq!(data(&map), BTreeMap::from([("a", "10"), ("b", "2")]));
    let map = maps.patch("p", PatchKind::Merge, &json!({ "data": { "b": null } }), &options).await.unwrap();
    assert_eq!(data(&map), BTreeMap::from([("a", "10")]));
    let map = maps.patch("p", PatchKind::StrategicMerge, &json!({ "data": { "c": "3" } }), &options).await.unwrap();
    assert_eq!(data(&map), BTreeMap::from([("a", "10"), ("c", "3")]));
    let failing = json!([{ "op": "test", "path": "/data/a", "value": "x" }]);
    let refused = maps.patch("p", PatchKind::Json, &failing, &options).await.unwrap_err();
    assert!(refused.is_invalid(), "{refused}");
    remote::forget(&client, &namespace).await;
}

#[wasm_bindgen_test]
async fn apply_owns_fields_conflicts_and_can_be_forced() {
    let (client, namespace) = place().await;
    let maps = Client::<ConfigMap>::namespaced(&client, &namespace);
    let configuration = |value: &str| json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "s" }, "data": { "k": value } });
    let by = |manager: &str, force| ApplyOptions { field_manager: manager.into(), force, ..Default::default() };
    maps.apply(&configuration("1"), &by("one", false)).await.unwrap();
    let conflict = maps.apply(&configuration("2"), &by("two", false)).await.unwrap_err();
    assert!(conflict.is_conflict(), "{conflict}");
    assert!(conflict.to_string().contains("\"one\""), "it names the owner: {conflict}");
    let forced = maps.apply(&configuration("2"), &by("two", true)).await.unwrap();
    assert_eq!(data(&forced), BTreeMap::from([("k", "2")]));
    remote::forget(&client, &namespace).await;
}

#[wasm_bindgen_test]
async fn a_watch_tells_of_every_change_in_order() {
    let (client, namespace) = place().await;
    let maps = Client::<ConfigMap>::namespaced(&client, &namespace);
    let listed = maps.list(&ListOptions::default()).await.unwrap();
    let options = ListOptions {
        resource_version: listed.resource_version,
        field_selector: "metadata.name=w".into(),
        ..Default::default()
    };
    let mut watch = maps.watch(&options).await.unwrap();
    maps.create(&config_map("w", &[]), &Default::default()).await.unwrap();
    maps.patch("w", PatchKind::Merge, &json!({ "data": { "k": "é" } }), &Default::default()).await.unwrap();
    maps.delete("w", &DeleteOptions::default()).await.unwrap();
    let mut seen = Vec::new();
    while seen.len() < 3 {
        seen.push(match watch.next().await.unwrap().unwrap() {
            WatchEvent::Added(_) => "added".to_owned(),
            WatchEvent::Modified(map) => format!("modified {}", data(&map)["k"]),
            WatchEvent::Deleted(_) => "deleted".to_owned(),
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(seen, ["added", "modified é", "deleted"]);
    remote::forget(&client, &namespace).await;
}

/// The pod runs once kwok has seen it.
async fn running_pod(client: &RestClient, namespace: &str) -> Client<Pod> {
    let pods = Client::<Pod>::namespaced(client, namespace);
    let pod: Pod = object(json!({
        "metadata": { "name": "talker" },
        "spec": { "containers": [{ "name": "main", "image": "example.com/main:1" }] },
    }));
    let made = pods.create(&pod, &Default::default()).await.unwrap();
    let options = ListOptions {
        resource_version: made.resource_version().unwrap(),
        field_selector: "metadata.name=talker".into(),
        ..Default::default()
    };
    let mut watch = pods.watch(&options).await.unwrap();
    loop {
        if let WatchEvent::Modified(pod) = watch.next().await.unwrap().unwrap()
            && pod.status.and_then(|status| status.phase).as_deref() == Some("Running")
        {
            return pods;
        }
    }
}

#[wasm_bindgen_test]
async fn logs_are_read_whole_and_followed() {
    let (client, namespace) = place().await;
    let pods = running_pod(&client, &namespace).await;
    let last = LogOptions { tail_lines: Some(1), ..Default::default() };
    let text = pods.logs("talker", &last).await.unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    let mut followed = pods.log_stream("talker", &LogOptions { follow: true, ..Default::default() }).await.unwrap();
    assert!(!followed.next().await.unwrap().unwrap().is_empty());
    let absent = pods.logs("nobody", &last).await.unwrap_err();
    assert!(absent.is_not_found(), "{absent}");
    remote::forget(&client, &namespace).await;
}

#[wasm_bindgen_test]
async fn scale_is_read_and_set() {
    let (client, namespace) = place().await;
    let deployments = Client::<Deployment>::namespaced(&client, &namespace);
    let deployment: Deployment = object(json!({
        "metadata": { "name": "web" },
        "spec": {
            "replicas": 1,
            "selector": { "matchLabels": { "app": "web" } },
            "template": {
                "metadata": { "labels": { "app": "web" } },
                "spec": { "containers": [{ "name": "main", "image": "example.com/main:1" }] },
            },
        },
    }));
    deployments.create(&deployment, &Default::default()).await.unwrap();
    // The controllers write to the new object too, so that a conflict is likely.
    let set = async || {
        let mut scale = deployments.scale().get("web", &GetOptions::default()).await?;
        scale.spec.as_mut().unwrap().replicas = Some(3);
        deployments.scale().update("web", &scale, &Default::default()).await
    };
    retry::on_conflict(&client.config().runtime, retry::Backoff::BACKOFF, set).await.unwrap();
    let deployment = deployments.get("web", &GetOptions::default()).await.unwrap();
    assert_eq!(deployment.spec.unwrap().replicas, Some(3));
    remote::forget(&client, &namespace).await;
}

#[wasm_bindgen_test]
async fn tables_and_metadata_are_what_kubectl_prints() {
    let (client, namespace) = place().await;
    running_pod(&client, &namespace).await;
    let pods = GroupVersionResource::gvr("", "v1", "pods");
    let options = ListOptions::default();
    let table = TableClient::new(&client).resource(&pods).namespace(&namespace).list(&options).await.unwrap();
    let names: Vec<&str> =
        table.columns.iter().filter(|column| column.priority == 0).map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["Name", "Ready", "Status", "Restarts", "Age"]);
    assert_eq!(table.rows[0].cells[..3], [json!("talker"), json!("1/1"), json!("Running")]);
    let metadata = MetadataClient::new(&client).resource(&pods).namespace(&namespace).list(&options).await.unwrap();
    assert_eq!(metadata.items[0].metadata.name.as_deref(), Some("talker"));
    remote::forget(&client, &namespace).await;
}

#[wasm_bindgen_test]
async fn a_kind_that_is_added_while_connected_is_found_and_used() {
    let (client, namespace) = place().await;
    let discovery = DiscoveryClient::over(client.clone());
    assert_eq!(discovery.server_version().await.unwrap().git_version, "v1.36.3");
    let catalog = discovery.server_groups_and_resources().await.unwrap();
    assert!(catalog.failed.is_empty(), "{:?}", catalog.failed);
    let mapper = DeferredRestMapper::new(CachedDiscovery::new(discovery));
    assert_eq!(mapper.resource_for(&"deploy".parse().unwrap()).await.unwrap().gvr().resource, "deployments");

    let group = format!("{namespace}.example.com");
    let definition: CustomResourceDefinition = object(json!({
        "metadata": { "name": format!("flags.{group}") },
        "spec": {
            "group": group, "scope": "Namespaced",
            "names": { "plural": "flags", "singular": "flag", "kind": "Flag", "shortNames": ["fl"] },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": {
                "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } } }],
        },
    }));
    let name = format!("flags.{group}").parse().unwrap();
    let missing = mapper.resource_for(&name).await.unwrap_err();
    assert!(missing.is_no_match(), "{missing}");
    let definitions = Client::<CustomResourceDefinition>::cluster(&client);
    definitions.create(&definition, &Default::default()).await.unwrap();
    let runtime = client.config().runtime.clone();
    let found = loop {
        match mapper.resource_for(&name).await {
            Ok(found) => break found,
            Err(error) if error.is_no_match() => runtime.sleep(std::time::Duration::from_millis(100)).await,
            Err(error) => panic!("{error}"),
        }
    };
    let flags = DynamicClient::new(&client).resource(&found.gvr()).namespace(&namespace);
    let flag = DynamicObject::new("red", &found.api_resource()).data(json!({ "spec": { "colour": "red" } }));
    let made = loop {
        // A definition is served a moment before it is established.
        match flags.create(&flag, &Default::default()).await {
            Err(error) if error.is_not_found() => runtime.sleep(std::time::Duration::from_millis(100)).await,
            made => break made.unwrap(),
        }
    };
    assert_eq!(made.data["spec"]["colour"], "red");
    definitions.delete(&format!("flags.{group}"), &DeleteOptions::default()).await.unwrap();
    remote::forget(&client, &namespace).await;
}

#[wasm_bindgen_test]
async fn a_user_without_rights_is_refused_in_words() {
    let client = Proxy::start("nobody").await.client();
    let pods = Client::<Pod>::namespaced(&client, "default");
    let refused = pods.list(&ListOptions::default()).await.unwrap_err();
    assert!(refused.is_forbidden(), "{refused}");
    let words = "User \"nobody\" cannot list resource \"pods\" in API group \"\" in the namespace \"default\"";
    assert!(refused.to_string().contains(words), "{refused}");
    let refused = pods.watch(&ListOptions::default()).await.unwrap_err();
    assert!(refused.is_forbidden(), "a watch finds it out too: {refused}");
}
