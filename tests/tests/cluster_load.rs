//! What a load leaves behind. It sends controllers and kwok away meanwhile, so that these run alone, one by one.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use masthead_tests::{Interrupt, Load, LoadOptions, Testbed};
use serde_json::Value;

/// Enough pods for every behaviour.
fn small_load(bed: &Testbed) -> Result<Load> {
    Load::fill(bed.cluster(), &LoadOptions { pods: 60, namespaces: 1 }, &Interrupt::never())
}

fn items(bed: &Testbed, resource: &str, load: &Load) -> Result<Vec<Value>> {
    let mut list = bed.api().get(&format!("{resource}?labelSelector={}", load.selector()))?;
    serde_json::from_value(list["items"].take()).context("a list has items")
}

fn uid(object: &Value) -> &str {
    object["metadata"]["uid"].as_str().expect("every object has a uid")
}

fn owner_uid(object: &Value) -> &str {
    let owner = &object["metadata"]["ownerReferences"][0];
    assert_eq!(owner["controller"], true);
    owner["uid"].as_str().expect("every owner reference has a uid")
}

#[test]
fn the_pods_of_a_load_take_three_to_six_kilobytes_whatever_becomes_of_them() -> Result<()> {
    let bed = Testbed::new();
    let load = small_load(&bed)?;
    let state = |pod: &Value| {
        let restarts = pod["status"]["containerStatuses"][0]["restartCount"].as_u64().unwrap_or(0);
        match (
            pod["metadata"]["labels"]["masthead.dev/behaviour"].as_str(),
            pod["status"]["containerStatuses"][0]["state"]["waiting"]["reason"].as_str(),
        ) {
            (Some("crash-loop"), Some("CrashLoopBackOff")) if restarts > 0 => Some("crashes"),
            (Some("image-pull"), Some("ImagePullBackOff")) => Some("lacks its image"),
            (Some("unschedulable"), _) if pod["status"]["conditions"][0]["reason"] == "Unschedulable" => {
                Some("lacks its node")
            }
            (None, _) if pod["status"]["phase"] == "Running" => Some("runs"),
            _ => None,
        }
    };
    let (mut seen, all) = (BTreeSet::new(), BTreeSet::from(["crashes", "lacks its image", "lacks its node", "runs"]));
    bed.eventually("every behaviour", || {
        for pod in items(&bed, "/api/v1/pods", &load)? {
            let bytes = serde_json::to_vec(&pod)?.len();
            assert!((3 << 10..=6 << 10).contains(&bytes), "{bytes} bytes: {pod}");
            seen.extend(state(&pod));
        }
        Ok(if seen == all { Ok(()) } else { Err(format!("{seen:?}")) })
    })?;
    load.remove()
}

#[test]
fn the_controllers_keep_a_load_as_it_was_made() -> Result<()> {
    let bed = Testbed::new();
    let load = small_load(&bed)?;
    let pods = items(&bed, "/api/v1/pods", &load)?;
    let sets = items(&bed, "/apis/apps/v1/replicasets", &load)?;
    let deployments = items(&bed, "/apis/apps/v1/deployments", &load)?;
    assert_eq!((pods.len(), sets.len()), (60, deployments.len()));
    for pod in &pods {
        let set = sets.iter().find(|it| uid(it) == owner_uid(pod)).context("a pod's replica set exists")?;
        assert_eq!(pod["metadata"]["labels"]["pod-template-hash"], set["metadata"]["labels"]["pod-template-hash"]);
        assert!(deployments.iter().any(|it| uid(it) == owner_uid(set)), "a replica set's deployment exists");
    }
    let running = pods.iter().find(|it| it["metadata"]["labels"]["masthead.dev/behaviour"].is_null());
    let meta = &running.context("some pod runs")?["metadata"];
    let (namespace, name) =
        (meta["namespace"].as_str().context("a namespace")?, meta["name"].as_str().context("a name")?);
    bed.api().delete(&format!("/api/v1/namespaces/{namespace}/pods/{name}"))?;
    let before: BTreeSet<&str> = pods.iter().map(uid).collect();
    bed.eventually("one pod to be replaced", || {
        let now = items(&bed, "/api/v1/pods", &load)?;
        let kept = now.iter().filter(|it| before.contains(uid(it))).count();
        Ok(if (now.len(), kept) == (60, 59) { Ok(()) } else { Err(format!("{} pods, {kept} kept", now.len())) })
    })?;
    load.remove()
}
