//! What a pod says of itself, in every state that the real server tells apart.

use serde_json::{Value, json};

use super::{cells, check};

/// A pod with one container for each state, and what `READY`, `STATUS` and `RESTARTS` are.
fn check_states(states: Value, expect: [&str; 3]) {
    let names = ["b", "c"];
    let statuses: Value =
        states.as_array().unwrap().iter().zip(names).map(|(state, name)| named(state, name)).collect();
    let containers: Value =
        statuses.as_array().unwrap().iter().map(|status| json!({ "name": status["name"] })).collect();
    let status = json!({ "phase": "Running", "containerStatuses": statuses });
    check_pod(json!({ "spec": { "containers": containers }, "status": status }), expect);
}

fn named(status: &Value, name: &str) -> Value {
    let mut status = status.clone();
    status["name"] = name.into();
    status
}

fn check_pod(pod: Value, expect: [&str; 3]) {
    assert_eq!(cells("", "pods", &pod)[1..4], expect.map(Value::from), "{pod}");
}

fn running() -> Value {
    json!({ "ready": true, "restartCount": 0, "state": { "running": {} } })
}

fn waiting(reason: &str) -> Value {
    json!({ "ready": false, "restartCount": 0, "state": { "waiting": { "reason": reason } } })
}

fn ended(code: i64, reason: &str) -> Value {
    json!({ "ready": false, "restartCount": 0, "state": { "terminated": { "exitCode": code, "reason": reason } } })
}

#[test]
fn the_state_is_that_of_the_first_container_that_is_not_well() {
    check_states(json!([running(), running()]), ["2/2", "Running", "0"]);
    check_states(json!([running(), waiting("ContainerCreating")]), ["1/2", "ContainerCreating", "0"]);
    check_states(json!([waiting("ImagePullBackOff"), waiting("ErrImagePull")]), ["0/2", "ImagePullBackOff", "0"]);
    check_states(json!([waiting("")]), ["0/1", "Running", "0"]);
    check_states(json!([ended(1, "Error")]), ["0/1", "Error", "0"]);
    check_states(json!([ended(137, "OOMKilled")]), ["0/1", "OOMKilled", "0"]);
    check_states(json!([ended(3, "")]), ["0/1", "ExitCode:3", "0"]);
    check_states(json!([{ "state": { "terminated": { "exitCode": 0, "signal": 9 } } }]), ["0/1", "Signal:9", "0"]);
    check_states(json!([ended(0, "Completed")]), ["0/1", "Completed", "0"]);
}

#[test]
fn one_container_that_is_done_does_not_make_a_pod_done() {
    check_states(json!([ended(0, "Completed"), running()]), ["1/2", "NotReady", "0"]);
    check_states(json!([ended(0, "Completed"), ended(2, "Error")]), ["0/2", "Error", "0"]);
    let statuses = json!([named(&ended(0, "Completed"), "b"), named(&running(), "c")]);
    let ready = json!({ "type": "Ready", "status": "True" });
    let status = json!({ "phase": "Running", "conditions": [ready], "containerStatuses": statuses });
    check_pod(
        json!({ "spec": { "containers": [{ "name": "b" }, { "name": "c" }] }, "status": status }),
        ["1/2", "Running", "0"],
    );
}

#[test]
fn restarts_tell_when_the_last_one_was() {
    let mut container = waiting("CrashLoopBackOff");
    container["restartCount"] = 4.into();
    check_states(json!([container]), ["0/1", "CrashLoopBackOff", "4"]);
    container["lastState"]["terminated"]["finishedAt"] = "2025-12-31T23:57:30Z".into();
    check_states(json!([container]), ["0/1", "CrashLoopBackOff", "4 (2m30s ago)"]);
    let mut other = running();
    other["restartCount"] = 1.into();
    other["lastState"]["terminated"]["finishedAt"] = "2025-12-31T23:58:20Z".into();
    check_states(json!([container, other]), ["1/2", "CrashLoopBackOff", "5 (100s ago)"]);
}

/// A pod with two init containers, the second a sidecar, before its own.
fn check_init(first: Value, sidecar: Value, main: Value, expect: [&str; 3]) {
    let spec = json!({
        "containers": [{ "name": "main" }],
        "initContainers": [{ "name": "first" }, { "name": "sidecar", "restartPolicy": "Always" }],
    });
    let status = json!({
        "phase": "Pending",
        "initContainerStatuses": [named(&first, "first"), named(&sidecar, "sidecar")],
        "containerStatuses": [named(&main, "main")],
    });
    check_pod(json!({ "spec": spec, "status": status }), expect);
}

#[test]
fn init_containers_come_first() {
    let later = || waiting("PodInitializing");
    let mut sidecar = running();
    sidecar["started"] = true.into();
    sidecar["restartCount"] = 2.into();
    let mut again = waiting("CrashLoopBackOff");
    again["restartCount"] = 3.into();
    check_init(json!({ "state": { "running": {} } }), later(), later(), ["0/2", "Init:0/2", "0"]);
    check_init(later(), later(), later(), ["0/2", "Init:0/2", "0"]);
    check_init(again, later(), later(), ["0/2", "Init:CrashLoopBackOff", "3"]);
    check_init(ended(1, "Error"), later(), later(), ["0/2", "Init:Error", "0"]);
    check_init(ended(5, ""), later(), later(), ["0/2", "Init:ExitCode:5", "0"]);
    check_init(
        json!({ "state": { "terminated": { "exitCode": 1, "signal": 9 } } }),
        later(),
        later(),
        ["0/2", "Init:Signal:9", "0"],
    );
    check_init(ended(0, "Completed"), later(), later(), ["0/2", "Init:1/2", "0"]);
    check_init(ended(0, "Completed"), sidecar.clone(), later(), ["1/2", "PodInitializing", "2"]);
    check_init(ended(0, "Completed"), sidecar, running(), ["2/2", "Pending", "2"]);
}

#[test]
fn a_reason_or_a_gate_is_told_rather_than_the_phase() {
    let evicted = json!({ "spec": { "containers": [{}] }, "status": { "phase": "Failed", "reason": "Evicted" } });
    check_pod(evicted, ["0/1", "Evicted", "0"]);
    let condition = json!({ "type": "PodScheduled", "status": "False", "reason": "SchedulingGated" });
    let status = json!({ "phase": "Pending", "conditions": [condition] });
    check_pod(json!({ "spec": { "containers": [{}] }, "status": status }), ["0/1", "SchedulingGated", "0"]);
}

#[test]
fn a_pod_that_is_deleted_terminates_unless_it_is_over() {
    let deleted = |status: Value| json!({ "metadata": { "deletionTimestamp": "2026-01-01T00:00:00Z" }, "spec": {}, "status": status });
    check_pod(deleted(json!({ "phase": "Running" })), ["0/0", "Terminating", "0"]);
    check_pod(deleted(json!({ "phase": "Succeeded" })), ["0/0", "Succeeded", "0"]);
    check_pod(deleted(json!({ "phase": "Running", "reason": "NodeLost" })), ["0/0", "Unknown", "0"]);
}

#[test]
fn wide_tables_tell_where_a_pod_is() {
    check("", "pods", json!({}), json!(["a", "0/0", "", "0", "60m", "<none>", "<none>", "<none>", "<none>"]));
    let gates = json!([{ "conditionType": "example.com/a" }, { "conditionType": "example.com/b" }]);
    let open = json!({ "type": "example.com/b", "status": "True" });
    let spec = json!({ "nodeName": "n", "readinessGates": gates });
    let status = json!({ "phase": "Running", "podIP": "10.0.0.1", "podIPs": [{ "ip": "10.0.0.1" }, { "ip": "fd00::1" }],
        "nominatedNodeName": "m", "conditions": [open] });
    check(
        "",
        "pods",
        json!({ "spec": spec, "status": status }),
        json!(["a", "0/0", "Running", "0", "60m", "10.0.0.1", "n", "m", "1/2"]),
    );
}
