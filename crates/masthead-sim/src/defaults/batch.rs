//! Jobs, and jobs that come again and again.

use serde_json::{Value, json};

use super::pod;
use crate::tree::{drop_empty, fill, fill_empty, made, member, members};

/// Completes a job.
pub(super) fn complete_job(object: &mut Value) {
    let Some(spec) = made(object, "spec") else { return };
    complete_job_spec(spec);
    let labels = spec["template"]["metadata"]["labels"].clone();
    if labels.is_object()
        && let Some(metadata) = made(object, "metadata")
    {
        fill_empty(metadata, "labels", labels);
    }
    fill(object, "status", json!({}));
}

/// Completes a job that comes again and again; its template is completed once it becomes a job.
pub(super) fn complete_cron_job(object: &mut Value) {
    let Some(spec) = made(object, "spec") else { return };
    fill(spec, "schedule", "");
    fill_empty(spec, "concurrencyPolicy", "Allow");
    fill(spec, "suspend", false);
    fill(spec, "successfulJobsHistoryLimit", 3);
    fill(spec, "failedJobsHistoryLimit", 1);
    if let Some(template) = made(spec, "jobTemplate") {
        made(template, "metadata");
        if let Some(job) = made(template, "spec") {
            pod::complete_template(job);
            complete_failure_policy(job);
        }
    }
    fill(object, "status", json!({}));
}

fn complete_job_spec(spec: &mut Value) {
    let alone = spec["completions"].is_null() && spec["parallelism"].is_null();
    if alone {
        fill(spec, "completions", 1);
    }
    fill(spec, "parallelism", 1);
    fill(spec, "backoffLimit", if spec["backoffLimitPerIndex"].is_null() { 6 } else { i32::MAX });
    fill(spec, "completionMode", "NonIndexed");
    fill(spec, "suspend", false);
    fill(spec, "manualSelector", false);
    let replaced = if spec["podFailurePolicy"].is_null() { "TerminatingOrFailed" } else { "Failed" };
    fill(spec, "podReplacementPolicy", replaced);
    complete_failure_policy(spec);
    pod::complete_template(spec);
}

fn complete_failure_policy(spec: &mut Value) {
    let Some(policy) = member(spec, "podFailurePolicy") else { return };
    for rule in members(policy, "rules") {
        for pattern in members(rule, "onPodConditions") {
            fill_empty(pattern, "status", "True");
        }
        drop_empty(rule, &["onPodConditions"]);
    }
}
