//! Who owns what, seen through requests.

use masthead::rest::Method::{Get, Patch, Post, Put};
use serde_json::{Value, json};

use crate::tests::wire::{CONFIG_MAPS, Wire};

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";

/// The owners of an object, a line each: `alice Apply f:data`.
fn owners(object: &Value) -> Vec<String> {
    let entries = object["metadata"]["managedFields"].as_array();
    let line = |entry: &Value| {
        let text = |field: &str| entry[field].as_str().unwrap_or_default().to_owned();
        let subresource = text("subresource");
        let part = if subresource.is_empty() { String::new() } else { format!("/{subresource}") };
        format!("{} {}{part} {}", text("manager"), text("operation"), entry["fieldsV1"])
    };
    entries.into_iter().flatten().map(line).collect()
}

fn apply(wire: &Wire, manager: &str, object: &Value) -> (u16, Value) {
    let name = object["metadata"]["name"].as_str().unwrap();
    let url = format!("{CONFIG_MAPS}/{name}?fieldManager={manager}");
    let headers = [("Content-Type", "application/apply-patch+yaml")];
    let answer = wire.ask(Patch, &url, &headers, &object.to_string());
    (answer.code, serde_json::from_slice(&answer.body).unwrap())
}

fn config_map(data: &Value) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a" }, "data": data })
}

#[test]
fn an_updater_owns_what_it_changes() {
    let wire = Wire::new();
    let send = |method, url: &str, agent: &str, body: &Value| -> Value {
        let media = if method == Patch { "application/merge-patch+json" } else { "application/json" };
        let headers = [("Content-Type", media), ("User-Agent", agent)];
        serde_json::from_slice(&wire.ask(method, url, &headers, &body.to_string()).body).unwrap()
    };
    let map = json!({ "metadata": { "name": "a", "labels": { "x": "1" } }, "data": { "k": "v", "l": "w" } });
    let made = send(Post, CONFIG_MAPS, "maker/1.0", &map);
    let fields = r#"{"f:data":{".":{},"f:k":{},"f:l":{}},"f:metadata":{"f:labels":{".":{},"f:x":{}}}}"#;
    assert_eq!(owners(&made), [format!("maker Update {fields}")]);
    let a = format!("{CONFIG_MAPS}/a");
    let changed = send(Patch, &a, "changer", &json!({ "data": { "k": "u", "l": null } }));
    let expect = [
        r#"changer Update {"f:data":{"f:k":{}}}"#,
        r#"maker Update {"f:data":{},"f:metadata":{"f:labels":{".":{},"f:x":{}}}}"#,
    ];
    assert_eq!(owners(&changed), expect);
    let same = send(Patch, &a, "somebody", &json!({ "data": { "k": "u" } }));
    assert_eq!(same, changed);
    let cleared = send(Patch, &a, "somebody", &json!({ "metadata": { "managedFields": [{}] }, "data": { "k": "t" } }));
    assert_eq!(owners(&cleared), [""; 0]);
}

#[test]
fn status_and_scale_are_owned_apart() {
    let wire = Wire::new();
    let template =
        json!({ "metadata": { "labels": { "a": "b" } }, "spec": { "containers": [{ "name": "c", "image": "i" }] } });
    let spec = json!({ "replicas": 1, "selector": { "matchLabels": { "a": "b" } }, "template": template });
    let object = json!({ "metadata": { "name": "d" }, "spec": spec, "status": { "replicas": 9 } });
    let (_, made) = wire.json(Post, DEPLOYMENTS, &object.to_string());
    assert!(!owners(&made)[0].contains("f:status") && owners(&made)[0].contains("f:replicas"), "{made}");
    let status = format!("{DEPLOYMENTS}/d/status?fieldManager=controller");
    let (_, patched) = wire.patch(
        "merge-patch",
        &status,
        &json!({ "status": { "observedGeneration": 1 }, "spec": { "replicas": 4 } }),
    );
    let entry = r#"controller Update/status {"f:status":{"f:observedGeneration":{}}}"#;
    assert_eq!(owners(&patched)[0], entry);
    assert_eq!(patched["spec"]["replicas"], 1);
    wire.patch(
        "merge-patch",
        &format!("{DEPLOYMENTS}/d/scale?fieldManager=hpa"),
        &json!({ "spec": { "replicas": 2 } }),
    );
    let (_, scaled) = wire.json(Get, &format!("{DEPLOYMENTS}/d"), "");
    assert_eq!(owners(&scaled)[0], r#"hpa Update/scale {"f:spec":{"f:replicas":{}}}"#);
    assert!(!owners(&scaled)[2].contains("f:replicas"), "{scaled}");
}

#[test]
fn the_oldest_updaters_become_one() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    for number in 0..14 {
        let url = format!("{CONFIG_MAPS}/a?fieldManager=m{number:02}");
        wire.patch("merge-patch", &url, &json!({ "data": { format!("k{number:02}"): "v" } }));
        wire.time.run(wire.time.runtime().sleep(std::time::Duration::from_secs(1)));
    }
    let (_, map) = wire.json(Get, &format!("{CONFIG_MAPS}/a"), "");
    let owners = owners(&map);
    assert_eq!(owners.len(), 10, "{owners:#?}");
    assert!(owners[0].starts_with("ancient-changes Update") && owners[0].contains("f:k04"), "{owners:#?}");
}

#[test]
fn an_applier_owns_what_it_names_and_drops_what_it_no_longer_does() {
    let wire = Wire::new();
    let (code, made) = apply(&wire, "alice", &config_map(&json!({ "k": "v", "l": "w" })));
    assert_eq!((code, owners(&made)), (201, vec![r#"alice Apply {"f:data":{"f:k":{},"f:l":{}}}"#.to_owned()]));
    let (_, shared) = apply(&wire, "bob", &config_map(&json!({ "k": "v" })));
    assert_eq!(owners(&shared).len(), 2);
    let (_, fewer) = apply(&wire, "alice", &config_map(&json!({})));
    assert_eq!(fewer["data"], json!({ "k": "v" }));
    let (code, conflict) = apply(&wire, "carol", &config_map(&json!({ "k": "x" })));
    assert_eq!(code, 409);
    assert_eq!(conflict["message"], "Apply failed with 1 conflict: conflict with \"bob\": .data.k");
    let (_, forced) = apply(&wire, "carol&force=true", &config_map(&json!({ "k": "x" })));
    assert_eq!(forced["data"], json!({ "k": "x" }));
    assert_eq!(owners(&forced).last().unwrap(), r#"carol Apply {"f:data":{"f:k":{}}}"#);
}

#[test]
fn conflicts_are_told_by_manager_and_path() {
    let wire = Wire::new();
    let made = json!({ "metadata": { "name": "a" }, "data": { "k": "1", "l": "2" } });
    wire.json(Post, &format!("{CONFIG_MAPS}?fieldManager=zoe"), &made.to_string());
    apply(&wire, "alice", &config_map(&json!({ "m": "3" })));
    let (code, conflict) = apply(&wire, "bob", &config_map(&json!({ "k": "x", "l": "y", "m": "z" })));
    let message = "Apply failed with 3 conflicts: conflicts with \"alice\":\n- .data.m\nconflicts with \"zoe\" using v1:\n\
                   - .data.k\n- .data.l";
    assert_eq!((code, conflict["message"].as_str()), (409, Some(message)));
    let causes = conflict["details"]["causes"].as_array().unwrap();
    let cause = json!({ "reason": "FieldManagerConflict", "message": "conflict with \"alice\"", "field": ".data.m" });
    assert_eq!((causes.len(), &causes[0]), (3, &cause));
}

#[test]
fn what_is_applied_must_be_of_its_type() {
    let wire = Wire::new();
    let check = |applied: Value, code: u16, message: &str| {
        let (refused, status) = apply(&wire, "alice", &applied);
        assert_eq!((refused, status["message"].as_str()), (code, Some(message)));
    };
    let mut unknown = config_map(&json!({}));
    unknown["date"] = json!({});
    let typed = "failed to create typed patch object (/a; /v1, Kind=ConfigMap): ";
    check(unknown, 500, &format!("{typed}.date: field not declared in schema"));
    let number = format!("{typed}.data.k: expected string, got &value.valueUnstructured{{Value:1}}");
    check(config_map(&json!({ "k": 1 })), 500, &number);
    check(config_map(&json!([1])), 500, &format!("{typed}.data: expected map, got &{{[1]}}"));
    let mut other = config_map(&json!({}));
    other["kind"] = "Secret".into();
    check(other, 400, "invalid object type: /v1, Kind=Secret");
    let mut owned = config_map(&json!({}));
    owned["metadata"]["managedFields"] = json!([]);
    check(owned, 400, "metadata.managedFields must be nil");
}

#[test]
fn an_object_that_nobody_applied_has_owners_from_its_first_apply_on() {
    let wire = Wire::new();
    wire.sim.insert(json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a", "namespace": "default" }, "data": { "k": "v" },
    }));
    let (code, conflict) = apply(&wire, "alice", &config_map(&json!({ "k": "w" })));
    let message = "Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: .data.k";
    assert_eq!((code, conflict["message"].as_str()), (409, Some(message)));
    let (_, updated) = wire.json(Put, &format!("{CONFIG_MAPS}/a"), &config_map(&json!({ "k": "u" })).to_string());
    assert_eq!(owners(&updated), [""; 0]);
}
