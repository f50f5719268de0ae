//! What the real cluster promises to every other test. These run in parallel and leave the API server alone.

use std::time::Duration;

use anyhow::{Context, Result};
use masthead_tests::{Api, Cluster, Remote, Testbed, User, Verb};
use serde_json::{Value, json};

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

#[test]
fn the_remote_control_starts_breaks_and_mends_a_proxy() -> Result<()> {
    let testbed = Testbed::new();
    let cluster = Cluster::open(testbed.cluster().dir())?.context("the cluster of the tests is gone")?;
    let remote = Remote::start(cluster)?;
    let orders = Api::with_timeout(remote.url(), Duration::from_secs(60));
    let proxy = orders.get("/proxy/admin")?;
    let api = Api::new(proxy["url"].as_str().context("a proxy has an address")?);
    let order = |name: &str| orders.get(&format!("/{}/{name}", proxy["id"]));
    assert!(api.get("/version")?["gitVersion"].is_string());
    order("kill")?;
    assert!(api.get("/version").is_err());
    assert_eq!(order("connections")?["open"], 0);
    order("restart")?;
    assert!(api.get("/version")?["gitVersion"].is_string());
    let refused = orders.request(&Verb::Get, "/0/no-such-order")?;
    assert_eq!((refused.status, refused.json()?["reason"].clone()), (500, Value::Null));
    assert!(refused.text.contains("no order no-such-order"), "{}", refused.text);
    Ok(())
}
