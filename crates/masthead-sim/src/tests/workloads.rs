//! Workloads live: each test tells a story on virtual time and looks at what is left of it.

mod deployments;
mod jobs;
mod nodes;
mod pods;
mod services;
mod sets;

use std::time::Duration;

use super::wire::Wire;
use crate::{Behaviour, Running, Workloads};
use masthead::{
    rest::Method::{Get, Patch, Post},
    runtime::VirtualTime,
};
use serde_json::{Value, json};

/// A server with nodes and somebody at work.
struct Cluster {
    wire: Wire,
    running: Running,
}

impl Cluster {
    /// A cluster of so many nodes with 4 CPUs and 8 GiB each.
    fn new(nodes: usize) -> Cluster {
        Cluster::seeded(0, nodes, &[])
    }

    fn with(nodes: usize, behaviours: &[(&str, Behaviour)]) -> Cluster {
        Cluster::seeded(0, nodes, behaviours)
    }

    fn seeded(seed: u64, nodes: usize, behaviours: &[(&str, Behaviour)]) -> Cluster {
        let wire = Wire::on(VirtualTime::seeded(seed));
        (0..nodes).for_each(|number| assert!(wire.sim.insert(node(number))));
        let behaviours = behaviours.iter().map(|(image, behaviour)| ((*image).to_owned(), behaviour.clone()));
        let running =
            wire.sim.run_workloads(Workloads { behaviours: behaviours.collect(), heartbeat: None, unrest: None });
        Cluster { wire, running }
    }

    fn create(&self, path: &str, object: &Value) -> Value {
        let (code, created) = self.wire.json(Post, path, &object.to_string());
        assert_eq!(code, 201, "{created}");
        created
    }

    fn deploy(&self, name: &str, replicas: u64, image: &str) -> Value {
        self.create(DEPLOYMENTS, &deployment(name, replicas, image))
    }

    fn get(&self, path: &str) -> Value {
        let (code, found) = self.wire.json(Get, path, "");
        assert_eq!(code, 200, "{path}: {found}");
        found
    }

    fn list(&self, path: &str) -> Vec<Value> {
        self.get(path)["items"].as_array().unwrap().clone()
    }

    fn patch(&self, path: &str, patch: &Value) {
        let (code, answer) = self.wire.patch("merge-patch", path, patch);
        assert_eq!(code, 200, "{answer}");
    }

    fn after(&self, seconds: u64) {
        self.wire.time.advance(Duration::from_secs(seconds));
    }

    /// What was told of an object, oldest first: `Reason: message`, with a count from two on.
    fn told_of(&self, kind: &str, name: &str) -> Vec<String> {
        let mut events = self.list(EVENTS);
        events.retain(|event| {
            let about = &event["involvedObject"];
            about["kind"] == kind && about["name"].as_str().unwrap().starts_with(name)
        });
        events.sort_by_key(|event| event["metadata"]["name"].as_str().unwrap().rsplit('.').next().unwrap().to_owned());
        let count = |event: &Value| event["count"].as_u64().or(event["series"]["count"].as_u64()).unwrap_or(1);
        let told = events.iter().map(|event| {
            let (reason, message) = (event["reason"].as_str().unwrap(), event["message"].as_str().unwrap());
            match count(event) {
                1 => format!("{reason}: {message}"),
                many => format!("{reason} x{many}: {message}"),
            }
        });
        told.collect()
    }

    fn reasons(&self, kind: &str, name: &str) -> Vec<String> {
        let told = self.told_of(kind, name);
        told.iter().map(|told| told.split(':').next().unwrap().to_owned()).collect()
    }
}

fn node(number: usize) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": { "name": format!("node-{number}"), "labels": { "kubernetes.io/hostname": format!("node-{number}") } },
        "spec": { "podCIDR": format!("10.244.{number}.0/24") },
        "status": {
            "allocatable": { "cpu": "4", "memory": "8Gi", "pods": "110", "ephemeral-storage": "100Gi" },
            "addresses": [{ "type": "InternalIP", "address": format!("172.18.0.{}", number + 2) }],
            "conditions": [{ "type": "Ready", "status": "True", "reason": "KubeletReady" }],
        },
    })
}

fn deployment(name: &str, replicas: u64, image: &str) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": name },
        "spec": {
            "replicas": replicas, "selector": { "matchLabels": { "app": name } },
            "template": {
                "metadata": { "labels": { "app": name } },
                "spec": { "containers": [{ "name": "app", "image": image,
                    "resources": { "requests": { "cpu": "100m", "memory": "64Mi" } } }] },
            },
        },
    })
}

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";
const REPLICA_SETS: &str = "/apis/apps/v1/namespaces/default/replicasets";
const PODS: &str = "/api/v1/namespaces/default/pods";
const EVENTS: &str = "/api/v1/namespaces/default/events";

#[test]
fn the_same_seed_makes_the_same_history() {
    let history = |seed| {
        let crash = Behaviour::Crashes { after: Duration::from_secs(7), code: 2 };
        let cluster = Cluster::seeded(seed, 3, &[("flaky", crash)]);
        cluster.deploy("web", 3, "nginx:1.25");
        cluster.deploy("bad", 1, "flaky:1");
        cluster.after(120);
        cluster.patch(&format!("{DEPLOYMENTS}/web"), &json!({ "spec": { "replicas": 5 } }));
        cluster.after(600);
        [PODS, EVENTS, DEPLOYMENTS].map(|path| cluster.get(path).to_string())
    };
    assert_eq!(history(1), history(1));
    assert_ne!(history(1), history(2));
}

#[test]
fn nothing_happens_once_they_stopped() {
    let cluster = Cluster::new(1);
    let Cluster { wire, running } = cluster;
    drop(running);
    let body = deployment("web", 1, "nginx").to_string();
    assert_eq!(wire.json(Post, DEPLOYMENTS, &body).0, 201);
    let version = wire.sim.version();
    wire.time.advance(Duration::from_secs(600));
    assert_eq!(wire.sim.version(), version);
    // A second start sees what came meanwhile.
    let running = wire.sim.run_workloads(Workloads::default());
    wire.time.advance(Duration::from_secs(30));
    assert_eq!(wire.json(Get, &format!("{DEPLOYMENTS}/web"), "").1["status"]["readyReplicas"], 1);
    drop(running);
}

#[test]
fn a_cluster_at_rest_writes_nothing() {
    let cluster = Cluster::new(2);
    cluster.deploy("web", 4, "nginx:1.25");
    cluster.after(60);
    let version = cluster.wire.sim.version();
    cluster.after(3000);
    assert_eq!(cluster.wire.sim.version(), version);
    let patched = cluster.wire.ask(Patch, &format!("{DEPLOYMENTS}/web"), &[], "");
    assert_eq!(patched.code, 415);
}
