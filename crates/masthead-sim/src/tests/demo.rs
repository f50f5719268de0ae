//! The cluster to explore.

use std::{collections::BTreeMap, time::Duration};

use super::wire::Wire;
use crate::Sim;
use masthead::{rest::Method::Get, runtime::VirtualTime};
use serde_json::Value;

fn demo(seed: u64) -> Wire {
    let time = VirtualTime::seeded(seed);
    let sim = Sim::demo(time.runtime());
    Wire::of(time, sim)
}

fn list(wire: &Wire, path: &str) -> Vec<Value> {
    let (code, list) = wire.json(Get, path, "");
    assert_eq!(code, 200, "{path}: {list}");
    list["items"].as_array().unwrap().clone()
}

fn waiting(pod: &Value) -> &str {
    pod["status"]["containerStatuses"][0]["state"]["waiting"]["reason"].as_str().unwrap_or_default()
}

#[test]
fn it_is_there_at_once_with_a_past() {
    let wire = demo(3);
    let pods = list(&wire, "/api/v1/pods");
    assert!((150..300).contains(&pods.len()), "{}", pods.len());
    let ages: BTreeMap<&str, usize> = pods.iter().fold(BTreeMap::new(), |mut ages, pod| {
        *ages.entry(&pod["metadata"]["creationTimestamp"].as_str().unwrap()[..10]).or_default() += 1;
        ages
    });
    assert!(ages.len() > 12, "{ages:?}");
    assert!(list(&wire, "/api/v1/events").len() > 10);
    for (path, least) in [
        ("/api/v1/nodes", 7),
        ("/api/v1/namespaces", 13),
        ("/api/v1/services", 40),
        ("/api/v1/persistentvolumes", 20),
        ("/apis/apps/v1/deployments", 35),
        ("/apis/batch/v1/jobs", 12),
        ("/apis/networking.k8s.io/v1/ingresses", 5),
        ("/apis/cert-manager.io/v1/certificates", 5),
    ] {
        assert!(list(&wire, path).len() >= least, "{path}: {}", list(&wire, path).len());
    }
}

#[test]
fn most_of_it_works_and_some_does_not() {
    let wire = demo(4);
    wire.time.advance(Duration::from_secs(120));
    let pods = list(&wire, "/api/v1/pods");
    let count = |holds: &dyn Fn(&Value) -> bool| pods.iter().filter(|pod| holds(pod)).count();
    let ready = count(&|pod| pod["status"]["containerStatuses"][0]["ready"] == true);
    assert!(ready * 10 >= pods.len() * 8, "{ready} of {}", pods.len());
    assert!(count(&|pod| waiting(pod) == "CrashLoopBackOff") >= 1);
    assert!(count(&|pod| waiting(pod) == "ImagePullBackOff") >= 2);
    assert_eq!(count(&|pod| pod["spec"]["nodeName"].is_null()), 1);
    let last = |pod: &Value| pod["status"]["containerStatuses"][0]["lastState"]["terminated"]["reason"].clone();
    assert!(count(&|pod| last(pod) == "OOMKilled") >= 1);
    let mut addresses: Vec<String> = pods.iter().map(|pod| pod["status"]["podIP"].to_string()).collect();
    addresses.retain(|address| address != "null");
    let many = addresses.len();
    addresses.sort();
    addresses.dedup();
    assert_eq!(addresses.len(), many);
    let failed = list(&wire, "/apis/batch/v1/jobs").iter().filter(|job| job["status"]["failed"] == 2).count();
    assert_eq!(failed, 1);
    let late = |deployment: &Value| {
        let conditions = deployment["status"]["conditions"].as_array().unwrap();
        conditions.iter().any(|condition| condition["reason"] == "ProgressDeadlineExceeded")
    };
    assert_eq!(list(&wire, "/apis/apps/v1/deployments").iter().filter(|one| late(one)).count(), 1);
    let sets = list(&wire, "/apis/apps/v1/statefulsets");
    assert!(sets.iter().all(|set| set["status"]["readyReplicas"] == set["spec"]["replicas"]), "{sets:?}");
    let sets = list(&wire, "/apis/apps/v1/daemonsets");
    assert!(sets.iter().all(|set| set["status"]["numberReady"] == 7), "{sets:?}");
}

#[test]
fn it_lives_on() {
    let wire = demo(5);
    wire.time.advance(Duration::from_secs(900));
    let events = list(&wire, "/api/v1/events");
    let reasons: BTreeMap<&str, usize> = events.iter().fold(BTreeMap::new(), |mut reasons, event| {
        *reasons.entry(event["reason"].as_str().unwrap()).or_default() += 1;
        reasons
    });
    for reason in ["ScalingReplicaSet", "Scheduled", "BackOff", "NodeNotReady", "Completed", "SawCompletedJob"] {
        assert!(reasons.contains_key(reason), "{reason} in {reasons:?}");
    }
}

#[test]
fn the_same_seed_lives_the_same() {
    let live = |seed| {
        let wire = demo(seed);
        wire.time.advance(Duration::from_secs(60));
        let pods = list(&wire, "/api/v1/pods");
        (wire.sim.version(), pods.iter().map(|pod| pod["metadata"]["name"].to_string()).collect::<Vec<_>>())
    };
    assert_eq!(live(5), live(5));
}
