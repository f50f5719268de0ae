//! Jobs, once and again and again.

use std::time::Duration;

use super::{Cluster, PODS};
use crate::Behaviour;
use masthead::rest::Method::{Delete, Get};
use serde_json::{Value, json};

const JOBS: &str = "/apis/batch/v1/namespaces/default/jobs";
const CRON_JOBS: &str = "/apis/batch/v1/namespaces/default/cronjobs";

fn job(name: &str, image: &str, spec: &Value) -> Value {
    let mut job = json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": { "name": name },
        "spec": { "template": { "spec": {
            "restartPolicy": "Never", "containers": [{ "name": "app", "image": image }],
        } } },
    });
    for (key, value) in spec.as_object().unwrap() {
        job["spec"][key] = value.clone();
    }
    job
}

fn conditions(job: &Value) -> Vec<String> {
    let conditions = job["status"]["conditions"].as_array().into_iter().flatten();
    conditions.map(|one| format!("{} {}", one["type"].as_str().unwrap(), one["reason"].as_str().unwrap())).collect()
}

#[test]
fn a_job_runs_its_pods_and_completes() {
    let done = Behaviour::Completes { after: Duration::from_secs(20) };
    let cluster = Cluster::with(2, &[("work", done)]);
    cluster.create(JOBS, &job("etl", "work:1", &json!({ "completions": 4, "parallelism": 2 })));
    cluster.after(15);
    let running = cluster.get(&format!("{JOBS}/etl"))["status"].clone();
    assert_eq!((&running["active"], &running["ready"]), (&json!(2), &json!(2)));
    cluster.after(60);
    let etl = cluster.get(&format!("{JOBS}/etl"));
    assert_eq!((&etl["status"]["succeeded"], &etl["status"]["active"]), (&json!(4), &Value::Null));
    assert_eq!(conditions(&etl), ["SuccessCriteriaMet CompletionsReached", "Complete CompletionsReached"]);
    let pods = cluster.list(PODS);
    assert_eq!(pods.len(), 4);
    assert!(pods.iter().all(|pod| pod["status"]["phase"] == "Succeeded" && pod["metadata"]["finalizers"].is_null()));
    let told = cluster.reasons("Job", "etl");
    let created = "SuccessfulCreate";
    assert_eq!(told, [created, created, created, created, "Completed"]);
    cluster.wire.json(Delete, &format!("{JOBS}/etl?propagationPolicy=Background"), "");
    cluster.after(5);
    assert_eq!(cluster.list(PODS).len(), 0);
}

#[test]
fn a_job_whose_pods_fail_gives_up() {
    let crash = Behaviour::Crashes { after: Duration::from_secs(3), code: 1 };
    let cluster = Cluster::with(1, &[("bad", crash)]);
    cluster.create(JOBS, &job("import", "bad:1", &json!({ "backoffLimit": 2 })));
    cluster.after(300);
    let import = cluster.get(&format!("{JOBS}/import"));
    assert_eq!(import["status"]["failed"], 3);
    assert_eq!(conditions(&import), ["FailureTarget BackoffLimitExceeded", "Failed BackoffLimitExceeded"]);
    let told = cluster.told_of("Job", "import");
    assert_eq!(told.last().unwrap(), "BackoffLimitExceeded: Job has reached the specified backoff limit");
}

#[test]
fn a_job_has_a_deadline_and_a_time_to_live() {
    let cluster = Cluster::with(1, &[("slow", Behaviour::Runs)]);
    let spec = json!({ "activeDeadlineSeconds": 60, "ttlSecondsAfterFinished": 100 });
    cluster.create(JOBS, &job("slow", "slow:1", &spec));
    cluster.after(70);
    let slow = cluster.get(&format!("{JOBS}/slow"));
    assert_eq!(conditions(&slow), ["FailureTarget DeadlineExceeded", "Failed DeadlineExceeded"]);
    assert_eq!(slow["status"]["failed"], 1);
    assert_eq!(cluster.list(PODS).len(), 0);
    cluster.after(100);
    assert_eq!(cluster.wire.json(Get, &format!("{JOBS}/slow"), "").0, 404);
}

#[test]
fn an_indexed_job_does_each_index_once() {
    let cluster = Cluster::new(1);
    let spec = json!({ "completions": 3, "parallelism": 3, "completionMode": "Indexed" });
    cluster.create(JOBS, &job("shards", "work:1", &spec));
    cluster.after(90);
    assert_eq!(cluster.get(&format!("{JOBS}/shards"))["status"]["completedIndexes"], "0-2");
    let mut names: Vec<String> =
        cluster.list(PODS).iter().map(|pod| pod["spec"]["hostname"].as_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["shards-0", "shards-1", "shards-2"]);
}

#[test]
fn a_suspended_job_waits() {
    let cluster = Cluster::new(1);
    cluster.create(JOBS, &job("later", "work:1", &json!({ "suspend": true })));
    cluster.after(30);
    assert_eq!((cluster.list(PODS).len(), cluster.reasons("Job", "later")), (0, vec!["Suspended".to_owned()]));
    cluster.patch(&format!("{JOBS}/later"), &json!({ "spec": { "suspend": false } }));
    cluster.after(60);
    assert_eq!(cluster.get(&format!("{JOBS}/later"))["status"]["succeeded"], 1);
}

fn cron(name: &str, image: &str, policy: &str) -> Value {
    json!({
        "apiVersion": "batch/v1", "kind": "CronJob", "metadata": { "name": name },
        "spec": {
            "schedule": "*/5 * * * *", "concurrencyPolicy": policy, "successfulJobsHistoryLimit": 2,
            "jobTemplate": { "spec": job("x", image, &json!({}))["spec"] },
        },
    })
}

#[test]
fn a_cron_job_starts_jobs_and_forgets_the_old_ones() {
    let cluster = Cluster::new(1);
    cluster.create(CRON_JOBS, &cron("report", "work:1", "Allow"));
    cluster.after(300 * 4 + 60);
    // 2026-01-01 is minute 29,453,760.
    let names: Vec<Value> = cluster.list(JOBS).iter().map(|job| job["metadata"]["name"].clone()).collect();
    assert_eq!(names, ["report-29453775", "report-29453780"]);
    let status = cluster.get(&format!("{CRON_JOBS}/report"))["status"].clone();
    assert_eq!((&status["lastScheduleTime"], &status["active"]), (&json!("2026-01-01T00:20:00Z"), &Value::Null));
    assert!(status["lastSuccessfulTime"].is_string());
    let told = cluster.told_of("CronJob", "report");
    assert_eq!(told[0], "SuccessfulCreate: Created job report-29453765");
    assert_eq!(told[1], "SawCompletedJob: Saw completed job: report-29453765, condition: Complete");
    assert!(told.contains(&"SuccessfulDelete: Deleted job report-29453765".to_owned()), "{told:?}");
    let scheduled = "batch.kubernetes.io/cronjob-scheduled-timestamp";
    assert_eq!(cluster.list(JOBS)[1]["metadata"]["annotations"][scheduled], "2026-01-01T00:20:00Z");
    assert_eq!(cluster.list(PODS).len(), 2);
    cluster.patch(&format!("{CRON_JOBS}/report"), &json!({ "spec": { "suspend": true } }));
    cluster.after(1200);
    assert_eq!(cluster.list(JOBS).len(), 2);
}

#[test]
fn jobs_that_take_long_are_left_alone_or_replaced() {
    let cluster = Cluster::with(1, &[("slow", Behaviour::Runs)]);
    cluster.create(CRON_JOBS, &cron("one", "slow:1", "Forbid"));
    cluster.create(CRON_JOBS, &cron("last", "slow:1", "Replace"));
    cluster.after(660);
    let names: Vec<Value> = cluster.list(JOBS).iter().map(|job| job["metadata"]["name"].clone()).collect();
    assert_eq!(names, ["last-29453770", "one-29453765"]);
    assert!(cluster.reasons("CronJob", "one").iter().any(|reason| reason.starts_with("JobAlreadyActive")));
}
