//! Controllers, scheduler and nodes as WebAssembly, in Node and in a page.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{rc::Rc, time::Duration};

use k8s_openapi::api::{apps::v1::Deployment, core::v1::Pod};
use masthead::{
    browser,
    rest::{Config, ListOptions, RestClient},
    runtime::{Runtime, VirtualTime},
    typed::Client,
};
use masthead_sim::{Sim, Workloads};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

fn client(sim: &Sim, runtime: Runtime) -> RestClient {
    RestClient::new(Config { qps: -1.0, ..Config::new("http://sim", Rc::new(sim.clone()), runtime) }).unwrap()
}

fn deployment() -> Deployment {
    let template = json!({
        "metadata": { "labels": { "app": "web" } },
        "spec": { "containers": [{ "name": "web", "image": "example.com/web:1" }] },
    });
    let spec = json!({ "replicas": 3, "selector": { "matchLabels": { "app": "web" } }, "template": template });
    serde_json::from_value(json!({ "metadata": { "name": "web" }, "spec": spec })).unwrap()
}

fn add_node(sim: &Sim) {
    let room = json!({ "cpu": "8", "memory": "16Gi", "pods": "110" });
    let status = json!({ "capacity": room, "allocatable": room });
    assert!(sim.insert(json!({ "apiVersion": "v1", "kind": "Node", "metadata": { "name": "one" }, "status": status })));
}

async fn running(pods: &Client<Pod>) -> usize {
    let listed = pods.list(&ListOptions::default()).await.unwrap();
    let phase = |pod: &Pod| pod.status.as_ref().and_then(|status| status.phase.clone());
    listed.items.iter().filter(|pod| phase(pod).as_deref() == Some("Running")).count()
}

#[wasm_bindgen_test]
async fn a_deployment_comes_to_life_on_the_browsers_clock() {
    let runtime = browser::runtime();
    let sim = Sim::new(runtime.clone());
    let _running = sim.run_workloads(Workloads::default());
    add_node(&sim);
    let client = client(&sim, runtime.clone());
    Client::<Deployment>::namespaced(&client, "default").create(&deployment(), &Default::default()).await.unwrap();
    let pods = Client::<Pod>::namespaced(&client, "default");
    let all = async {
        while running(&pods).await < 3 {
            runtime.sleep(Duration::from_millis(100)).await;
        }
    };
    runtime.within(Duration::from_secs(15), all).await.expect("three pods run");
}

#[wasm_bindgen_test]
fn virtual_time_passes_as_it_does_natively() {
    let time = VirtualTime::new();
    let sim = Sim::new(time.runtime());
    let _running = sim.run_workloads(Workloads::default());
    add_node(&sim);
    let client = client(&sim, time.runtime());
    let deployments = Client::<Deployment>::namespaced(&client, "default");
    time.run(deployments.create(&deployment(), &Default::default())).unwrap();
    time.advance(Duration::from_secs(3600));
    assert_eq!(time.run(running(&Client::<Pod>::namespaced(&client, "default"))), 3);
}

#[wasm_bindgen_test]
async fn the_demo_cluster_and_thousands_of_pods_fit_into_a_page() {
    let runtime = browser::runtime();
    let demo = Sim::demo(runtime.clone());
    let pods = Client::<Pod>::all_namespaces(&client(&demo, runtime.clone()));
    assert!(running(&pods).await > 100, "most of the demo's pods run");

    let many = Sim::with_pods(runtime.clone(), 5_000);
    let pods = Client::<Pod>::all_namespaces(&client(&many, runtime));
    let page = pods.list(&ListOptions { limit: Some(500), ..ListOptions::default() }).await.unwrap();
    assert_eq!((page.items.len(), page.remaining_item_count), (500, Some(4_500)));
}
