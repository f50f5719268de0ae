use serde_json::{Value, json};

use super::*;
use crate::model::words::Language;

/// The facts as a person reads them: `Label: value`, times as milliseconds.
fn facts(detail: &Detail) -> Vec<String> {
    let label = Language::English.words().drawer.label;
    detail.facts.iter().map(|fact| format!("{}: {}", label(fact.label), told(&fact.told))).collect()
}

fn told(told: &Told) -> String {
    match told {
        Told::Text(text) => text.clone(),
        Told::State(word, tone) => format!("{word} ({tone:?})"),
        Told::Time(time) => time.to_string(),
        Told::Link(to) => format!("-> {} {}/{}", to.kind, to.namespace, to.name),
    }
}

fn crashing_pod() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": "web-1", "namespace": "shop", "uid": "u1", "labels": { "app": "web" },
            "creationTimestamp": "1970-01-01T00:01:00Z",
            "annotations": { "note": "x", "kubectl.kubernetes.io/last-applied-configuration": "{}" },
            "ownerReferences": [
                { "apiVersion": "v1", "kind": "Node", "name": "other" },
                { "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "controller": true } ] },
        "spec": { "nodeName": "n1", "serviceAccountName": "default",
            "initContainers": [
                { "name": "setup", "image": "setup:1" },
                { "name": "proxy", "image": "proxy:1", "restartPolicy": "Always" } ],
            "containers": [ { "name": "app", "image": "app:1",
                "ports": [ { "name": "http", "containerPort": 80 } ],
                "resources": { "requests": { "cpu": "100m" }, "limits": { "cpu": "1", "memory": "1Gi" } } } ],
            "volumes": [ { "name": "v", "secret": { "secretName": "token" } } ] },
        "status": { "phase": "Running", "podIP": "10.0.0.1", "qosClass": "Burstable",
            "conditions": [
                { "type": "PodScheduled", "status": "True" },
                { "type": "Ready", "status": "False", "reason": "ContainersNotReady",
                    "lastTransitionTime": "1970-01-01T00:02:00Z" } ],
            "initContainerStatuses": [
                { "name": "setup", "state": { "terminated": { "exitCode": 0, "reason": "Completed" } } } ],
            "containerStatuses": [ { "name": "app", "ready": false, "restartCount": 7, "containerID": "c://7",
                "state": { "waiting": { "reason": "CrashLoopBackOff", "message": "back-off 5m0s" } },
                "lastState": { "terminated": { "exitCode": 137, "reason": "OOMKilled",
                    "startedAt": "1970-01-01T00:03:00Z", "finishedAt": "1970-01-01T00:04:00Z" } } } ] }
    })
}

#[test]
fn a_pod_tells_where_it_is_and_what_became_of_its_containers() {
    let detail = Detail::of(&crashing_pod());
    let expected = [
        "Phase: Running (Quiet)",
        "Node: -> Node /n1",
        "Pod IP: 10.0.0.1",
        "Service account: -> ServiceAccount shop/default",
        "QoS class: Burstable",
        "Mounts: -> Secret shop/token",
        "Created: 60000",
    ];
    assert_eq!(facts(&detail), expected);
    let roles: Vec<(&str, Role)> = detail.containers.iter().map(|one| (one.name.as_str(), one.role)).collect();
    assert_eq!(roles, [("setup", Role::Init), ("proxy", Role::Sidecar), ("app", Role::Main)]);
    let app = &detail.containers[2];
    assert_eq!((app.state.as_ref().unwrap().word.as_str(), app.restarts), ("CrashLoopBackOff", 7));
    let last = app.last.as_ref().unwrap();
    assert_eq!((last.word.as_str(), last.code, last.ended), ("OOMKilled", Some(137), Some(240_000)));
    let resources: Vec<String> =
        app.resources.iter().map(|one| format!("{} {}/{}", one.name, one.request, one.limit)).collect();
    assert_eq!(resources, ["cpu 100m/1", "memory /1Gi"]);
    assert_eq!(app.ports, ["http 80/TCP"]);
    assert_eq!(detail.containers[1].state, None);
    assert_eq!(detail.annotations, [("note".to_owned(), "x".to_owned())]);
    assert_eq!(Reference::owner(&crashing_pod()).map(|owner| owner.kind).as_deref(), Some("ReplicaSet"));
}

#[test]
fn what_is_wrong_comes_first_among_conditions() {
    let conditions = |written: Value| {
        let detail = Detail::of(&json!({ "status": { "conditions": written } }));
        detail.conditions.iter().map(|one| format!("{} {:?}", one.kind, one.tone)).collect::<Vec<_>>()
    };
    let of = |kind: &str, status: &str, reason: &str| json!({ "type": kind, "status": status, "reason": reason });
    let node = json!([of("MemoryPressure", "False", ""), of("DiskPressure", "True", ""), of("Ready", "Unknown", "")]);
    assert_eq!(conditions(node), ["DiskPressure Failure", "Ready Warning", "MemoryPressure Quiet"]);
    assert_eq!(conditions(json!([of("Ready", "False", "PodCompleted")])), ["Ready Quiet"], "a pod that is done");
    assert_eq!(conditions(json!([of("Fancy", "False", "")])), ["Fancy Quiet"], "nobody knows what it means");
}

#[test]
fn workloads_select_the_pods_they_made() {
    let relations = |object: Value| {
        let one =
            |it: &Relation| format!("{} {}/{} [{}{}]", it.resource[2], it.namespace, it.owner, it.labels, it.fields);
        Detail::of(&object).relations.iter().map(one).collect::<Vec<String>>()
    };
    let selector = json!({ "matchLabels": { "app": "web" }, "matchExpressions": [
        { "key": "tier", "operator": "In", "values": ["a", "b"] }, { "key": "old", "operator": "DoesNotExist" } ] });
    let object = |api: &str, kind: &str, spec: Value| json!({ "apiVersion": api, "kind": kind, "metadata": { "namespace": "shop", "name": "n", "uid": "u" }, "spec": spec });
    assert_eq!(
        relations(object("apps/v1", "Deployment", json!({ "selector": selector }))),
        ["replicasets shop/u [app=web,tier in (a, b),!old]", "pods shop/ [app=web,tier in (a, b),!old]"],
    );
    assert_eq!(
        relations(object("apps/v1", "StatefulSet", json!({ "selector": { "matchLabels": { "app": "db" } } }))),
        ["pods shop/u [app=db]"],
    );
    assert_eq!(
        relations(object("v1", "Service", json!({ "selector": { "app": "web" } }))),
        ["pods shop/ [app=web]", "endpointslices shop/ [kubernetes.io/service-name=n]"],
    );
    assert_eq!(relations(object("v1", "Service", json!({ "selector": null }))).len(), 1, "one without pods of its own");
    assert_eq!(relations(object("v1", "Node", json!({})))[0], "pods shop/ [spec.nodeName=n]");
    assert_eq!(relations(object("batch/v1", "CronJob", json!({})))[0], "jobs shop/u []");
    assert_eq!(
        relations(object(
            "apps/v1",
            "DaemonSet",
            json!({ "selector": { "matchExpressions": [{ "operator": "New" }] } })
        )),
        Vec::<String>::new(),
        "a selector that is not understood selects nothing",
    );
}

#[test]
fn counts_that_fall_short_are_warnings() {
    let detail = Detail::of(&json!({ "apiVersion": "apps/v1", "kind": "Deployment",
        "spec": { "replicas": 3 }, "status": { "readyReplicas": 2, "updatedReplicas": 3 } }));
    assert_eq!(facts(&detail), ["Ready: 2/3 (Warning)", "Up to date: 3/3 (Quiet)", "Available: 0/3 (Warning)"],);
}

#[test]
fn an_event_is_as_old_as_its_last_time() {
    let event = |times: Value| {
        let mut event = json!({ "type": "Warning", "metadata": { "creationTimestamp": "1970-01-01T00:00:01Z" } });
        event.as_object_mut().unwrap().extend(times.as_object().unwrap().clone());
        let event = Event::of(&event);
        (event.last, event.count)
    };
    assert_eq!(event(json!({})), (Some(1000), 1));
    assert_eq!(
        event(json!({ "firstTimestamp": "1970-01-01T00:00:02Z", "lastTimestamp": "1970-01-01T00:00:09Z", "count": 4 })),
        (Some(9000), 4)
    );
    let series = json!({ "lastTimestamp": null, "eventTime": "1970-01-01T00:00:03.5Z",
        "series": { "count": 12, "lastObservedTime": "1970-01-01T00:01:00.25Z" } });
    assert_eq!(event(series), (Some(60_250), 12));
    let two = [
        json!({ "metadata": { "uid": "a" } }),
        json!({ "metadata": { "uid": "b" }, "eventTime": "1970-01-01T00:00:03Z" }),
    ];
    let order: Vec<String> =
        Event::newest_first(two.iter().map(Event::of).collect()).into_iter().map(|event| event.uid).collect();
    assert_eq!(order, ["b", "a"]);
}

#[test]
fn values_of_secrets_are_decoded_by_key_and_are_in_nothing_that_is_printed() {
    let secret = json!({ "apiVersion": "v1", "kind": "Secret", "type": "Opaque",
        "data": { "password": "aHVudGVyMg==", "blob": "/wA=", "empty": "", "wrong": "a b" } });
    let values = SecretValue::all(&secret);
    let shown: Vec<(&str, Option<&str>, usize)> =
        values.iter().map(|value| (value.key.as_str(), value.text.as_deref(), value.length)).collect();
    assert_eq!(
        shown,
        [("blob", None, 2), ("empty", Some(""), 0), ("password", Some("hunter2"), 7), ("wrong", Some(""), 0)],
    );
    let detail = Detail::of(&secret);
    assert!(!format!("{values:?}{detail:?}").contains("hunter2"));
    assert!(!format!("{detail:?}").contains("aHVudGVyMg"), "what is told of a Secret has none of its values");
}

#[test]
fn an_amount_knows_its_share() {
    let share = |taken: &str, of: &str| Amount { name: "cpu".into(), taken: taken.into(), of: of.into() }.share();
    assert_eq!(share("500m", "2"), Some(0.25));
    assert_eq!(share("3Gi", "2Gi"), Some(1.5));
    assert_eq!(share("", "2"), None);
    assert_eq!(share("1", "0"), None);
}

#[test]
fn whatever_an_object_holds_it_is_told_as_far_as_it_goes() {
    let kinds = [
        ("v1", "Pod"),
        ("v1", "Node"),
        ("v1", "Service"),
        ("apps/v1", "Deployment"),
        ("batch/v1", "CronJob"),
        ("autoscaling/v2", "HorizontalPodAutoscaler"),
        ("networking.k8s.io/v1", "Ingress"),
        ("v1", "Event"),
        ("v1", "ConfigMap"),
    ];
    for (api_version, kind) in kinds {
        for wrong in [
            json!(null),
            json!(7),
            json!("x"),
            json!([[]]),
            json!({ "containers": 3, "conditions": "no", "ports": [1] }),
        ] {
            let object = json!({ "apiVersion": api_version, "kind": kind, "metadata": wrong, "spec": wrong, "status": wrong, "data": wrong });
            assert!(Detail::of(&object).conditions.is_empty(), "{kind}");
        }
    }
}

/// kapp, Helm and others leave whole copies in annotations of their own.
#[test]
fn the_annotations_of_a_secret_are_masked_whatever_their_names() {
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "data": { "key": "aHVudGVyMg==" },
        "metadata": { "name": "s", "annotations": {
            "kapp.k14s.io/original": "{\"data\":{\"key\":\"aHVudGVyMg==\"}}",
            "note": "aHVudGVyMg==",
        } },
    });
    let told = Detail::of(&secret);
    assert_eq!(told.annotations, [("kapp.k14s.io/original", MASK), ("note", MASK)].map(|(k, v)| (k.into(), v.into())));
    assert!(!format!("{told:?}").contains("aHVudGVyMg"));
    let mut masked = secret.clone();
    SecretValue::mask_annotations(masked["metadata"].as_object_mut().expect("metadata"));
    assert!(!masked["metadata"].to_string().contains("aHVudGVyMg"), "{masked}");
    assert!(masked["metadata"]["annotations"]["note"] == MASK);
    let asked = SecretValue::annotations(&secret);
    assert_eq!(asked.iter().filter_map(|one| one.text.as_deref()).filter(|text| text.contains("aHVud")).count(), 2);
    assert!(!format!("{asked:?}").contains("aHVud"), "no log has it");
}

/// Five thousand containers with five thousand states are matched by name, not one by one.
#[test]
fn each_of_many_containers_has_its_own_state() {
    let names: Vec<String> = (0..5000).map(|at| format!("c{at}")).collect();
    let containers: Vec<Value> = names.iter().map(|name| json!({ "name": name, "image": "x" })).collect();
    let states: Vec<Value> = names.iter().rev().map(|name| json!({ "name": name, "containerID": name })).collect();
    let pod = json!({ "spec": { "containers": containers }, "status": { "containerStatuses": states } });
    assert!(Container::of_pod(&pod).iter().zip(&names).all(|(one, name)| one.run == *name));
}
