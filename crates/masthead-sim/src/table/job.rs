//! The rows of jobs and of what starts them.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{NONE, UNSET, cells, condition, containers, count, number, optional, text},
    selector,
};

pub(super) fn job(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let [names, images] = containers(&spec["template"]);
    let (start, end) = (&status["startTime"], &status["completionTime"]);
    let duration = match (start.is_null(), end.is_null()) {
        (true, _) => String::new(),
        (false, true) => age::since(start, now),
        (false, false) => age::between(start, end),
    };
    cells![
        text(&object["metadata"]["name"]),
        state(object),
        completions(object),
        duration,
        age::of(object, now),
        names,
        images,
        selector::shown(&spec["selector"]),
    ]
}

fn state(object: &Value) -> &'static str {
    let is = |name: &str| condition(object, name).is_some_and(|condition| condition["status"] == "True");
    match () {
        () if is("Complete") => "Complete",
        () if is("Failed") => "Failed",
        () if !object["metadata"]["deletionTimestamp"].is_null() => "Terminating",
        () if is("Suspended") => "Suspended",
        () if is("FailureTarget") => "FailureTarget",
        () if is("SuccessCriteriaMet") => "SuccessCriteriaMet",
        () => "Running",
    }
}

fn completions(object: &Value) -> String {
    let (succeeded, spec) = (number(&object["status"]["succeeded"]), &object["spec"]);
    match (spec["completions"].as_i64(), number(&spec["parallelism"])) {
        (Some(completions), _) => format!("{succeeded}/{completions}"),
        (None, parallelism) if parallelism > 1 => format!("{succeeded}/1 of {parallelism}"),
        (None, _) => format!("{succeeded}/1"),
    }
}

pub(super) fn cron_job(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let job = &spec["jobTemplate"]["spec"];
    let [names, images] = containers(&job["template"]);
    let suspended = match spec["suspend"].as_bool() {
        Some(true) => "True",
        Some(false) => "False",
        None => UNSET,
    };
    let last = &status["lastScheduleTime"];
    cells![
        text(&object["metadata"]["name"]),
        text(&spec["schedule"]),
        optional(&spec["timeZone"], NONE),
        suspended,
        count(&status["active"]),
        if last.is_null() { NONE.to_owned() } else { age::since(last, now) },
        age::of(object, now),
        names,
        images,
        selector::shown(&job["selector"]),
    ]
}
