//! Stateful sets and daemon sets.

use super::{Cluster, PODS};
use serde_json::{Value, json};

const STATEFUL_SETS: &str = "/apis/apps/v1/namespaces/default/statefulsets";
const DAEMON_SETS: &str = "/apis/apps/v1/namespaces/default/daemonsets";
const CLAIMS: &str = "/api/v1/namespaces/default/persistentvolumeclaims";

fn stateful_set(replicas: u64, image: &str) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": { "name": "db" },
        "spec": {
            "replicas": replicas, "serviceName": "db", "selector": { "matchLabels": { "app": "db" } },
            "template": {
                "metadata": { "labels": { "app": "db" } },
                "spec": { "containers": [{ "name": "app", "image": image }] },
            },
        },
    })
}

fn daemon_set(image: &str) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": { "name": "agent" },
        "spec": {
            "selector": { "matchLabels": { "app": "agent" } },
            "template": {
                "metadata": { "labels": { "app": "agent" } },
                "spec": { "containers": [{ "name": "app", "image": image }] },
            },
        },
    })
}

fn names(cluster: &Cluster) -> Vec<String> {
    cluster.list(PODS).iter().map(|pod| pod["metadata"]["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_stateful_set_grows_and_shrinks_in_order() {
    let cluster = Cluster::new(2);
    cluster.create(STATEFUL_SETS, &stateful_set(3, "postgres:16"));
    cluster.after(1);
    assert_eq!(names(&cluster), ["db-0"]);
    cluster.after(60);
    assert_eq!(names(&cluster), ["db-0", "db-1", "db-2"]);
    let pod = cluster.get(&format!("{PODS}/db-1"));
    let labels = &pod["metadata"]["labels"];
    assert_eq!(labels["apps.kubernetes.io/pod-index"], "1");
    assert_eq!(labels["statefulset.kubernetes.io/pod-name"], "db-1");
    assert_eq!((&pod["spec"]["hostname"], &pod["spec"]["subdomain"]), (&json!("db-1"), &json!("db")));
    let status = cluster.get(&format!("{STATEFUL_SETS}/db"))["status"].clone();
    assert_eq!(status["readyReplicas"], 3);
    assert_eq!((&status["currentRevision"], &status["currentReplicas"]), (&status["updateRevision"], &json!(3)));
    assert_eq!(labels["controller-revision-hash"], status["updateRevision"]);
    cluster.patch(&format!("{STATEFUL_SETS}/db"), &json!({ "spec": { "replicas": 1 } }));
    cluster.after(30);
    assert_eq!(names(&cluster), ["db-0"]);
    let told = cluster.told_of("StatefulSet", "db");
    let create = |number| format!("SuccessfulCreate: Create Pod db-{number} in StatefulSet db successful");
    let delete = |number| format!("SuccessfulDelete: Delete Pod db-{number} in StatefulSet db successful");
    assert_eq!(told, [create(0), create(1), create(2), delete(2), delete(1)]);
}

#[test]
fn a_stateful_set_rolls_from_the_last_to_its_partition() {
    let cluster = Cluster::new(2);
    let mut set = stateful_set(3, "postgres:16");
    set["spec"]["updateStrategy"] = json!({ "type": "RollingUpdate", "rollingUpdate": { "partition": 1 } });
    set["spec"]["podManagementPolicy"] = "Parallel".into();
    cluster.create(STATEFUL_SETS, &set);
    cluster.after(30);
    let pods = &stateful_set(3, "postgres:17")["spec"]["template"];
    cluster.patch(&format!("{STATEFUL_SETS}/db"), &json!({ "spec": { "template": pods } }));
    cluster.after(90);
    let images: Vec<Value> =
        cluster.list(PODS).iter().map(|pod| pod["spec"]["containers"][0]["image"].clone()).collect();
    assert_eq!(images, ["postgres:16", "postgres:17", "postgres:17"]);
    let status = cluster.get(&format!("{STATEFUL_SETS}/db"))["status"].clone();
    assert_ne!(status["currentRevision"], status["updateRevision"]);
    assert_eq!((&status["currentReplicas"], &status["updatedReplicas"]), (&json!(1), &json!(2)));
    let partition = json!({ "spec": { "updateStrategy": { "rollingUpdate": { "partition": 0 } } } });
    cluster.patch(&format!("{STATEFUL_SETS}/db"), &partition);
    cluster.after(60);
    let status = cluster.get(&format!("{STATEFUL_SETS}/db"))["status"].clone();
    assert_eq!((&status["currentRevision"], &status["currentReplicas"]), (&status["updateRevision"], &json!(3)));
}

#[test]
fn each_pod_of_a_stateful_set_has_claims_of_its_own() {
    let cluster = Cluster::new(1);
    let mut set = stateful_set(1, "postgres:16");
    set["spec"]["volumeClaimTemplates"] = json!([{
        "metadata": { "name": "data" },
        "spec": { "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } },
    }]);
    cluster.create(STATEFUL_SETS, &set);
    cluster.after(10);
    let claim = cluster.get(&format!("{CLAIMS}/data-db-0"));
    assert_eq!(claim["metadata"]["labels"]["app"], "db");
    let told = cluster.told_of("StatefulSet", "db");
    assert_eq!(told[0], "SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success");
    let waits =
        "FailedScheduling: 0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found";
    assert_eq!(cluster.told_of("Pod", "db-0"), [waits]);
}

#[test]
fn a_daemon_set_has_a_pod_on_every_node_that_fits() {
    let cluster = Cluster::new(3);
    let taint = json!([{ "key": "gpu", "effect": "NoSchedule" }]);
    cluster.patch("/api/v1/nodes/node-0", &json!({ "spec": { "taints": taint } }));
    // A cordon does not keep daemons away.
    cluster.patch("/api/v1/nodes/node-1", &json!({ "spec": { "unschedulable": true } }));
    cluster.create(DAEMON_SETS, &daemon_set("agent:1"));
    cluster.after(30);
    let nodes = |cluster: &Cluster| {
        let mut nodes: Vec<String> =
            cluster.list(PODS).iter().map(|pod| pod["spec"]["nodeName"].as_str().unwrap().to_owned()).collect();
        nodes.sort();
        nodes
    };
    assert_eq!(nodes(&cluster), ["node-1", "node-2"]);
    let status = cluster.get(&format!("{DAEMON_SETS}/agent"))["status"].clone();
    assert_eq!((&status["desiredNumberScheduled"], &status["numberReady"]), (&json!(2), &json!(2)));
    assert!(cluster.wire.sim.insert(super::node(3)));
    cluster.after(30);
    assert_eq!(nodes(&cluster), ["node-1", "node-2", "node-3"]);
}

#[test]
fn a_daemon_set_renews_its_pods_one_by_one() {
    let cluster = Cluster::new(3);
    cluster.create(DAEMON_SETS, &daemon_set("agent:1"));
    cluster.after(30);
    let pods = &daemon_set("agent:2")["spec"]["template"];
    cluster.patch(&format!("{DAEMON_SETS}/agent"), &json!({ "spec": { "template": pods } }));
    let mut least = 3;
    for _ in 0..90 {
        cluster.after(1);
        let status = &cluster.get(&format!("{DAEMON_SETS}/agent"))["status"];
        least = least.min(status["numberReady"].as_u64().unwrap());
    }
    assert_eq!(least, 2);
    let status = cluster.get(&format!("{DAEMON_SETS}/agent"))["status"].clone();
    assert_eq!((&status["updatedNumberScheduled"], &status["numberAvailable"]), (&json!(3), &json!(3)));
}
