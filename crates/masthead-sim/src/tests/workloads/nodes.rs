//! Nodes that are lost and come back.

use std::time::Duration;

use super::{Cluster, DEPLOYMENTS, PODS, node};
use crate::{Workloads, tests::wire::Wire};
use masthead::rest::Method::{Delete, Get, Post};
use serde_json::{Value, json};

fn behave(behaviour: &Value) -> Value {
    json!({ "metadata": { "annotations": { "sim.masthead.dev/behaviour": behaviour } } })
}

fn ready(cluster: &Cluster, name: &str) -> String {
    let node = cluster.get(&format!("/api/v1/nodes/{name}"));
    let conditions = node["status"]["conditions"].as_array().unwrap();
    let ready = conditions.iter().find(|one| one["type"] == "Ready").unwrap();
    format!("{} {}", ready["status"].as_str().unwrap(), ready["reason"].as_str().unwrap())
}

#[test]
fn the_pods_of_a_lost_node_are_made_anew_elsewhere() {
    let cluster = Cluster::new(1);
    cluster.deploy("web", 2, "nginx:1");
    cluster.after(30);
    assert!(cluster.wire.sim.insert(node(1)));
    cluster.patch("/api/v1/nodes/node-0", &behave(&json!("down")));
    cluster.after(49);
    assert_eq!(ready(&cluster, "node-0"), "True KubeletReady");
    cluster.after(2);
    assert_eq!(ready(&cluster, "node-0"), "Unknown NodeStatusUnknown");
    let lost = cluster.get("/api/v1/nodes/node-0");
    let effects: Vec<&Value> =
        lost["spec"]["taints"].as_array().unwrap().iter().map(|taint| &taint["effect"]).collect();
    assert_eq!(effects, ["NoSchedule", "NoExecute"]);
    assert_eq!(cluster.told_of("Node", "node-0"), ["NodeNotReady: Node node-0 status is now: NodeNotReady"]);
    let deployment = cluster.get(&format!("{DEPLOYMENTS}/web"));
    assert_eq!(deployment["status"]["readyReplicas"], Value::Null);
    cluster.after(290);
    assert_eq!(cluster.list(PODS).len(), 2);
    cluster.after(60);
    let pods = cluster.list(PODS);
    let stuck = pods.iter().filter(|pod| pod["metadata"]["deletionTimestamp"].is_string()).count();
    assert_eq!((pods.len(), stuck), (4, 2));
    let told = cluster.told_of("Pod", "web");
    let evicted = |told: &&String| told.starts_with("TaintManagerEviction: Marking for deletion Pod default/web-");
    assert_eq!(told.iter().filter(evicted).count(), 2);
    assert_eq!(cluster.get(&format!("{DEPLOYMENTS}/web"))["status"]["readyReplicas"], 2);
    cluster.patch("/api/v1/nodes/node-0", &behave(&Value::Null));
    cluster.after(10);
    assert_eq!(ready(&cluster, "node-0"), "True KubeletReady");
    assert_eq!(cluster.get("/api/v1/nodes/node-0")["spec"]["taints"], Value::Null);
    assert_eq!(cluster.list(PODS).len(), 2);
}

#[test]
fn pods_stay_on_a_node_that_comes_back_in_time() {
    let cluster = Cluster::new(1);
    cluster.deploy("web", 1, "nginx:1");
    cluster.after(30);
    let before = cluster.list(PODS)[0]["metadata"]["name"].clone();
    // Down from minute 7 to 10 of each ten.
    cluster.patch("/api/v1/nodes/node-0", &behave(&json!("flaps 10m 3m")));
    cluster.after(510);
    assert_eq!(ready(&cluster, "node-0"), "Unknown NodeStatusUnknown");
    cluster.after(120);
    assert_eq!(ready(&cluster, "node-0"), "True KubeletReady");
    assert_eq!(cluster.list(PODS)[0]["metadata"]["name"], before);
    assert_eq!(cluster.get(&format!("{DEPLOYMENTS}/web"))["status"]["readyReplicas"], 1);
    assert_eq!(cluster.reasons("Node", "node-0"), ["NodeNotReady", "NodeReady"]);
    let told = cluster.reasons("Pod", "web");
    assert_eq!(told[5..], ["NodeNotReady", "TaintManagerEviction"], "{told:?}");
}

#[test]
fn nodes_renew_their_leases() {
    let wire = Wire::new();
    assert!(wire.sim.insert(node(0)));
    let running = wire.sim.run_workloads(Workloads::default());
    let lease = || {
        let path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-0";
        wire.json(Get, path, "").1["spec"]["renewTime"].as_str().unwrap().to_owned()
    };
    wire.time.advance(Duration::from_secs(5));
    assert_eq!(lease(), "2026-01-01T00:00:00.000000Z");
    wire.time.advance(Duration::from_secs(20));
    assert_eq!(lease(), "2026-01-01T00:00:20.000000Z");
    drop(running);
    assert_eq!(wire.json(Post, "/api/v1/nodes", r#"{"metadata":{"name":"late"}}"#).0, 201);
}

#[test]
fn a_node_that_joins_is_ready_at_once_and_takes_pods() {
    let cluster = Cluster::new(0);
    let mut joining = node(0);
    joining["status"]["conditions"].take();
    joining["status"]["addresses"].take();
    joining["metadata"]["labels"]["topology.kubernetes.io/zone"] = "a".into();
    let joined = cluster.create("/api/v1/nodes", &joining);
    assert_eq!(joined["spec"]["taints"][0]["key"], "node.kubernetes.io/not-ready");
    cluster.deploy("web", 1, "nginx:1");
    cluster.after(30);
    assert_eq!(ready(&cluster, "node-0"), "True KubeletReady");
    let pod = &cluster.list(PODS)[0];
    assert_eq!(pod["status"]["phase"], "Running");
    assert_eq!(pod["metadata"]["labels"]["topology.kubernetes.io/zone"], "a", "a pod is told where it runs");
    let addresses = cluster.get("/api/v1/nodes/node-0")["status"]["addresses"].clone();
    assert_eq!(addresses[0]["address"], pod["status"]["hostIP"]);
}

#[test]
fn a_node_under_pressure_evicts_its_largest_pod() {
    let cluster = Cluster::new(2);
    cluster.deploy("web", 2, "nginx:1");
    let mut large = super::deployment("cache", 1, "redis:8");
    large["spec"]["template"]["spec"]["containers"][0]["resources"] = json!({ "requests": { "memory": "1Gi" } });
    large["spec"]["template"]["spec"]["nodeSelector"] = json!({ "kubernetes.io/hostname": "node-0" });
    cluster.create(DEPLOYMENTS, &large);
    cluster.after(30);
    cluster.patch("/api/v1/nodes/node-0", &behave(&json!("pressed")));
    cluster.after(30);
    let pods = cluster.list(PODS);
    let evicted: Vec<&Value> = pods.iter().filter(|pod| pod["status"]["reason"] == "Evicted").collect();
    let [pod] = evicted[..] else { panic!("{evicted:?}") };
    assert!(pod["metadata"]["name"].as_str().unwrap().starts_with("cache-"));
    let why = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 61340Ki. Container app was using \
               1638400Ki, request is 1Gi, has larger consumption of memory. ";
    assert_eq!((pod["status"]["phase"].as_str(), pod["status"]["message"].as_str()), (Some("Failed"), Some(why)));
    // The next one may not go there while it lasts.
    let waits = pods.iter().filter(|pod| pod["spec"]["nodeName"].is_null()).count();
    assert_eq!(waits, 1);
    assert_eq!(cluster.reasons("Node", "node-0"), ["EvictionThresholdMet", "NodeHasInsufficientMemory"]);
    cluster.patch("/api/v1/nodes/node-0", &behave(&Value::Null));
    cluster.after(30);
    assert_eq!(cluster.get(&format!("{DEPLOYMENTS}/cache"))["status"]["readyReplicas"], 1);
}

#[test]
fn pods_go_with_the_node_that_is_removed() {
    let cluster = Cluster::new(2);
    cluster.deploy("web", 4, "nginx:1");
    cluster.after(30);
    cluster.wire.json(Delete, "/api/v1/nodes/node-0", "");
    cluster.after(30);
    let pods = cluster.list(PODS);
    assert_eq!(pods.len(), 4);
    assert!(pods.iter().all(|pod| pod["spec"]["nodeName"] == "node-1"));
}
