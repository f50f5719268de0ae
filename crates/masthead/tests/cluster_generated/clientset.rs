//! The library's ClientSet and informers, with their expansions.

use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::{
    apps::v1::Deployment,
    authentication::v1::{SelfSubjectReview, TokenRequest},
    core::v1::{Binding, ConfigMap, Event, Pod, Service},
    policy::v1::Eviction,
};
use kube_core::Resource;
use masthead::{
    cache::{InformerFactory, InformerScope},
    informers::SharedInformerFactory,
    kubernetes::ClientSet,
    labels::Selector,
    rest::{ListOptions, PatchKind, WatchEvent},
    retry,
    typed::{LogOptions, ProxyTarget},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::remote::{self, Proxy};

fn object<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

async fn place() -> (ClientSet, String) {
    let client = Proxy::start("admin").await.client();
    let namespace = remote::namespace(&client).await;
    (ClientSet::new(&client), namespace)
}

fn pod(name: &str, scheduler: &str) -> Pod {
    object(json!({
        "metadata": { "name": name, "labels": { "app": "web" } },
        "spec": { "schedulerName": scheduler, "containers": [{ "name": "main", "image": "example.com/main:1",
            "resources": { "requests": { "cpu": "100m" } } }] },
    }))
}

/// A pod that kwok has begun to run.
async fn running(clients: &ClientSet, namespace: &str, name: &str) -> Pod {
    let pods = clients.core_v1().pods(namespace);
    let made = pods.create(&pod(name, "default-scheduler"), &Default::default()).await.unwrap();
    let options = ListOptions {
        resource_version: made.metadata.resource_version.unwrap(),
        field_selector: format!("metadata.name={name}"),
        ..Default::default()
    };
    let mut watch = pods.watch(&options).await.unwrap();
    loop {
        if let WatchEvent::Modified(pod) = watch.next().await.unwrap().unwrap()
            && pod.status.as_ref().and_then(|status| status.phase.as_deref()) == Some("Running")
        {
            return pod;
        }
    }
}

#[wasm_bindgen_test]
async fn a_pod_is_read_changed_debugged_and_evicted() {
    let (clients, namespace) = place().await;
    running(&clients, &namespace, "web").await;
    let pods = clients.core_v1().pods(&namespace);
    let text = pods.logs("web", &LogOptions { tail_lines: Some(1), ..Default::default() }).await.unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");

    let patch = json!({ "metadata": { "annotations": { "seen": "yes" } } });
    pods.patch("web", PatchKind::Merge, &patch, &Default::default()).await.unwrap();
    let runtime = &clients.rest_client().config().runtime;
    let debugged = async || {
        let mut pod = pods.get("web", &Default::default()).await?;
        let container = object(json!({ "name": "debug", "image": "example.com/debug:1" }));
        pod.spec.as_mut().unwrap().ephemeral_containers = Some(vec![container]);
        pods.update_ephemeral_containers("web", &pod, &Default::default()).await
    };
    let pod = retry::on_conflict(runtime, retry::Backoff::BACKOFF, debugged).await.unwrap();
    assert_eq!(pod.spec.unwrap().ephemeral_containers.unwrap()[0].name, "debug");
    let resized = async || {
        let mut pod = pods.get("web", &Default::default()).await?;
        let resources = object(json!({ "requests": { "cpu": "200m" } }));
        pod.spec.as_mut().unwrap().containers[0].resources = Some(resources);
        pods.update_resize("web", &pod, &Default::default()).await
    };
    // The nodes are simulated and cannot resize; the server knows, and says so.
    let refused = retry::on_conflict(runtime, retry::Backoff::BACKOFF, resized).await.unwrap_err();
    assert!(refused.to_string().contains("on node without support for resize"), "{refused}");

    let eviction: Eviction = object(json!({ "metadata": { "name": "web", "namespace": namespace } }));
    pods.evict(&eviction).await.unwrap();
    let left = pods.get_opt("web", &Default::default()).await.unwrap();
    assert!(left.is_none_or(|pod| pod.metadata.deletion_timestamp.is_some()), "it goes");
    remote::forget(clients.rest_client(), &namespace).await;
}

#[wasm_bindgen_test]
async fn a_pod_without_a_scheduler_is_bound() {
    let (clients, namespace) = place().await;
    let (core, pods) = (clients.core_v1(), clients.core_v1().pods(&namespace));
    pods.create(&pod("lone", "nobody"), &Default::default()).await.unwrap();
    let node = core.nodes().list(&ListOptions { limit: Some(1), ..Default::default() }).await.unwrap().items.remove(0);
    let node = node.metadata.name.unwrap();
    let binding: Binding =
        object(json!({ "metadata": { "name": "lone" }, "target": { "kind": "Node", "name": node } }));
    pods.bind(&binding, &Default::default()).await.unwrap();
    let bound = pods.get("lone", &Default::default()).await.unwrap();
    assert_eq!(bound.spec.unwrap().node_name, Some(node.clone()));
    let status = core.nodes().patch_status(&node, &json!({ "status": { "volumesInUse": null } })).await.unwrap();
    assert_eq!(status.metadata.name, Some(node));
    remote::forget(clients.rest_client(), &namespace).await;
}

#[wasm_bindgen_test]
async fn events_are_found_by_what_they_are_about() {
    let (clients, namespace) = place().await;
    let maps = clients.core_v1().config_maps(&namespace);
    let map = |name: &str| object::<ConfigMap>(json!({ "metadata": { "name": name } }));
    let one = maps.create(&map("one"), &Default::default()).await.unwrap();
    let other = maps.create(&map("other"), &Default::default()).await.unwrap();
    let event = |name: &str, about: &ConfigMap| -> Event {
        let event = json!({ "metadata": { "name": name, "namespace": namespace }, "reason": "Test", "message": name,
            "involvedObject": about.object_ref(&()) });
        object(event)
    };
    let events = clients.core_v1().events("");
    events.create_with_event_namespace(&event("first", &one)).await.unwrap();
    events.create_with_event_namespace(&event("second", &other)).await.unwrap();
    let patch = json!({ "count": 2 });
    events.patch_with_event_namespace(&event("first", &one), &patch).await.unwrap();
    let found = clients.core_v1().events(&namespace).search(&one.object_ref(&())).await.unwrap();
    let told: Vec<(Option<&str>, Option<i32>)> =
        found.items.iter().map(|event| (event.message.as_deref(), event.count)).collect();
    assert_eq!(told, [(Some("first"), Some(2))]);
    let elsewhere = clients.core_v1().events("default").search(&one.object_ref(&())).await.unwrap_err();
    assert!(elsewhere.to_string().contains("which this client is of"), "{elsewhere}");
    remote::forget(clients.rest_client(), &namespace).await;
}

#[wasm_bindgen_test]
async fn workloads_are_scaled() {
    let (clients, namespace) = place().await;
    let deployments = clients.apps_v1().deployments(&namespace);
    let deployment: Deployment = object(json!({
        "metadata": { "name": "web" },
        "spec": {
            "replicas": 1, "selector": { "matchLabels": { "app": "web" } },
            "template": { "metadata": { "labels": { "app": "web" } },
                "spec": { "containers": [{ "name": "main", "image": "example.com/main:1" }] } },
        },
    }));
    deployments.create(&deployment, &Default::default()).await.unwrap();
    let scaled = async || {
        let mut scale = deployments.get_scale("web", &Default::default()).await?;
        scale.spec.get_or_insert_default().replicas = Some(2);
        deployments.update_scale("web", &scale, &Default::default()).await
    };
    let runtime = &clients.rest_client().config().runtime;
    retry::on_conflict(runtime, retry::Backoff::BACKOFF, scaled).await.unwrap();
    assert_eq!(deployments.get("web", &Default::default()).await.unwrap().spec.unwrap().replicas, Some(2));
    remote::forget(clients.rest_client(), &namespace).await;
}

#[wasm_bindgen_test]
async fn the_proxy_a_token_a_review_and_a_finalizer() {
    let (clients, namespace) = place().await;
    let core = clients.core_v1();
    let service: Service = object(json!({ "metadata": { "name": "empty" },
        "spec": { "selector": { "app": "none" }, "ports": [{ "name": "http", "port": 80 }] } }));
    core.services(&namespace).create(&service, &Default::default()).await.unwrap();
    let target = ProxyTarget { name: "empty", port: "http", scheme: "" };
    let services = core.services(&namespace);
    let ask = async || services.proxy_get(&target, "health/live").max_retries(0).send().await.unwrap_err();
    let mut nobody = ask().await;
    // The proxy finds services in a cache of the server's, which may be behind.
    while nobody.is_not_found() {
        clients.rest_client().config().runtime.sleep(Duration::from_millis(100)).await;
        nobody = ask().await;
    }
    assert_eq!(nobody.code(), Some(503));
    assert!(nobody.to_string().contains("no endpoints available for service"), "{nobody}");

    let request: TokenRequest = object(json!({ "spec": { "audiences": [] } }));
    let accounts = core.service_accounts(&namespace);
    let account = object(json!({ "metadata": { "name": "robot" } }));
    accounts.create(&account, &Default::default()).await.unwrap();
    let token = accounts.create_token("robot", &request, &Default::default()).await.unwrap();
    assert!(token.status.unwrap().token.is_some_and(|token| !token.is_empty()));

    let review = SelfSubjectReview::default();
    let me = clients.authentication_v1().self_subject_reviews().create(&review, &Default::default()).await.unwrap();
    assert!(me.status.unwrap().user_info.unwrap().username.is_some());

    let mut held = core.namespaces().get(&namespace, &Default::default()).await.unwrap();
    held.spec.get_or_insert_default().finalizers.get_or_insert_default().push("example.com/hold".into());
    let held = core.namespaces().finalize(&held, &Default::default()).await.unwrap();
    let finalizers = held.spec.clone().unwrap().finalizers.unwrap();
    assert!(finalizers.iter().any(|finalizer| finalizer == "example.com/hold"), "{finalizers:?}");
    let mut free = held;
    free.spec.get_or_insert_default().finalizers.get_or_insert_default().retain(|it| it != "example.com/hold");
    core.namespaces().finalize(&free, &Default::default()).await.unwrap();
    remote::forget(clients.rest_client(), &namespace).await;
}

#[wasm_bindgen_test]
async fn a_factory_shares_informers_whose_listers_follow_the_cluster() {
    let (clients, namespace) = place().await;
    let scope = InformerScope::new(clients.rest_client(), &InformerFactory::default()).namespace(&namespace);
    let factory = SharedInformerFactory::within(scope);
    let (maps, nodes) = (factory.core().v1().config_maps(), factory.core().v1().nodes());
    let generic = factory.core().v1().for_resource("configmaps").unwrap();
    factory.start();
    factory.synced().await.unwrap();
    assert_eq!(factory.scope().factory().len(), 2, "by whatever name it is asked for, an informer is the same");
    assert!(!nodes.lister().list(&Selector::everything()).is_empty());

    let map: ConfigMap =
        object(json!({ "metadata": { "name": "m", "labels": { "app": "web" } }, "data": { "k": "v" } }));
    let made = clients.core_v1().config_maps(&namespace).create(&map, &Default::default()).await.unwrap();
    maps.informer().store().wait_for(&made).await;
    assert_eq!(maps.lister().namespace(&namespace).get("m").unwrap().data.as_ref().unwrap()["k"], "v");
    assert_eq!(maps.lister().list(&"app=web".parse().unwrap()).len(), 1);
    assert!(generic.keys().iter().any(|key| key.name() == "m"));
    remote::forget(clients.rest_client(), &namespace).await;
}

#[wasm_bindgen_test]
async fn what_the_server_serves_is_asked_through_the_clientset() {
    let (clients, namespace) = place().await;
    assert_eq!(clients.discovery().server_version().await.unwrap().git_version, "v1.36.3");
    let (rbac, batch) = (clients.rbac_v1().cluster_roles(), clients.batch_v1().cron_jobs(""));
    assert!(rbac.get_opt("cluster-admin", &Default::default()).await.unwrap().is_some());
    batch.list(&ListOptions::default()).await.unwrap();
    let leases = clients.coordination_v1().leases("kube-system").generic().pager();
    let pages = leases.list(ListOptions::default()).await.unwrap();
    assert!(!pages.list.items.is_empty());
    remote::forget(clients.rest_client(), &namespace).await;
}
