//! Pods on their way, from the scheduler to their end.

use std::time::Duration;

use super::{Cluster, PODS};
use crate::Behaviour;
use masthead::rest::Method::Delete;
use serde_json::{Value, json};

fn pod(name: &str, image: &str, requests: &Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name, "labels": { "app": name } },
        "spec": { "containers": [{ "name": "app", "image": image, "resources": { "requests": requests } }] },
    })
}

#[test]
fn a_pod_is_placed_pulled_and_started() {
    let cluster = Cluster::new(1);
    cluster.create(PODS, &pod("web", "nginx:1.25", &json!({})));
    cluster.after(30);
    let told = cluster.told_of("Pod", "web");
    assert_eq!(told[0], "Scheduled: Successfully assigned default/web to node-0");
    assert_eq!(told[1], "Pulling: Pulling image \"nginx:1.25\"");
    assert!(told[2].starts_with("Pulled: Successfully pulled image \"nginx:1.25\" in "), "{told:?}");
    assert_eq!(told[3..], ["Created: Container created", "Started: Container started"]);
    let web = cluster.get(&format!("{PODS}/web"));
    assert_eq!((&web["status"]["podIP"], &web["status"]["hostIP"]), (&json!("10.244.0.2"), &json!("172.18.0.2")));
    assert_eq!(web["status"]["containerStatuses"][0]["ready"], true);
    let conditions = web["status"]["conditions"].as_array().unwrap();
    let names: Vec<&str> = conditions.iter().map(|one| one["type"].as_str().unwrap()).collect();
    assert_eq!(names, ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"]);
    assert!(conditions.iter().all(|one| one["status"] == "True"));
    let events = cluster.list(super::EVENTS);
    let started = events.iter().find(|event| event["reason"] == "Started").unwrap();
    assert_eq!(started["involvedObject"]["fieldPath"], "spec.containers{app}");
    assert_eq!(started["source"], json!({ "component": "kubelet", "host": "node-0" }));
    cluster.create(PODS, &pod("other", "nginx:1.25", &json!({})));
    cluster.after(30);
    let told = cluster.told_of("Pod", "other");
    let present = "Pulled: Container image \"nginx:1.25\" already present on machine and can be accessed by the pod";
    assert_eq!(told[1], present);
}

#[test]
fn a_crash_loop_waits_ever_longer() {
    let crash = Behaviour::Crashes { after: Duration::from_secs(2), code: 3 };
    let cluster = Cluster::with(1, &[("flaky", crash)]);
    let created = cluster.create(PODS, &pod("bad", "flaky:1", &json!({})));
    cluster.after(60);
    let status = cluster.get(&format!("{PODS}/bad"))["status"].clone();
    let container = &status["containerStatuses"][0];
    assert_eq!((status["phase"].as_str(), container["restartCount"].as_u64()), (Some("Running"), Some(3)));
    assert_eq!(container["state"]["waiting"]["reason"], "CrashLoopBackOff");
    let place = format!("bad_default({})", created["metadata"]["uid"].as_str().unwrap());
    let why = format!("back-off 40s restarting failed container=app pod={place}");
    assert_eq!(container["state"]["waiting"]["message"], why);
    assert_eq!(container["lastState"]["terminated"]["exitCode"], 3);
    assert_eq!(container["lastState"]["terminated"]["reason"], "Error");
    let again = format!("BackOff x3: Back-off restarting failed container app in pod {place}");
    assert!(cluster.told_of("Pod", "bad").contains(&again), "{:?}", cluster.told_of("Pod", "bad"));
    cluster.after(3600);
    let status = cluster.get(&format!("{PODS}/bad"))["status"].clone();
    let restarts = status["containerStatuses"][0]["restartCount"].as_u64().unwrap();
    assert!((15..=19).contains(&restarts), "{restarts}");
}

#[test]
fn a_missing_image_is_asked_for_again_and_again() {
    let cluster = Cluster::with(1, &[("nowhere", Behaviour::ImageMissing)]);
    cluster.create(PODS, &pod("lost", "acme/nowhere:2", &json!({})));
    cluster.after(70);
    // Now and then it is asked for, and does not wait.
    let waits = (0..20).any(|_| {
        cluster.after(1);
        let status = cluster.get(&format!("{PODS}/lost"))["status"].clone();
        let waiting = &status["containerStatuses"][0]["state"]["waiting"];
        (status["phase"].as_str(), waiting["reason"].as_str()) == (Some("Pending"), Some("ImagePullBackOff"))
    });
    assert!(waits);
    let told = cluster.told_of("Pod", "lost");
    let failed = "Failed to pull image \"acme/nowhere:2\": rpc error: code = NotFound desc = failed to pull and unpack image \
                  \"docker.io/acme/nowhere:2\": failed to resolve reference \"docker.io/acme/nowhere:2\": \
                  docker.io/acme/nowhere:2: not found";
    assert!(told.iter().any(|told| told.ends_with(failed)), "{told:?}");
    assert!(told.iter().any(|told| told.ends_with("Error: ErrImagePull")), "{told:?}");
    assert!(told.iter().any(|told| told.ends_with("Back-off pulling image \"acme/nowhere:2\"")), "{told:?}");
}

#[test]
fn memory_runs_out_and_readiness_comes_late() {
    let oom = Behaviour::OutOfMemory { after: Duration::from_secs(20) };
    let slow = Behaviour::Unready { during: Duration::from_secs(45) };
    let cluster = Cluster::with(1, &[("greedy", oom), ("slow", slow)]);
    cluster.create(PODS, &pod("greedy", "greedy:1", &json!({})));
    cluster.create(PODS, &pod("slow", "slow:1", &json!({})));
    cluster.after(33);
    let ready = |name: &str| {
        let pod = cluster.get(&format!("{PODS}/{name}"));
        pod["status"]["containerStatuses"][0]["ready"].as_bool().unwrap()
    };
    let greedy = cluster.get(&format!("{PODS}/greedy"));
    let last = &greedy["status"]["containerStatuses"][0]["lastState"]["terminated"];
    assert_eq!((last["reason"].as_str(), last["exitCode"].as_u64()), (Some("OOMKilled"), Some(137)));
    assert!(!ready("slow"));
    let told = cluster.told_of("Pod", "slow");
    let unhealthy = "Readiness probe failed: HTTP probe failed with statuscode: 503";
    assert!(told.iter().any(|told| told.starts_with("Unhealthy") && told.ends_with(unhealthy)), "{told:?}");
    cluster.after(30);
    assert!(ready("slow"));
}

#[test]
fn init_containers_run_before_the_others() {
    let cluster = Cluster::new(1);
    let mut web = pod("web", "nginx:1", &json!({}));
    web["spec"]["initContainers"] = json!([{ "name": "a", "image": "setup:1" }, { "name": "b", "image": "setup:1" }]);
    cluster.create(PODS, &web);
    cluster.after(3);
    let status = cluster.get(&format!("{PODS}/web"))["status"].clone();
    assert_eq!(status["containerStatuses"][0]["state"]["waiting"]["reason"], "PodInitializing");
    let initialised = status["conditions"].as_array().unwrap().iter().find(|one| one["type"] == "Initialized").unwrap();
    assert_eq!(initialised["reason"], "ContainersNotInitialized");
    cluster.after(40);
    let status = cluster.get(&format!("{PODS}/web"))["status"].clone();
    assert_eq!(status["phase"], "Running");
    let ends: Vec<&Value> = status["initContainerStatuses"].as_array().unwrap().iter().collect();
    assert!(ends.iter().all(|one| one["state"]["terminated"]["reason"] == "Completed"), "{ends:?}");
}

#[test]
fn a_sidecar_runs_beside_the_others() {
    let cluster = Cluster::new(1);
    let mut web = pod("web", "nginx:1", &json!({}));
    web["spec"]["initContainers"] = json!([
        { "name": "proxy", "image": "envoy:1", "restartPolicy": "Always" }, { "name": "setup", "image": "setup:1" },
    ]);
    cluster.create(PODS, &web);
    cluster.after(60);
    let status = cluster.get(&format!("{PODS}/web"))["status"].clone();
    assert_eq!((status["phase"].as_str(), &status["containerStatuses"][0]["ready"]), (Some("Running"), &json!(true)));
    assert!(status["initContainerStatuses"][0]["state"]["running"].is_object(), "{status}");
    assert!(status["initContainerStatuses"][1]["state"]["terminated"].is_object(), "{status}");
}

#[test]
fn what_fits_nowhere_waits_until_it_does() {
    let cluster = Cluster::new(2);
    cluster.create(PODS, &pod("big", "db:1", &json!({ "cpu": "3", "memory": "100Gi" })));
    cluster.after(1);
    cluster.create(PODS, &pod("a", "db:1", &json!({ "cpu": "3" })));
    cluster.create(PODS, &pod("b", "db:1", &json!({ "cpu": "3" })));
    cluster.create(PODS, &pod("c", "db:1", &json!({ "cpu": "3" })));
    cluster.after(20);
    let never = "0/2 nodes are available: 2 Insufficient memory. no new claims to deallocate, preemption: 0/2 nodes are \
                 available: 2 Preemption is not helpful for scheduling.";
    assert_eq!(cluster.told_of("Pod", "big"), [format!("FailedScheduling: {never}")]);
    let scheduler = &cluster.list(super::EVENTS)[0];
    assert_eq!((&scheduler["reportingComponent"], &scheduler["source"]), (&json!("default-scheduler"), &json!({})));
    let status = cluster.get(&format!("{PODS}/big"))["status"].clone();
    let condition = &status["conditions"][0];
    assert_eq!((condition["reason"].as_str(), condition["message"].as_str()), (Some("Unschedulable"), Some(never)));
    let later = "FailedScheduling: 0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 \
                 nodes are available: 2 No preemption victims found for incoming pod.";
    assert_eq!(cluster.told_of("Pod", "c"), [later]);
    cluster.wire.json(Delete, &format!("{PODS}/a"), "");
    cluster.after(20);
    assert_eq!(cluster.get(&format!("{PODS}/c"))["status"]["phase"], "Running");
}

#[test]
fn taints_selectors_and_cordons_are_heeded() {
    let cluster = Cluster::new(3);
    cluster.patch("/api/v1/nodes/node-0", &json!({ "spec": { "unschedulable": true } }));
    let taint = json!([{ "key": "gpu", "value": "yes", "effect": "NoSchedule" }]);
    cluster.patch("/api/v1/nodes/node-1", &json!({ "spec": { "taints": taint } }));
    let mut picky = pod("picky", "db:1", &json!({}));
    picky["spec"]["nodeSelector"] = json!({ "disk": "ssd" });
    cluster.create(PODS, &picky);
    cluster.after(5);
    let why = "FailedScheduling: 0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had \
               untolerated taint(s), 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/3 nodes are \
               available: 3 Preemption is not helpful for scheduling.";
    assert_eq!(cluster.told_of("Pod", "picky"), [why]);
    let mut gpu = pod("gpu", "db:1", &json!({}));
    gpu["spec"]["tolerations"] = json!([{ "key": "gpu", "operator": "Exists" }]);
    gpu["spec"]["nodeSelector"] = json!({ "kubernetes.io/hostname": "node-1" });
    cluster.create(PODS, &gpu);
    cluster.patch("/api/v1/nodes/node-2", &json!({ "metadata": { "labels": { "disk": "ssd" } } }));
    cluster.after(5);
    let node = |name: &str| cluster.get(&format!("{PODS}/{name}"))["spec"]["nodeName"].clone();
    assert_eq!((node("gpu"), node("picky")), (json!("node-1"), json!("node-2")));
}
