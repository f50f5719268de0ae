//! What leads to pods and what pods use: services, budgets, volumes.

use std::collections::BTreeSet;

use super::{Cluster, PODS};
use masthead::rest::Method::{Delete, Get};
use serde_json::{Value, json};

const SERVICES: &str = "/api/v1/namespaces/default/services";
const ENDPOINTS: &str = "/api/v1/namespaces/default/endpoints";
const SLICES: &str = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const BUDGETS: &str = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const CLAIMS: &str = "/api/v1/namespaces/default/persistentvolumeclaims";

#[test]
fn a_service_leads_to_the_pods_that_are_ready() {
    let cluster = Cluster::new(2);
    let service = json!({
        "metadata": { "name": "web" },
        "spec": { "selector": { "app": "web" }, "ports": [{ "name": "http", "port": 80, "targetPort": 8080 }] },
    });
    cluster.create(SERVICES, &service);
    cluster.deploy("web", 3, "nginx:1");
    cluster.deploy("other", 1, "nginx:1");
    cluster.after(30);
    let slices = cluster.list(SLICES);
    let [slice] = &slices[..] else { panic!("{slices:?}") };
    assert_eq!(slice["metadata"]["labels"]["kubernetes.io/service-name"], "web");
    assert_eq!(slice["ports"], json!([{ "name": "http", "port": 8080, "protocol": "TCP" }]));
    let endpoints = slice["endpoints"].as_array().unwrap();
    assert_eq!(endpoints.len(), 3);
    assert!(endpoints.iter().all(|one| one["conditions"]["ready"] == true));
    let addresses = &cluster.get(&format!("{ENDPOINTS}/web"))["subsets"][0]["addresses"];
    assert_eq!(addresses.as_array().unwrap().len(), 3);
    let name = endpoints[0]["targetRef"]["name"].as_str().unwrap();
    cluster.wire.json(Delete, &format!("{PODS}/{name}"), "");
    cluster.wire.time.advance(std::time::Duration::from_millis(100));
    let slice = &cluster.list(SLICES)[0];
    let ending = slice["endpoints"].as_array().unwrap().iter().find(|one| one["targetRef"]["name"] == name).unwrap();
    assert_eq!(ending["conditions"], json!({ "ready": false, "serving": true, "terminating": true }));
    cluster.after(30);
    assert_eq!(cluster.list(SLICES)[0]["endpoints"].as_array().unwrap().len(), 3);
    cluster.wire.json(Delete, &format!("{SERVICES}/web"), "");
    cluster.after(1);
    assert_eq!((cluster.list(SLICES).len(), cluster.list(ENDPOINTS).len()), (0, 0));
}

#[test]
fn a_budget_counts_the_pods_that_work() {
    let cluster = Cluster::new(1);
    cluster.deploy("web", 3, "nginx:1");
    let budget = json!({
        "metadata": { "name": "web" },
        "spec": { "minAvailable": 2, "selector": { "matchLabels": { "app": "web" } } },
    });
    cluster.create(BUDGETS, &budget);
    cluster.after(30);
    let status = cluster.get(&format!("{BUDGETS}/web"))["status"].clone();
    let counts =
        ["expectedPods", "currentHealthy", "desiredHealthy", "disruptionsAllowed"].map(|field| status[field].clone());
    assert_eq!(counts, [json!(3), json!(3), json!(2), json!(1)]);
    assert_eq!(status["conditions"][0]["reason"], "SufficientPods");
    let spec = json!({ "spec": { "minAvailable": null, "maxUnavailable": "34%" } });
    cluster.patch(&format!("{BUDGETS}/web"), &spec);
    cluster.after(1);
    assert_eq!(cluster.get(&format!("{BUDGETS}/web"))["status"]["desiredHealthy"], 1);
}

fn class(mode: &str) -> Value {
    json!({
        "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": { "name": "gp3" },
        "provisioner": "ebs.csi.aws.com", "volumeBindingMode": mode, "reclaimPolicy": "Delete",
    })
}

fn claim() -> Value {
    json!({
        "metadata": { "name": "data" },
        "spec": { "storageClassName": "gp3", "accessModes": ["ReadWriteOnce"],
            "resources": { "requests": { "storage": "10Gi" } } },
    })
}

#[test]
fn a_claim_gets_a_volume_that_goes_with_it() {
    let cluster = Cluster::new(1);
    assert!(cluster.wire.sim.insert(class("Immediate")));
    let created = cluster.create(CLAIMS, &claim());
    cluster.after(10);
    let bound = cluster.get(&format!("{CLAIMS}/data"));
    let name = format!("pvc-{}", created["metadata"]["uid"].as_str().unwrap());
    assert_eq!((&bound["status"]["phase"], &bound["spec"]["volumeName"]), (&json!("Bound"), &json!(name)));
    let volume = cluster.get(&format!("/api/v1/persistentvolumes/{name}"));
    assert_eq!((&volume["status"]["phase"], &volume["spec"]["claimRef"]["name"]), (&json!("Bound"), &json!("data")));
    let told = cluster.told_of("PersistentVolumeClaim", "data");
    assert_eq!(told[1], format!("ProvisioningSucceeded: Successfully provisioned volume {name}"));
    cluster.wire.json(Delete, &format!("{CLAIMS}/data"), "");
    cluster.after(1);
    assert_eq!((cluster.list(CLAIMS).len(), cluster.list("/api/v1/persistentvolumes").len()), (0, 0));
}

#[test]
fn a_volume_may_wait_for_the_pod_that_uses_it() {
    let cluster = Cluster::new(2);
    assert!(cluster.wire.sim.insert(class("WaitForFirstConsumer")));
    cluster.create(CLAIMS, &claim());
    cluster.after(10);
    let told = cluster.told_of("PersistentVolumeClaim", "data");
    assert_eq!(told, ["WaitForFirstConsumer: waiting for first consumer to be created before binding"]);
    let pod = json!({
        "metadata": { "name": "db" },
        "spec": {
            "containers": [{ "name": "app", "image": "postgres:16" }],
            "volumes": [{ "name": "data", "persistentVolumeClaim": { "claimName": "data" } }],
        },
    });
    cluster.create(PODS, &pod);
    cluster.after(20);
    assert_eq!(cluster.get(&format!("{PODS}/db"))["status"]["phase"], "Running");
    // A claim in use stays until nobody uses it.
    cluster.wire.json(Delete, &format!("{CLAIMS}/data"), "");
    cluster.after(5);
    assert_eq!(cluster.list(CLAIMS).len(), 1);
    cluster.wire.json(Delete, &format!("{PODS}/db"), "");
    cluster.after(10);
    assert_eq!(cluster.list(CLAIMS).len(), 0);
}

#[test]
fn an_autoscaler_follows_the_load_within_its_bounds() {
    let cluster = Cluster::new(3);
    cluster.deploy("web", 4, "nginx:1");
    let target = json!({ "type": "Utilization", "averageUtilization": 70 });
    let autoscaler = json!({
        "metadata": { "name": "web" },
        "spec": {
            "scaleTargetRef": { "apiVersion": "apps/v1", "kind": "Deployment", "name": "web" },
            "minReplicas": 3, "maxReplicas": 6,
            "metrics": [{ "type": "Resource", "resource": { "name": "cpu", "target": target } }],
        },
    });
    let path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    cluster.create(path, &autoscaler);
    let mut sizes = BTreeSet::new();
    for _ in 0..55 {
        cluster.after(60);
        sizes.insert(cluster.get(&format!("{}/web", super::DEPLOYMENTS))["spec"]["replicas"].as_u64().unwrap());
    }
    assert!(sizes.len() > 1 && sizes.iter().all(|size| (3..=6).contains(size)), "{sizes:?}");
    let told = cluster.told_of("HorizontalPodAutoscaler", "web");
    assert!(told.iter().all(|told| told.starts_with("SuccessfulRescale")) && !told.is_empty(), "{told:?}");
    let status = &cluster.get(&format!("{path}/web"))["status"];
    assert!(status["currentMetrics"][0]["resource"]["current"]["averageUtilization"].is_u64(), "{status}");
    assert!(status["lastScaleTime"].is_string(), "{status}");
}

#[test]
fn a_namespace_ends_once_its_pods_have() {
    let cluster = Cluster::new(1);
    cluster.create("/api/v1/namespaces", &json!({ "metadata": { "name": "team" } }));
    let deployments = super::DEPLOYMENTS.replace("default", "team");
    cluster.create(&deployments, &super::deployment("web", 2, "nginx:1"));
    cluster.after(30);
    assert_eq!(cluster.get(&format!("{deployments}/web"))["status"]["readyReplicas"], 2);
    cluster.wire.json(Delete, "/api/v1/namespaces/team", "");
    cluster.wire.time.advance(std::time::Duration::from_millis(5200));
    let pods = cluster.list("/api/v1/namespaces/team/pods");
    assert!(pods.len() == 2 && pods.iter().all(|pod| pod["metadata"]["deletionTimestamp"].is_string()));
    cluster.after(20);
    assert_eq!(cluster.wire.json(Get, "/api/v1/namespaces/team", "").0, 404);
}
