//! The simulator as WebAssembly, in Node and in a page, on the browser's own clock.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{rc::Rc, time::Duration};

use futures::StreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use masthead::{
    browser,
    rest::{Config, HttpRequest, ListOptions, Method, RestClient, Transport, WatchEvent},
    typed::Client,
};
use masthead_sim::{Effect, Fault, Sim};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

fn server() -> (Sim, RestClient) {
    let sim = Sim::new(browser::runtime());
    let config = Config { qps: -1.0, ..Config::new("http://sim", Rc::new(sim.clone()), browser::runtime()) };
    (sim, RestClient::new(config).unwrap())
}

fn config_map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({ "metadata": { "name": name }, "data": { "k": "v" } })).unwrap()
}

async fn ask(sim: &Sim, method: Method, url: &str, headers: &[(&str, &str)], body: &Value) -> (u16, Value) {
    let mut sent = masthead::rest::Headers::default();
    headers.iter().for_each(|(name, value)| sent.add(*name, *value));
    let body = (!body.is_null()).then(|| body.to_string().into_bytes().into());
    let request = HttpRequest { operation: "test".into(), method, url: url.into(), headers: sent, body };
    let answer = sim.send(request).await.unwrap().collect(1 << 20).await.unwrap();
    (answer.code, serde_json::from_slice(&answer.body).unwrap())
}

#[wasm_bindgen_test]
async fn the_clients_create_list_and_delete() {
    let (_sim, client) = server();
    let namespaces = Client::<Namespace>::cluster(&client).list(&ListOptions::default()).await.unwrap();
    assert_eq!(namespaces.items.len(), 4);
    let maps = Client::<ConfigMap>::namespaced(&client, "kube-public");
    let created = maps.create(&config_map("a"), &Default::default()).await.unwrap();
    let age = created.metadata.creation_timestamp.unwrap().0;
    assert!(age.as_second() > 1_767_225_600, "the time is the browser's: {age:?}");
    maps.delete("a", &Default::default()).await.unwrap();
    assert!(maps.get("a", &Default::default()).await.unwrap_err().is_not_found());
}

#[wasm_bindgen_test]
async fn a_watch_waits_for_what_another_task_does() {
    let (_sim, client) = server();
    let maps = Client::<ConfigMap>::namespaced(&client, "kube-public");
    let options = ListOptions { field_selector: "metadata.name=late".into(), ..Default::default() };
    let mut watch = maps.watch(&options).await.unwrap();
    let runtime = browser::runtime();
    let writer = browser::runtime().spawn(async move {
        runtime.sleep(Duration::from_millis(20)).await;
        maps.create(&config_map("late"), &Default::default()).await.unwrap();
    });
    let Some(Ok(WatchEvent::Added(added))) = watch.next().await else { panic!("no event") };
    assert_eq!(added.metadata.name.as_deref(), Some("late"));
    drop(writer);
}

#[wasm_bindgen_test]
async fn faults_take_their_time_and_break_what_they_say() {
    let (sim, client) = server();
    let maps = Client::<ConfigMap>::namespaced(&client, "kube-public");
    sim.fault(Fault::next(Effect::Latency(Duration::from_millis(50))));
    let before = browser::runtime().now();
    maps.list(&ListOptions::default()).await.unwrap();
    assert!(browser::runtime().now() - before >= Duration::from_millis(49));
    sim.fault(Fault::next(Effect::CutAfter(10)));
    assert!(maps.list(&ListOptions::default()).await.is_err());
    sim.fault(Fault::next(Effect::Status { code: 429, retry_after: Some(0) }));
    maps.list(&ListOptions::default()).await.expect("it is tried again");
}

#[wasm_bindgen_test]
async fn patches_and_applies_change_what_they_name() {
    let (sim, _client) = server();
    let maps = "/api/v1/namespaces/kube-public/configmaps";
    let apply = [("Content-Type", "application/apply-patch+yaml")];
    let body = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a" }, "data": { "k": "v" } });
    let (code, _) = ask(&sim, Method::Patch, &format!("{maps}/a?fieldManager=one"), &apply, &body).await;
    assert_eq!(code, 201);
    let other = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a" }, "data": { "k": "w" } });
    let (code, _) = ask(&sim, Method::Patch, &format!("{maps}/a?fieldManager=two"), &apply, &other).await;
    assert_eq!(code, 409, "the field has an owner");
    let merge = [("Content-Type", "application/merge-patch+json")];
    let (code, patched) =
        ask(&sim, Method::Patch, &format!("{maps}/a"), &merge, &json!({ "data": { "k": "x" } })).await;
    assert_eq!((code, &patched["data"]["k"]), (200, &json!("x")));
}

#[wasm_bindgen_test]
async fn a_table_has_columns() {
    let (sim, _client) = server();
    let accept = [("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json")];
    let (code, table) = ask(&sim, Method::Get, "/api/v1/namespaces", &accept, &Value::Null).await;
    assert_eq!((code, &table["kind"]), (200, &json!("Table")));
    assert_eq!(table["rows"][0]["cells"][0], "default");
}
