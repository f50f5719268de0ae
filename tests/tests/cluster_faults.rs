//! Faults of the API server itself. They disturb every other user of the cluster, so they run alone and one by one.

use std::time::Duration;

use anyhow::{Context, Result};
use masthead_tests::{Api, Testbed, Verb};
use serde_json::{Value, json};

fn note(name: &str) -> Value {
    json!({ "metadata": { "name": name }, "data": { "text": "kept" } })
}

#[test]
fn an_api_server_that_was_stopped_comes_back_with_its_data() -> Result<()> {
    let mut bed = Testbed::new();
    bed.api().create(&bed.path("configmaps"), &note("before"))?;
    bed.stop_apiserver()?;
    let away = bed.api().request(&Verb::Get, "/version")?;
    assert_eq!(away.status, 500, "the proxy answers for the server that is away: {}", away.text);
    bed.start_apiserver()?;
    assert_eq!(bed.api().get(&bed.path("configmaps/before"))?["data"]["text"], "kept");
    bed.api().create(&bed.path("configmaps"), &note("after"))?;
    Ok(())
}

#[test]
fn an_api_server_that_was_killed_breaks_its_watches_and_comes_back() -> Result<()> {
    let mut bed = Testbed::new();
    let mut events =
        bed.api().lines(&bed.path("configmaps?watch=1&fieldSelector=metadata.name=x"), Duration::from_secs(30))?;
    bed.kill_apiserver()?;
    assert!(events.next().is_none_or(|event| event.is_err()), "no event comes from a dead server");
    bed.start_apiserver()?;
    bed.api().create(&bed.path("configmaps"), &note("after"))?;
    Ok(())
}

#[test]
fn an_api_server_that_was_frozen_goes_on_where_it_was() -> Result<()> {
    let mut bed = Testbed::new();
    let watch = bed.path("configmaps?watch=1&fieldSelector=metadata.name=late");
    let mut events = bed.api().lines(&watch, Duration::from_secs(30))?;
    bed.freeze_apiserver()?;
    let silent = Api::with_timeout(bed.api().base(), Duration::from_millis(500)).get("/version");
    assert!(silent.is_err(), "a frozen server answers nothing");
    bed.resume_apiserver()?;
    bed.api().create(&bed.path("configmaps"), &note("late"))?;
    let event: Value = serde_json::from_str(&events.next().context("the watch ended")??)?;
    assert_eq!(event["object"]["metadata"]["name"], "late");
    Ok(())
}

#[test]
fn a_test_that_ends_early_leaves_a_running_api_server() -> Result<()> {
    let mut bed = Testbed::new();
    bed.stop_apiserver()?;
    drop(bed);
    let bed = Testbed::new();
    assert_eq!(bed.api().get("/version")?["gitVersion"], "v1.36.3");
    Ok(())
}

#[test]
fn a_pod_runs_on_a_restarted_api_server() -> Result<()> {
    let mut bed = Testbed::new();
    bed.start_apiserver()?;
    let pod = json!({
        "metadata": { "name": "late" },
        "spec": { "containers": [{ "name": "main", "image": "example.com/main:1" }] },
    });
    bed.api().create(&bed.path("pods"), &pod)?;
    bed.until(&bed.path("pods/late"), |it| it["status"]["phase"] == "Running")?;
    Ok(())
}
