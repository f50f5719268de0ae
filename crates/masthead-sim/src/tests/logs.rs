//! Logs: which there are, what they say and how they end.

use std::{cell::RefCell, rc::Rc, time::Duration};

use super::wire::Wire;
use crate::timestamp;
use futures::StreamExt;
use masthead::rest::{Headers, HttpRequest, Method, Transport};
use serde_json::{Value, json};

const LOG: &str = "/api/v1/namespaces/default/pods/web/log";

fn put(wire: &Wire, image: &str, statuses: Value) {
    let node = json!({ "apiVersion": "v1", "kind": "Node", "metadata": { "name": "node" } });
    let containers = json!([{ "name": "main", "image": image }]);
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "web", "namespace": "default", "uid": "u" },
        "spec": { "nodeName": "node", "containers": containers }, "status": { "containerStatuses": statuses },
    });
    assert!(wire.sim.insert(node) && wire.sim.insert(pod));
}

fn time(wire: &Wire) -> String {
    timestamp::format(wire.time.runtime().wall())
}

fn running(wire: &Wire) -> Value {
    json!([{ "name": "main", "restartCount": 0, "lastState": {}, "state": { "running": { "startedAt": time(wire) } } }])
}

fn lines(wire: &Wire, query: &str) -> Vec<String> {
    let response = wire.ask(Method::Get, &format!("{LOG}{query}"), &[], "");
    assert_eq!(response.code, 200, "{query}: {}", String::from_utf8_lossy(&response.body));
    assert_eq!(response.headers.get("Content-Type"), Some("text/plain"));
    String::from_utf8(response.body).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_log_grows_with_time_and_says_the_same_again() {
    let wire = Wire::new();
    put(&wire, "example.com/orders:1", running(&wire));
    wire.time.advance(Duration::from_secs(60));
    let first = lines(&wire, "");
    assert!(first.len() > 10, "{first:?}");
    assert!(first.iter().all(|line| serde_json::from_str::<Value>(line).is_ok_and(|it| it["logger"] == "orders")));
    assert_eq!(lines(&wire, ""), first);
    wire.time.advance(Duration::from_secs(60));
    let second = lines(&wire, "");
    assert!(second.len() > first.len() && second.starts_with(&first));
    assert_eq!(lines(&wire, "?tailLines=3"), second[second.len() - 3..]);
    assert_eq!(lines(&wire, "?tailLines=0"), [] as [&str; 0]);
    let last_minute = lines(&wire, "?sinceSeconds=60");
    assert_eq!(last_minute, second[first.len()..]);
    let bytes = wire.ask(Method::Get, &format!("{LOG}?limitBytes=100"), &[], "").body;
    assert_eq!(bytes.len(), 100);
    let stamped = lines(&wire, "?timestamps=true");
    let times: Vec<&str> = stamped.iter().map(|line| line.split_once(' ').unwrap().0).collect();
    assert!(times.is_sorted() && times.iter().all(|time| time.len() == 30 && time.ends_with('Z')), "{times:?}");
}

#[test]
fn programs_have_voices_of_their_own() {
    let wire = Wire::new();
    put(&wire, "nginx:1.29", running(&wire));
    wire.time.advance(Duration::from_secs(60));
    assert!(lines(&wire, "?tailLines=1")[0].contains("\"GET /"));
    put(&wire, "docker.io/library/postgres:18", running(&wire));
    wire.time.advance(Duration::from_secs(60));
    assert!(lines(&wire, "?tailLines=1")[0].contains(" UTC [1] LOG:  "));
}

#[test]
fn a_crash_leaves_a_trace_and_the_previous_log_stays() {
    let wire = Wire::new();
    let started = time(&wire);
    wire.time.advance(Duration::from_secs(20));
    let terminated = json!({ "exitCode": 1, "startedAt": started, "finishedAt": time(&wire) });
    let waiting = json!({ "reason": "CrashLoopBackOff" });
    let mut status = json!([{ "name": "main", "restartCount": 1, "lastState": { "terminated": terminated } }]);
    status[0]["state"] = json!({ "waiting": waiting });
    put(&wire, "orders", status.clone());
    let crashed = lines(&wire, "");
    let trace = ["goroutine 1 [running]:", "Traceback (most recent call last):", "\t... 3 more"];
    assert!(crashed.iter().any(|line| trace.contains(&line.as_str())), "{crashed:?}");
    status[0]["state"] = json!({ "running": { "startedAt": time(&wire) } });
    put(&wire, "orders", status);
    wire.time.advance(Duration::from_secs(5));
    let now = lines(&wire, "");
    assert!(!now.is_empty() && now != crashed);
    assert!(lines(&wire, "?previous=true").iter().any(|line| trace.contains(&line.as_str())));
}

#[test]
fn a_follower_hears_until_the_container_ends() {
    let wire = Wire::new();
    put(&wire, "orders", running(&wire));
    let request = HttpRequest {
        operation: "test".into(),
        method: Method::Get,
        url: format!("{LOG}?follow=true"),
        headers: Headers::default(),
        body: None,
    };
    let answer = wire.time.run(wire.sim.send(request)).unwrap();
    let heard: Rc<RefCell<(String, bool)>> = Rc::default();
    let ear = Rc::clone(&heard);
    let task = wire.time.runtime().spawn(async move {
        let mut body = answer.body;
        while let Some(Ok(chunk)) = body.next().await {
            ear.borrow_mut().0 += std::str::from_utf8(&chunk).unwrap();
        }
        ear.borrow_mut().1 = true;
    });
    wire.time.advance(Duration::from_secs(60));
    let (after_a_minute, over) = heard.borrow().clone();
    assert!(after_a_minute.lines().count() > 10 && !over);
    let mut status = running(&wire);
    status[0]["state"] = json!({ "terminated": {
        "exitCode": 143, "startedAt": timestamp::format(wire.time.runtime().wall() - Duration::from_secs(60)),
        "finishedAt": time(&wire),
    } });
    put(&wire, "orders", status);
    wire.time.settle();
    let (whole, over) = heard.borrow().clone();
    assert!(over && whole.starts_with(&after_a_minute) && whole.contains("received SIGTERM"), "{whole}");
    assert_eq!(whole.lines().collect::<Vec<_>>(), lines(&wire, ""));
    drop(task);
}

#[test]
fn what_has_no_log_says_why() {
    let wire = Wire::new();
    let check = |query: &str, code: u16, message: &str| {
        assert_eq!(wire.refusal(Method::Get, &format!("{LOG}{query}"), ""), (code, message.to_owned()));
    };
    check("", 404, "pods \"web\" not found");
    let waiting = |reason: &str| json!([{ "name": "main", "state": { "waiting": { "reason": reason } } }]);
    put(&wire, "orders", waiting("ContainerCreating"));
    check("", 400, "container \"main\" in pod \"web\" is waiting to start: ContainerCreating");
    check("?previous=true", 400, "previous terminated container \"main\" in pod \"web\" not found");
    check("?container=other", 400, "container other is not valid for pod web");
    put(&wire, "orders", waiting("ImagePullBackOff"));
    check("", 400, "container \"main\" in pod \"web\" is waiting to start: trying and failing to pull image");
    put(&wire, "orders", json!([]));
    check("", 400, "container \"main\" in pod \"web\" is not available");
    let negative = "PodLogOptions \"web\" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0";
    check("?tailLines=-1", 422, negative);
    check("?sinceSeconds=x", 400, "strconv.ParseInt: parsing \"x\": invalid syntax");
    wire.json(Method::Delete, "/api/v1/nodes/node", "");
    check("", 404, "pods \"node\" not found");
}
