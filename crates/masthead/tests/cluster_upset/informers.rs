//! Informers on a real API server that is killed, compacted and frozen: the store ends equal to what `kubectl get` shows.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};

use futures::{StreamExt, stream};
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube_core::{DynamicObject, GroupVersionResource, ObjectMeta};
use masthead::{
    cache::{Handlers, InformerFactory, Object, SharedInformer},
    dynamic::DynamicClient,
    rest::{DeleteOptions, ListOptions, RestClient},
    typed::Client,
};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::remote::{self, Proxy};

const KINDS: [(&str, &str, &str); 10] = [
    ("", "v1", "pods"),
    ("", "v1", "configmaps"),
    ("", "v1", "secrets"),
    ("", "v1", "services"),
    ("", "v1", "serviceaccounts"),
    ("", "v1", "events"),
    ("apps", "v1", "deployments"),
    ("apps", "v1", "replicasets"),
    ("batch", "v1", "jobs"),
    ("discovery.k8s.io", "v1", "endpointslices"),
];

type Informers = Vec<(&'static str, SharedInformer<DynamicObject>)>;

fn informers(client: &RestClient, namespace: &str) -> (InformerFactory, Informers) {
    let factory = InformerFactory::default();
    let informer = |(group, version, resource): (&str, &str, &'static str)| {
        let resource_client = DynamicClient::new(client).resource(&GroupVersionResource::gvr(group, version, resource));
        (resource, factory.informer(&resource_client.namespace(namespace), &ListOptions::default()))
    };
    let informers = KINDS.into_iter().map(informer).collect();
    (factory, informers)
}

/// Waits until every store is equal to what `kubectl get` shows.
async fn until_equal(client: &RestClient, namespace: &str, informers: &Informers, after: &str) {
    let runtime = &client.config().runtime;
    let began = runtime.now();
    for (resource, informer) in informers {
        loop {
            let server = remote::kubectl_get(resource, namespace).await;
            let mut store = BTreeMap::new();
            informer.store().for_each(|object| {
                store.insert(object.key().name().to_owned(), object.resource_version().to_owned());
            });
            if store == server {
                break;
            }
            let waited = runtime.now().since(began);
            assert!(waited < Duration::from_secs(10), "{after}: {resource} differ: {store:?}, kubectl {server:?}");
            runtime.sleep(Duration::from_millis(300)).await;
        }
    }
}

/// Makes an object of every kind that nobody else makes, and takes one away.
async fn write_some(client: &RestClient, namespace: &str, round: &str) {
    let maps = Client::<ConfigMap>::namespaced(client, namespace);
    for number in 0..3 {
        let metadata = ObjectMeta { name: Some(format!("{round}-{number}")), ..Default::default() };
        maps.create(&ConfigMap { metadata, ..Default::default() }, &Default::default()).await.unwrap();
    }
    maps.delete(&format!("{round}-1"), &DeleteOptions::default()).await.unwrap();
    for object in [
        json!({ "apiVersion": "v1", "kind": "Secret" }),
        json!({ "apiVersion": "v1", "kind": "ServiceAccount" }),
        json!({ "apiVersion": "v1", "kind": "Service", "spec": { "ports": [{ "port": 80 }] } }),
        json!({ "apiVersion": "v1", "kind": "Event", "involvedObject": { "namespace": namespace } }),
        json!({ "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4", "endpoints": [] }),
        json!({ "apiVersion": "batch/v1", "kind": "Job", "spec": { "suspend": true, "template": {
            "spec": { "restartPolicy": "Never", "containers": [{ "name": "main", "image": "example.com/job:1" }] } } } }),
    ] {
        create(client, namespace, round, object).await;
    }
}

async fn create(client: &RestClient, namespace: &str, name: &str, mut object: serde_json::Value) {
    object["metadata"]["name"] = name.into();
    let (group, version) = object["apiVersion"].as_str().and_then(|it| it.split_once('/')).unwrap_or(("", "v1"));
    let resource = format!("{}s", object["kind"].as_str().unwrap().to_lowercase());
    let resource = GroupVersionResource::gvr(group, version, &resource);
    let object: DynamicObject = serde_json::from_value(object.clone()).unwrap();
    let client = DynamicClient::new(client).resource(&resource).namespace(namespace);
    client.create(&object, &Default::default()).await.unwrap();
}

async fn deploy(client: &RestClient, namespace: &str) {
    let deployment = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "spec": {
        "replicas": 3, "selector": { "matchLabels": { "app": "web" } }, "template": {
            "metadata": { "labels": { "app": "web" } },
            "spec": { "containers": [{ "name": "main", "image": "example.com/web:1" }] } } } });
    create(client, namespace, "web", deployment).await;
}

/// Waits for the controllers, which may still look for the API server that a test before this one killed.
async fn until_deployed(client: &RestClient, informers: &Informers) {
    let (_, pods) = informers.iter().find(|(resource, _)| *resource == "pods").unwrap();
    let runtime = &client.config().runtime;
    let began = runtime.now();
    while pods.store().len() < 3 {
        assert!(runtime.now().since(began) < Duration::from_secs(120), "the deployment got no pods");
        runtime.sleep(Duration::from_millis(300)).await;
    }
}

#[wasm_bindgen_test]
async fn ten_kinds_stay_equal_to_the_server_through_every_fault() {
    let (proxy, other) = (Proxy::start("admin").await, Proxy::start("admin").await.client());
    let client = proxy.client();
    let namespace = remote::namespace(&client).await;
    let (factory, informers) = informers(&client, &namespace);
    factory.start();
    factory.synced().await.unwrap();
    deploy(&other, &namespace).await;
    until_deployed(&other, &informers).await;
    write_some(&other, &namespace, "first").await;
    until_equal(&other, &namespace, &informers, "after the first writes").await;

    remote::restart_apiserver().await;
    write_some(&other, &namespace, "killed").await;
    until_equal(&other, &namespace, &informers, "after the API server was killed").await;

    proxy.freeze().await;
    write_some(&other, &namespace, "frozen").await;
    proxy.resume().await;
    until_equal(&other, &namespace, &informers, "after the proxy was frozen").await;

    // The watches are cut off before the writes, and the versions that they stand at are forgotten: each must find out, and
    // list anew.
    proxy.freeze().await;
    remote::restart_apiserver().await;
    write_some(&other, &namespace, "compacted").await;
    remote::compact().await;
    remote::restart_apiserver().await;
    proxy.resume().await;
    until_equal(&other, &namespace, &informers, "after etcd was compacted behind the watches").await;
    factory.stop();
    remote::forget(&other, &namespace).await;
}

#[wasm_bindgen_test]
async fn two_thousand_pods_deleted_in_a_gap_are_all_reported() {
    const PODS: usize = 2000;
    let (proxy, other) = (Proxy::start("admin").await, Proxy::start("admin").await.client());
    let client = proxy.client();
    let namespace = remote::namespace(&client).await;
    let pods = Client::<Pod>::namespaced(&other, &namespace);
    let created = stream::iter(0..PODS).map(|number| {
        let pods = pods.clone();
        async move {
            let pod = json!({ "metadata": { "name": format!("p-{number}") }, "spec": {
                "schedulerName": "none", "containers": [{ "name": "main", "image": "example.com/main:1" }] } });
            pods.create(&serde_json::from_value(pod).unwrap(), &Default::default()).await.unwrap();
        }
    });
    created.buffer_unordered(5).collect::<Vec<()>>().await;

    let factory = InformerFactory::default();
    let informer = factory.informer(&Client::<Pod>::namespaced(&client, &namespace), &ListOptions::default());
    let gone = Rc::new(RefCell::new(Vec::new()));
    let told = Rc::clone(&gone);
    let handler = Handlers::new().deleted(move |tombstone| {
        told.borrow_mut().push(tombstone.key());
        Ok(())
    });
    let registration = informer.add_handler(handler).unwrap();
    factory.start();
    factory.synced().await.unwrap();
    registration.synced().await;
    assert_eq!(informer.store().len(), PODS);

    proxy.freeze().await;
    pods.delete_collection(&DeleteOptions::default(), &ListOptions::default()).await.unwrap();
    remote::compact().await;
    remote::restart_apiserver().await;
    proxy.resume().await;
    let runtime = &client.config().runtime;
    let began = runtime.now();
    while gone.borrow().len() < PODS {
        let told = gone.borrow().len();
        assert!(
            runtime.now().since(began) < Duration::from_secs(10),
            "{told} of {PODS} deletions were told in ten seconds"
        );
        runtime.sleep(Duration::from_millis(100)).await;
    }
    let mut keys = gone.borrow().clone();
    keys.sort();
    keys.dedup();
    assert_eq!((keys.len(), gone.borrow().len(), informer.store().len()), (PODS, PODS, 0));
    assert!(remote::kubectl_get("pods", &namespace).await.is_empty());
    remote::forget(&other, &namespace).await;
}
