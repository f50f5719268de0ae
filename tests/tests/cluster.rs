//! What the real cluster promises to every other test. These run in parallel and leave the API server alone.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use anyhow::{Context, Result};
use masthead_tests::{Api, Interrupt, Load, LoadOptions, Testbed, User, Verb};
use serde_json::{Value, json};

/// Written by a load, which sends kwok away for a moment, and read by who cannot bear that.
static STEADY: RwLock<()> = RwLock::new(());

fn pod(name: &str, behaviour: Option<&str>) -> Value {
    let labels = behaviour.map(|it| json!({ "masthead.dev/behaviour": it }));
    json!({
        "metadata": { "name": name, "labels": labels },
        "spec": { "containers": [{ "name": "main", "image": "example.com/main:1" }] },
    })
}

fn deployment(name: &str, replicas: u32) -> Value {
    json!({
        "metadata": { "name": name },
        "spec": {
            "replicas": replicas,
            "selector": { "matchLabels": { "app": name } },
            "template": {
                "metadata": { "labels": { "app": name } },
                "spec": { "containers": [{ "name": "main", "image": "example.com/main:1" }] },
            },
        },
    })
}

fn waiting_reason(pod: &Value) -> &Value {
    &pod["status"]["containerStatuses"][0]["state"]["waiting"]["reason"]
}

fn names(list: &Value) -> Vec<&str> {
    list["items"].as_array().into_iter().flatten().filter_map(|it| it["metadata"]["name"].as_str()).collect()
}

#[test]
fn the_server_is_the_version_it_was_built_from() -> Result<()> {
    let bed = Testbed::new();
    assert_eq!(bed.api().get("/version")?["gitVersion"], "v1.36.3");
    Ok(())
}

#[test]
fn the_reader_reads_one_namespace_and_no_other() -> Result<()> {
    let bed = Testbed::new();
    let reader = bed.proxy(User::Reader)?.api();
    reader.get("/version").expect_err("the proxy ended with its handle");
    let proxy = bed.proxy(User::Reader)?;
    let pods = |namespace: &str| format!("/api/v1/namespaces/{namespace}/pods");
    assert_eq!(proxy.api().get(&pods(bed.reader_namespace()))?["kind"], "PodList");
    for forbidden in [pods(bed.namespace()), "/api/v1/pods".into(), "/api/v1/nodes".into()] {
        assert_eq!(proxy.api().request(&Verb::Get, &forbidden)?.status, 403, "{forbidden}");
    }
    let write = proxy.api().request(&Verb::Create(&pod("mine", None)), &pods(bed.reader_namespace()))?;
    assert_eq!(write.status, 403);
    Ok(())
}

#[test]
fn nobody_is_refused_in_words() -> Result<()> {
    let bed = Testbed::new();
    let answer = bed.cluster().api(User::Nobody)?.request(&Verb::Get, &bed.path("pods"))?;
    assert_eq!(answer.status, 403);
    let status = answer.json()?;
    assert_eq!((&status["kind"], &status["reason"]), (&json!("Status"), &json!("Forbidden")));
    let message = status["message"].as_str().context("the status has a message")?;
    assert!(message.contains(r#"User "nobody" cannot list resource "pods""#), "{message}");
    Ok(())
}

#[test]
fn the_pods_of_a_deployment_run_on_real_nodes() -> Result<()> {
    let bed = Testbed::new();
    bed.api().create(&bed.group_path("apps/v1", "deployments"), &deployment("web", 3))?;
    bed.until(&bed.group_path("apps/v1", "deployments/web"), |it| it["status"]["readyReplicas"] == 3)?;
    let pods = bed.api().get(&bed.path("pods"))?;
    assert_eq!(names(&pods).len(), 3);
    for pod in pods["items"].as_array().context("a list has items")? {
        assert_eq!(pod["status"]["phase"], "Running");
        assert_eq!(pod["metadata"]["ownerReferences"][0]["kind"], "ReplicaSet");
        assert!(pod["status"]["podIP"].is_string() && pod["spec"]["nodeName"].is_string());
    }
    Ok(())
}

#[test]
fn a_job_completes_and_one_that_fails_says_so() -> Result<()> {
    let bed = Testbed::new();
    let jobs = bed.group_path("batch/v1", "jobs");
    let job = |name: &str, labels: Value| {
        json!({
            "metadata": { "name": name },
            "spec": { "backoffLimit": 0, "template": {
                "metadata": { "labels": labels },
                "spec": { "restartPolicy": "Never", "containers": [{ "name": "main", "image": "example.com/main:1" }] },
            }},
        })
    };
    bed.api().create(&jobs, &job("good", json!({})))?;
    bed.api().create(&jobs, &job("bad", json!({ "masthead.dev/behaviour": "fail" })))?;
    bed.until(&format!("{jobs}/good"), |it| it["status"]["succeeded"] == 1)?;
    bed.until(&format!("{jobs}/bad"), |it| it["status"]["failed"] == 1)?;
    Ok(())
}

#[test]
fn a_crash_looping_pod_backs_off_and_counts_its_restarts() -> Result<()> {
    let bed = Testbed::new();
    bed.api().create(&bed.path("pods"), &pod("crash", Some("crash-loop")))?;
    let path = bed.path("pods/crash");
    let restarts = |pod: &Value| pod["status"]["containerStatuses"][0]["restartCount"].as_u64().unwrap_or(0);
    bed.until(&path, |it| waiting_reason(it) == "CrashLoopBackOff")?;
    let later = bed.until(&path, |it| restarts(it) >= 2 && waiting_reason(it) == "CrashLoopBackOff")?;
    let ended = &later["status"]["containerStatuses"][0]["lastState"]["terminated"];
    assert_eq!((&ended["exitCode"], &ended["reason"]), (&json!(1), &json!("Error")));
    bed.until(&bed.path("events?fieldSelector=reason=BackOff"), |it| !names(it).is_empty())?;
    Ok(())
}

#[test]
fn a_pod_without_its_image_waits_for_it() -> Result<()> {
    let bed = Testbed::new();
    bed.api().create(&bed.path("pods"), &pod("pull", Some("image-pull")))?;
    let pod = bed.until(&bed.path("pods/pull"), |it| waiting_reason(it) == "ImagePullBackOff")?;
    assert_eq!(pod["status"]["phase"], "Pending");
    Ok(())
}

#[test]
fn a_delete_finishes() -> Result<()> {
    let bed = Testbed::new();
    bed.api().create(&bed.path("pods"), &pod("brief", None))?;
    bed.until(&bed.path("pods/brief"), |it| it["status"]["phase"] == "Running")?;
    bed.api().delete(&bed.path("pods/brief"))?;
    bed.until(&bed.path("pods"), |it| names(it).is_empty())?;
    Ok(())
}

#[test]
fn logs_answer_and_follow_through_the_api_server() -> Result<()> {
    let _steady = STEADY.read().unwrap_or_else(PoisonError::into_inner);
    let bed = Testbed::new();
    bed.api().create(&bed.path("pods"), &pod("talks", None))?;
    bed.until(&bed.path("pods/talks"), |it| it["status"]["phase"] == "Running")?;
    let tail = bed.api().request(&Verb::Get, &bed.path("pods/talks/log?tailLines=2"))?;
    assert_eq!((tail.status, tail.text.lines().count()), (200, 2), "{}", tail.text);
    let mut lines = bed.api().lines(&bed.path("pods/talks/log?follow=true&tailLines=1"), Duration::from_secs(20))?;
    lines.next().context("the last line comes at once")??;
    let word = format!("said in {}", bed.namespace());
    bed.cluster().append_pod_log(&word)?;
    // Other tests and loads may speak meanwhile: the log is shared.
    let heard = lines.find(|line| line.as_ref().map_or(true, |line| line.contains(&word)));
    assert_eq!(heard.context("the stream ended first")??, word);
    Ok(())
}

#[test]
fn a_watch_delivers_through_a_proxy_under_a_prefix() -> Result<()> {
    let bed = Testbed::new();
    let proxy = bed.proxy_under(User::Admin, "/k-test/")?;
    assert!(proxy.url().ends_with("/k-test"));
    let bare = proxy.url().replace("/k-test", "");
    assert_eq!(Api::new(bare).request(&Verb::Get, "/version")?.status, 404);
    let mut events =
        proxy.api().lines(&bed.path("configmaps?watch=1&fieldSelector=metadata.name=note"), Duration::from_secs(20))?;
    bed.api().create(&bed.path("configmaps"), &json!({ "metadata": { "name": "note" } }))?;
    let event: Value = serde_json::from_str(&events.next().context("the watch ended")??)?;
    assert_eq!((&event["type"], &event["object"]["metadata"]["name"]), (&json!("ADDED"), &json!("note")));
    Ok(())
}

#[test]
fn a_frozen_proxy_loses_nothing_once_it_goes_on() -> Result<()> {
    let bed = Testbed::new();
    let mut proxy = bed.proxy(User::Admin)?;
    let watch = bed.path("configmaps?watch=1&labelSelector=numbered");
    let mut events = proxy.api().lines(&watch, Duration::from_secs(30))?;
    proxy.freeze()?;
    for number in 0..20 {
        let meta = json!({ "name": format!("note-{number:02}"), "labels": { "numbered": "yes" } });
        bed.api().create(&bed.path("configmaps"), &json!({ "metadata": meta }))?;
    }
    let silent = Api::with_timeout(proxy.url(), Duration::from_millis(300)).get("/version");
    assert!(silent.is_err(), "a frozen proxy answers nothing");
    proxy.resume()?;
    for number in 0..20 {
        let event: Value = serde_json::from_str(&events.next().context("the watch ended")??)?;
        assert_eq!(event["object"]["metadata"]["name"], format!("note-{number:02}"));
    }
    Ok(())
}

#[test]
fn a_killed_proxy_breaks_its_watches_and_comes_back_at_its_address() -> Result<()> {
    let bed = Testbed::new();
    let mut proxy = bed.proxy(User::Admin)?;
    let address = proxy.url();
    let mut events = proxy.api().lines(&bed.path("secrets?watch=1"), Duration::from_secs(30))?;
    proxy.kill()?;
    assert!(events.next().is_none_or(|event| event.is_err()), "no event comes from a dead proxy");
    assert!(proxy.api().get("/version").is_err());
    proxy.restart()?;
    assert_eq!(proxy.url(), address);
    assert_eq!(proxy.api().get(&bed.path("secrets"))?["kind"], "SecretList");
    Ok(())
}

/// Enough pods for every behaviour.
fn small_load(bed: &Testbed) -> Result<Load> {
    let _alone = STEADY.write().unwrap_or_else(PoisonError::into_inner);
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
        match (pod["metadata"]["labels"]["masthead.dev/behaviour"].as_str(), waiting_reason(pod).as_str()) {
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
