//! Many pods, and pods that change.

use std::{collections::BTreeSet, time::Duration};

use super::wire::Wire;
use crate::{Sim, Workloads};
use masthead::{rest::Method::Get, runtime::VirtualTime};
use serde_json::Value;

fn fleet(pods: usize) -> Wire {
    let time = VirtualTime::new();
    let sim = Sim::with_pods(time.runtime(), pods);
    Wire::of(time, sim)
}

#[test]
fn the_pods_are_as_many_and_as_large_as_real_ones() {
    let wire = fleet(1500);
    let (_, list) = wire.json(Get, "/api/v1/pods", "");
    let pods = list["items"].as_array().unwrap();
    assert_eq!(pods.len(), 1500);
    let sizes: Vec<usize> = pods.iter().map(|pod| pod.to_string().len()).collect();
    assert!(sizes.iter().all(|size| (5000..6500).contains(size)), "{:?}", (sizes.iter().min(), sizes.iter().max()));
    let distinct =
        |pointer: &str| pods.iter().map(|pod| pod.pointer(pointer).unwrap().to_string()).collect::<BTreeSet<_>>();
    assert_eq!(distinct("/metadata/uid").len(), 1500);
    assert_eq!(distinct("/status/podIP").len(), 1500);
    assert_eq!(distinct("/metadata/resourceVersion").len(), 1500);
    assert_eq!(distinct("/spec/nodeName").len(), 30);
    assert_eq!(distinct("/metadata/namespace").len(), 4);
    assert!(distinct("/metadata/ownerReferences/0/uid").len() > 20);
    for pod in pods {
        let restarts = &pod["status"]["containerStatuses"][1]["restartCount"];
        assert!(restarts.is_u64(), "{restarts}");
        assert_eq!(pod["metadata"]["managedFields"][1]["manager"], "kubelet");
    }
}

#[test]
fn selectors_find_what_shares_its_bytes() {
    let wire = fleet(300);
    let (_, all) = wire.json(Get, "/api/v1/pods", "");
    let pod = &all["items"][7];
    let text = |pointer: &str| pod.pointer(pointer).unwrap().as_str().unwrap();
    let (app, node) = (text("/metadata/labels/app"), text("/spec/nodeName"));
    let count =
        |holds: &dyn Fn(&Value) -> bool| all["items"].as_array().unwrap().iter().filter(|pod| holds(pod)).count();
    let found = |url: &str| wire.json(Get, url, "").1["items"].as_array().unwrap().len();
    let same_app = count(&|pod| pod["metadata"]["labels"]["app"] == app);
    assert_eq!(found(&format!("/api/v1/pods?labelSelector=app%3D{app}")), same_app);
    let same_node = count(&|pod| pod["spec"]["nodeName"] == node);
    assert_eq!(found(&format!("/api/v1/pods?fieldSelector=spec.nodeName%3D{node}")), same_node);
    let alone = format!("/api/v1/namespaces/{}/pods/{}", text("/metadata/namespace"), text("/metadata/name"));
    let (_, mut alone) = wire.json(Get, &alone, "");
    let fields = alone.as_object_mut().unwrap();
    assert_eq!((fields.remove("kind"), fields.remove("apiVersion")), (Some("Pod".into()), Some("v1".into())));
    assert_eq!(alone, *pod);
}

#[test]
fn churn_changes_so_many_a_second_until_dropped() {
    let wire = fleet(200);
    let (before, churn) = (wire.sim.version(), wire.sim.churn(20.0));
    wire.time.advance(Duration::from_secs(60));
    let changes = wire.sim.version() - before;
    // One that goes and one that comes are two.
    assert!((1200..1500).contains(&changes), "{changes}");
    assert_eq!(wire.json(Get, "/api/v1/pods", "").1["items"].as_array().unwrap().len(), 200);
    drop(churn);
    let before = wire.sim.version();
    wire.time.advance(Duration::from_secs(60));
    assert_eq!(wire.sim.version(), before);
}

#[test]
fn a_fleet_stands_still_when_its_controllers_start() {
    let wire = fleet(200);
    let (before, names) = (wire.sim.version(), names(&wire));
    let running = wire.sim.run_workloads(Workloads { heartbeat: None, ..Workloads::default() });
    wire.time.advance(Duration::from_secs(120));
    assert_eq!((wire.sim.version(), self::names(&wire)), (before, names));
    drop(running);
}

fn names(wire: &Wire) -> Vec<String> {
    let (_, list) = wire.json(Get, "/api/v1/pods", "");
    list["items"].as_array().unwrap().iter().map(|pod| pod["metadata"]["name"].to_string()).collect()
}
