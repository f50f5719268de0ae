//! The example's controller on a real API server through `kubectl proxy`, in Node and in Chromium.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../examples/controller/greeter.rs"]
mod greeter;
#[path = "cluster_real/remote.rs"]
mod remote;

use std::{collections::BTreeMap, time::Duration};

use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use masthead::{
    rest::{DeleteOptions, PatchKind, RestClient},
    typed::Client,
};
use remote::Proxy;
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

/// What the greeting of each namespace is to say; nothing where there is to be none.
type Expected = BTreeMap<String, Option<String>>;

/// Waits until the greetings are as expected, by what the server says.
async fn until(client: &RestClient, expected: &Expected, after: &str) {
    let runtime = &client.config().runtime;
    let began = runtime.now();
    for (namespace, wanted) in expected {
        loop {
            let maps = Client::<ConfigMap>::namespaced(client, namespace);
            let map = maps.get_opt("greeting", &Default::default()).await.unwrap();
            let text = map.and_then(|map| map.data?.get("text").cloned());
            let shown = remote::kubectl_get("configmaps", namespace).await.contains_key("greeting");
            if text == *wanted && shown == wanted.is_some() {
                break;
            }
            let waited = runtime.now().since(began);
            assert!(waited < Duration::from_secs(60), "{after}: {namespace} says {text:?} and not {wanted:?}");
            runtime.sleep(Duration::from_millis(100)).await;
        }
    }
}

async fn label(client: &RestClient, namespace: &str, value: Option<&str>) {
    let patch = json!({ "metadata": { "labels": { "greeting": value } } });
    let namespaces = Client::<Namespace>::cluster(client);
    namespaces.patch(namespace, PatchKind::Merge, &patch, &Default::default()).await.unwrap();
}

#[wasm_bindgen_test]
async fn every_labelled_namespace_keeps_its_config_map() {
    let (proxy, other) = (Proxy::start("admin").await, Proxy::start("admin").await.client());
    let client = proxy.client();
    let mut expected = Expected::new();
    for number in 0..6 {
        let namespace = remote::namespace(&other).await;
        let wanted = (number % 2 == 0).then(|| format!("hello-{number}"));
        label(&other, &namespace, wanted.as_deref()).await;
        expected.insert(namespace, wanted);
    }
    let names: Vec<String> = expected.keys().cloned().collect();
    let running = greeter::run(&client).unwrap();
    running.started().await.unwrap();
    until(&other, &expected, "at the beginning").await;

    for (number, name) in names.iter().enumerate() {
        let wanted = (number % 3 == 0).then(|| format!("bye-{number}"));
        label(&other, name, wanted.as_deref()).await;
        expected.insert(name.clone(), wanted);
    }
    until(&other, &expected, "with other labels").await;

    let greeted: Vec<&String> = names.iter().filter(|name| expected[*name].is_some()).collect();
    let maps = |name: &str| Client::<ConfigMap>::namespaced(&other, name);
    let spoilt = json!({ "data": { "text": "spoilt" } });
    maps(greeted[0]).patch("greeting", PatchKind::Merge, &spoilt, &Default::default()).await.unwrap();
    maps(greeted[1]).delete("greeting", &DeleteOptions::default()).await.unwrap();
    until(&other, &expected, "after somebody meddled").await;

    remote::restart_apiserver().await;
    maps(greeted[1]).delete("greeting", &DeleteOptions::default()).await.unwrap();
    label(&other, greeted[0], Some("back")).await;
    expected.insert(greeted[0].clone(), Some("back".to_owned()));
    until(&other, &expected, "after the API server was killed").await;

    let counts = running.counts();
    assert_eq!(counts.terminal, 0, "{counts:?}");
    assert!(counts.success >= 12, "{counts:?}");
    assert_eq!(running.stop(Duration::from_secs(30)).await, 0);
    // Nobody is told any more: what somebody deletes stays deleted.
    maps(greeted[0]).delete("greeting", &DeleteOptions::default()).await.unwrap();
    client.config().runtime.sleep(Duration::from_secs(1)).await;
    expected.insert(greeted[0].clone(), None);
    until(&other, &expected, "after the controller was stopped").await;
    for name in &names {
        remote::forget(&other, name).await;
    }
}
