//! What happened in the demo's cluster before anybody looked: events, and jobs that are over.

use std::time::Duration;

use serde_json::{Value, json};

use super::Founding;
use crate::{
    fleet::{self, standing},
    timestamp,
    workloads::{schedule::Schedule, template},
};

/// Something that was recorded some minutes ago.
pub(super) struct Memory<'a> {
    pub(super) about: &'a Value,
    pub(super) by: &'a str,
    pub(super) warns: bool,
    pub(super) reason: &'a str,
    pub(super) message: String,
    /// How many minutes ago, first and last, and how often.
    pub(super) when: (u64, u64, u64),
}

impl Founding<'_> {
    pub(super) fn remember(&mut self, memory: &Memory<'_>) {
        let Memory { about, by, warns, reason, message, when: (first, last, count) } = memory;
        let (first, last) = (self.minutes_ago(*first), self.minutes_ago(*last));
        self.remembered += 1;
        let metadata = &about["metadata"];
        let moment = timestamp::parse(&first).unwrap_or_default().as_nanos() as u64 + self.remembered;
        let name = format!("{}.{moment:x}", template::name(about));
        let namespace = metadata["namespace"].as_str().unwrap_or("default");
        let host = about["spec"]["nodeName"].as_str().filter(|_| *by == "kubelet").unwrap_or_default();
        self.put(json!({
            "apiVersion": "v1", "kind": "Event",
            "metadata": { "name": name, "namespace": namespace, "creationTimestamp": first },
            "involvedObject": {
                "apiVersion": about["apiVersion"], "kind": about["kind"], "name": metadata["name"],
                "namespace": metadata["namespace"], "uid": metadata["uid"],
                "resourceVersion": metadata["resourceVersion"],
            },
            "reason": reason, "message": message, "type": if *warns { "Warning" } else { "Normal" },
            "source": if host.is_empty() { json!({ "component": by }) } else { json!({ "component": by, "host": host }) },
            "reportingComponent": by, "reportingInstance": host,
            "firstTimestamp": first, "lastTimestamp": last, "count": count, "eventTime": null,
        }));
    }

    /// A cron job with the last jobs it made.
    pub(super) fn cron_job(&mut self, (namespace, name, times, image, does): (&str, &str, &str, &str, &str)) {
        let created = self.hours_ago(400);
        let container = json!({
            "name": name, "image": image, "resources": { "requests": { "cpu": "100m", "memory": "128Mi" } },
        });
        let mut pods = standing::template(&json!({ "app": name }), &[container]);
        pods["metadata"]["annotations"] = json!({ "sim.masthead.dev/behaviour": does });
        pods["spec"]["restartPolicy"] = "Never".into();
        let spec = json!({ "template": pods, "backoffLimit": 1 });
        let fails = does.starts_with("crashes");
        let schedule = Schedule::parse(times);
        let first = schedule.as_ref().and_then(|schedule| schedule.next(self.now.saturating_sub(SINCE)));
        let due = std::iter::successors(first, |time| schedule.as_ref()?.next(*time));
        // The last must be over by now.
        let due: Vec<Duration> = due.take_while(|time| *time + Duration::from_secs(600) < self.now).collect();
        let kept = if fails { 1 } else { 3 };
        let latest = &due[due.len().saturating_sub(kept)..];
        let mut cron = json!({
            "apiVersion": "batch/v1", "kind": "CronJob",
            "metadata": { "name": name, "namespace": namespace, "creationTimestamp": created },
            "spec": {
                "schedule": times, "concurrencyPolicy": "Forbid", "jobTemplate": { "spec": spec },
                "successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1, "suspend": false,
            },
            "status": {},
        });
        // The times between the last job that is over and now are missed, and nobody makes up for them.
        let last = std::iter::successors(latest.last().copied(), |time| schedule.as_ref()?.next(*time));
        if let Some(last) = last.take_while(|time| *time <= self.now).last() {
            cron["status"]["lastScheduleTime"] = timestamp::format(last).into();
        }
        let cron = self.put(cron);
        for due in latest {
            self.past_job(&cron, *due, fails);
        }
    }

    fn past_job(&mut self, cron: &Value, due: Duration, fails: bool) {
        let name = format!("{}-{}", template::name(cron), due.as_secs() / 60);
        let start = timestamp::format(due);
        let end = timestamp::format(due + Duration::from_secs(if fails { 210 } else { 45 }));
        let kinds = if fails { ["FailureTarget", "Failed"] } else { ["SuccessCriteriaMet", "Complete"] };
        let (reason, message) = if fails {
            ("BackoffLimitExceeded", "Job has reached the specified backoff limit")
        } else {
            ("CompletionsReached", "Reached expected number of succeeded pods")
        };
        let conditions = kinds.map(|kind| {
            json!({
                "type": kind, "status": "True", "reason": reason, "message": message, "lastProbeTime": end,
                "lastTransitionTime": end,
            })
        });
        let uid = fleet::uid(&self.sim.shared().runtime);
        let mut spec = cron["spec"]["jobTemplate"]["spec"].clone();
        let labels = json!({
            "app": template::name(cron), "batch.kubernetes.io/controller-uid": uid, "batch.kubernetes.io/job-name": name,
            "controller-uid": uid, "job-name": name,
        });
        spec["template"]["metadata"]["labels"] = labels.clone();
        spec["selector"] = json!({ "matchLabels": { "batch.kubernetes.io/controller-uid": uid } });
        let mut status = json!({
            "startTime": start, "conditions": conditions, "ready": 0, "terminating": 0, "uncountedTerminatedPods": {},
        });
        if fails {
            status["failed"] = 2.into();
        } else {
            status["succeeded"] = 1.into();
            status["completionTime"] = end.as_str().into();
        }
        let job = self.put(json!({
            "apiVersion": "batch/v1", "kind": "Job",
            "metadata": {
                "name": name, "namespace": cron["metadata"]["namespace"], "uid": uid, "labels": labels,
                "creationTimestamp": start, "ownerReferences": [template::reference(cron)],
                "annotations": { "batch.kubernetes.io/cronjob-scheduled-timestamp": start },
            },
            "spec": spec, "status": status,
        }));
        for _ in 0..if fails { 2 } else { 1 } {
            self.past_pod(&job, &start, &end, fails);
        }
        if due + Duration::from_secs(3300) > self.now {
            let ago = self.now.saturating_sub(due).as_secs() / 60;
            let (job_by, reason, message) = if fails {
                ("job-controller", reason, message.to_owned())
            } else {
                ("job-controller", "Completed", "Job completed".to_owned())
            };
            let when = (ago, ago, 1);
            self.remember(&Memory { about: &job, by: job_by, warns: fails, reason, message, when });
            let message = format!("Created job {name}");
            let by = "cronjob-controller";
            self.remember(&Memory { about: cron, by, warns: false, reason: "SuccessfulCreate", message, when });
        }
    }

    fn past_pod(&mut self, job: &Value, start: &str, end: &str, fails: bool) {
        let mut pod = self.pod(job, &format!("{}-", template::name(job)), (start, start), 0);
        let code = if fails { 2 } else { 0 };
        let reason = if fails { "Error" } else { "Completed" };
        for status in pod["status"]["containerStatuses"].as_array_mut().into_iter().flatten() {
            status["state"] = json!({ "terminated": {
                "exitCode": code, "reason": reason, "startedAt": start, "finishedAt": end,
                "containerID": status["containerID"],
            } });
            status["ready"] = false.into();
            status["started"] = false.into();
        }
        for condition in pod["status"]["conditions"].as_array_mut().into_iter().flatten() {
            if condition["type"] == "Ready" || condition["type"] == "ContainersReady" {
                condition["status"] = "False".into();
                condition["reason"] = if fails { "PodFailed" } else { "PodCompleted" }.into();
            }
        }
        pod["status"]["phase"] = if fails { "Failed" } else { "Succeeded" }.into();
        self.put(pod);
    }
}

/// How far back jobs of the past are looked for.
const SINCE: Duration = Duration::from_secs(3 * 86_400);
