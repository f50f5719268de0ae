//! Many watches through one `kubectl proxy`: what browsers make hard, on a real API server.

use std::time::Duration;

use futures::{StreamExt, future::join_all, stream::select_all};
use k8s_openapi::api::core::v1::ConfigMap;
use kube_core::{ObjectMeta, ResourceExt};
use masthead::{
    rest::{ListOptions, RestClient, WatchEvent},
    typed::Client,
    watch::{RetryWatcher, Source},
};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::remote::{self, Proxy};

const WATCHES: usize = 30;

fn named(name: &str) -> ConfigMap {
    ConfigMap { metadata: ObjectMeta { name: Some(name.into()), ..Default::default() }, ..Default::default() }
}

async fn create(client: &RestClient, namespace: &str, name: &str) {
    let maps = Client::<ConfigMap>::namespaced(client, namespace);
    maps.create(&named(name), &Default::default()).await.unwrap();
}

async fn version(client: &RestClient, namespace: &str) -> String {
    Client::<ConfigMap>::namespaced(client, namespace).list(&ListOptions::default()).await.unwrap().resource_version
}

#[wasm_bindgen_test]
async fn thirty_watches_all_deliver_and_requests_still_answer() {
    let proxy = Proxy::start("admin").await;
    let client = proxy.client();
    let namespace = remote::namespace(&client).await;
    let maps = Client::<ConfigMap>::namespaced(&client, &namespace);
    let from = version(&client, &namespace).await;
    let opened = (0..WATCHES).map(|index| {
        let (maps, options) = (
            maps.clone(),
            ListOptions {
                resource_version: from.clone(),
                field_selector: format!("metadata.name=m-{index}"),
                ..Default::default()
            },
        );
        async move { maps.watch(&options).await.unwrap() }
    });
    let watches = join_all(opened).await;

    // A request that had to wait for a connection would wait until a watch ends, minutes later.
    let answered = client.config().runtime.within(Duration::from_secs(10), async {
        for _ in 0..10 {
            version(&client, &namespace).await;
        }
    });
    assert!(answered.await.is_some(), "requests hang behind the watches");

    for index in 0..WATCHES {
        create(&client, &namespace, &format!("m-{index}")).await;
    }
    let mut events = select_all(watches);
    let mut seen: Vec<String> = Vec::new();
    while seen.len() < WATCHES {
        if let WatchEvent::Added(map) = events.next().await.unwrap().unwrap() {
            seen.push(map.name_any());
        }
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), WATCHES, "every watch delivers its own");
    remote::forget(&client, &namespace).await;
}

#[wasm_bindgen_test]
async fn a_proxy_frozen_beyond_the_idle_limit_costs_no_event() {
    let (proxy, other) = (Proxy::start("admin").await, Proxy::start("admin").await.client());
    let client = proxy.client();
    let namespace = remote::namespace(&client).await;
    let from = version(&client, &namespace).await;
    let request = client.group_version("", "v1").get().namespace(&namespace).resource("configmaps");
    let source = Source::<ConfigMap>::new(request).idle_limit(Duration::from_secs(3));
    let mut watcher = RetryWatcher::new(source, &from).unwrap();
    create(&other, &namespace, "before").await;
    let mut seen = Vec::new();
    while !seen.contains(&"before".to_owned()) {
        seen.extend(added(&mut watcher).await);
    }

    proxy.freeze().await;
    for index in 0..20 {
        create(&other, &namespace, &format!("during-{index:02}")).await;
    }
    // Longer than the idle limit, so that the watch is given up and opened anew.
    let runtime = client.config().runtime.clone();
    let polled = runtime.within(Duration::from_secs(8), async {
        loop {
            seen.extend(added(&mut watcher).await);
        }
    });
    polled.await.unwrap_or(());
    proxy.resume().await;
    create(&other, &namespace, "z-after").await;
    while !seen.contains(&"z-after".to_owned()) {
        seen.extend(added(&mut watcher).await);
    }
    let during: Vec<String> = (0..20).map(|index| format!("during-{index:02}")).collect();
    let found: Vec<String> = seen.iter().filter(|name| name.starts_with("during")).cloned().collect();
    assert_eq!(found, during, "each once, in order");
    remote::forget(&other, &namespace).await;
}

#[wasm_bindgen_test]
async fn a_restarted_proxy_is_followed_without_loss() {
    let (proxy, other) = (Proxy::start("admin").await, Proxy::start("admin").await.client());
    let client = proxy.client();
    let namespace = remote::namespace(&client).await;
    let from = version(&client, &namespace).await;
    let request = client.group_version("", "v1").get().namespace(&namespace).resource("configmaps");
    let mut watcher = RetryWatcher::new(Source::<ConfigMap>::new(request), &from).unwrap();
    create(&other, &namespace, "a").await;
    let mut seen = Vec::new();
    while !seen.contains(&"a".to_owned()) {
        seen.extend(added(&mut watcher).await);
    }
    proxy.restart().await;
    create(&other, &namespace, "b").await;
    while !seen.contains(&"b".to_owned()) {
        seen.extend(added(&mut watcher).await);
    }
    let ours: Vec<&str> = seen.iter().map(String::as_str).filter(|name| name.len() == 1).collect();
    assert_eq!(ours, ["a", "b"]);
    remote::forget(&other, &namespace).await;
}

#[wasm_bindgen_test]
async fn what_is_dropped_holds_no_connection() {
    let (proxy, other) = (Proxy::start("admin").await, Proxy::start("admin").await.client());
    let client = proxy.client();
    let runtime = client.config().runtime.clone();
    let namespace = remote::namespace(&other).await;
    let from = version(&other, &namespace).await;
    let maps = Client::<ConfigMap>::namespaced(&client, &namespace);
    let options = ListOptions { resource_version: from, ..Default::default() };
    let opened = join_all((0..5).map(|_| maps.watch(&options))).await;
    let streamed = client.get().abs_path(["/api/v1/configmaps"]).param("watch", "1").stream().await.unwrap();
    let idle = proxy.connections().await;
    assert!(idle >= 6, "{idle} connections for six open streams");
    drop(opened);
    drop(streamed);
    // A request that is given up while its answer is on its way.
    let endless = client.get().abs_path(["/api/v1/configmaps"]).param("watch", "1");
    assert!(runtime.within(Duration::from_secs(1), endless.send()).await.is_none());
    // Closing takes a round trip.
    let closed = runtime.within(Duration::from_secs(10), async {
        while proxy.connections().await > 0 {
            runtime.sleep(Duration::from_millis(50)).await;
        }
    });
    assert!(closed.await.is_some(), "{} connections are left", proxy.connections().await);
    remote::forget(&other, &namespace).await;
}

/// The name that the next event adds, if that is what it does.
async fn added(watcher: &mut RetryWatcher<ConfigMap>) -> Option<String> {
    match watcher.next().await.unwrap().unwrap() {
        WatchEvent::Added(map) => Some(map.name_any()),
        _ => None,
    }
}
