//! Jobs, and jobs that come again and again.

use serde_json::{Value, json};

use super::{checker::Checker, pod, schedule, selector};
use crate::tree::text;

/// A job.
pub(super) fn check_job(job: &Value, before: Option<&Value>, checker: &mut Checker) {
    let spec = &job["spec"];
    if before.is_none() {
        check_own_selector(job, checker);
    }
    check_spec(spec, "spec", checker);
    if spec["selector"].is_null() {
        checker.required("spec.selector", "");
    } else {
        selector::check(&spec["selector"], "spec.selector", checker);
    }
    let labels = &spec["template"]["metadata"]["labels"];
    if selector::is_sound(&spec["selector"]) && !selector::selects(&spec["selector"], labels) {
        let why = "`selector` does not match template `labels`";
        checker.invalid("spec.template.metadata.labels", &pod::labels_of(&spec["template"]), why);
    }
    if let Some(before) = before {
        check_update(&before["spec"], spec, checker);
    }
}

/// A job that comes again and again.
pub(super) fn check_cron_job(job: &Value, before: Option<&Value>, checker: &mut Checker) {
    let spec = &job["spec"];
    match text(spec, "schedule") {
        "" => checker.required("spec.schedule", ""),
        given => {
            if let Some(complaint) = schedule::complaint(given) {
                checker.invalid("spec.schedule", &given.into(), &complaint);
            }
            if given.contains("TZ") {
                let why = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
                checker.invalid("spec.schedule", &given.into(), why);
            }
        }
    }
    checker.not_negative(spec, "spec", "startingDeadlineSeconds");
    if spec["timeZone"] == "" {
        checker.invalid("spec.timeZone", &spec["timeZone"], "timeZone must be nil or non-empty string");
    }
    checker.one_of("spec.concurrencyPolicy", &spec["concurrencyPolicy"], &["Allow", "Forbid", "Replace"]);
    let template = &spec["jobTemplate"]["spec"];
    check_spec(template, "spec.jobTemplate.spec", checker);
    if !template["selector"].is_null() {
        let why = "`selector` will be auto-generated";
        checker.invalid("spec.jobTemplate.spec.selector", &template["selector"], why);
    }
    checker.not_negative(spec, "spec", "successfulJobsHistoryLimit");
    checker.not_negative(spec, "spec", "failedJobsHistoryLimit");
    let name = text(&job["metadata"], "name");
    if before.is_none() && name.len() > 52 {
        checker.invalid("metadata.name", &name.into(), "must be no more than 52 characters");
    }
}

fn check_own_selector(job: &Value, checker: &mut Checker) {
    let spec = &job["spec"];
    if spec["manualSelector"] == true || spec["selector"].is_null() {
        return;
    }
    let labels = &spec["template"]["metadata"]["labels"];
    let (uid, name) = (text(&job["metadata"], "uid"), text(&job["metadata"], "name"));
    let expected = json!({
        "controller-uid": uid, "job-name": name,
        "batch.kubernetes.io/controller-uid": uid, "batch.kubernetes.io/job-name": name,
    });
    let order = ["controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"];
    for key in order.into_iter().filter(|key| labels[key] != expected[key]) {
        let field = format!("spec.template.metadata.labels[{key}]");
        let why = format!("must be '{}'", text(&expected, key));
        checker.invalid(&field, &labels[key], &why);
    }
    if selector::is_sound(&spec["selector"]) && !selector::selects(&spec["selector"], &expected) {
        checker.invalid("spec.selector", &spec["selector"], "`selector` not auto-generated");
    }
}

fn check_spec(spec: &Value, path: &str, checker: &mut Checker) {
    for field in [
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
    ] {
        checker.not_negative(spec, path, field);
    }
    let indexed = text(spec, "completionMode") == "Indexed";
    if !spec["completionMode"].is_null() {
        checker.one_of(&format!("{path}.completionMode"), &spec["completionMode"], &["NonIndexed", "Indexed"]);
    }
    if indexed && spec["completions"].is_null() {
        checker.required(&format!("{path}.completions"), "when completion mode is Indexed");
    }
    let unindexed = spec["completionMode"].is_null() || spec["completionMode"] == "NonIndexed";
    for field in ["backoffLimitPerIndex", "maxFailedIndexes"] {
        if unindexed && !spec[field].is_null() {
            checker.invalid(&format!("{path}.{field}"), &spec[field], "requires indexed completion mode");
        }
    }
    if !spec["podReplacementPolicy"].is_null() {
        let failed = !spec["podFailurePolicy"].is_null();
        let known: &[&str] = if failed { &["Failed"] } else { &["Failed", "TerminatingOrFailed"] };
        checker.one_of(&format!("{path}.podReplacementPolicy"), &spec["podReplacementPolicy"], known);
    }
    pod::check_template(&spec["template"], &format!("{path}.template"), checker);
    let field = format!("{path}.template.spec.restartPolicy");
    let policy = &spec["template"]["spec"]["restartPolicy"];
    match policy.as_str().unwrap_or_default() {
        "" | "Always" => checker.required(&field, "valid values: \"OnFailure\", \"Never\""),
        "OnFailure" if !spec["podFailurePolicy"].is_null() => {
            let why = "only \"Never\" is supported when podFailurePolicy is specified";
            checker.invalid(&field, policy, why);
        }
        _ => checker.one_of(&field, policy, &["OnFailure", "Never"]),
    }
}

fn check_update(before: &Value, spec: &Value, checker: &mut Checker) {
    if text(spec, "completionMode") == "Indexed" {
        if before["completions"] != spec["completions"] && spec["completions"] != spec["parallelism"] {
            let why = "can only be modified in tandem with spec.parallelism";
            checker.invalid("spec.completions", &spec["completions"], why);
        }
    } else {
        checker.unchanged("spec.completions", &before["completions"], &spec["completions"]);
    }
    checker.unchanged("spec.selector", &before["selector"], &spec["selector"]);
    checker.unchanged("spec.template", &before["template"], &spec["template"]);
    for field in ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"] {
        checker.unchanged(&format!("spec.{field}"), &before[field], &spec[field]);
    }
}
