//! Tables over the wire.

use masthead::rest::Method;
use serde_json::{Value, json};

use crate::tests::wire::{CONFIG_MAPS, Wire};

const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

fn asked(wire: &Wire, method: Method, url: &str, accept: &str, body: &str) -> (u16, Value) {
    let media = if method == Method::Patch { "application/merge-patch+json" } else { "application/json" };
    let response = wire.ask(method, url, &[("Accept", accept), ("Content-Type", media)], body);
    (response.code, serde_json::from_slice(&response.body).unwrap())
}

fn table(wire: &Wire, url: &str) -> Value {
    let (code, table) = asked(wire, Method::Get, url, TABLE, "");
    assert_eq!(code, 200, "{table}");
    assert_eq!(table["kind"], "Table");
    table
}

#[test]
fn a_list_is_a_table_with_what_its_rows_are_to_carry() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    wire.create_config_map("b", &json!({}));
    let shown = table(&wire, &format!("{CONFIG_MAPS}?limit=1"));
    let names: Vec<&Value> = shown["columnDefinitions"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["Name", "Data", "Age"]);
    assert_eq!(shown["rows"][0]["cells"], json!(["a", 1, "0s"]));
    assert_eq!(shown["rows"][0]["object"]["kind"], "PartialObjectMetadata");
    assert_eq!(shown["rows"][0]["object"]["metadata"]["name"], "a");
    assert_eq!(shown["metadata"]["remainingItemCount"], 1);
    assert!(shown["metadata"]["continue"].is_string());
    let object = |include: &str| {
        let shown = table(&wire, &format!("{CONFIG_MAPS}?includeObject={include}"));
        shown["rows"][1]["object"].clone()
    };
    assert_eq!(object("None"), Value::Null);
    assert_eq!(object("Object")["kind"], "ConfigMap");
    assert_eq!(object("Object")["data"]["k"], "v");
    let (code, status) = asked(&wire, Method::Get, &format!("{CONFIG_MAPS}?includeObject=Some"), TABLE, "");
    let message = "Unable to convert to Table as requested: includeObject: Invalid value: \"Some\": must be 'Metadata', \
                   'Object', 'None', or empty";
    assert_eq!((code, &status["message"]), (400, &json!(message)));
}

#[test]
fn what_is_written_comes_back_as_a_row() {
    let wire = Wire::new();
    let (code, made) = asked(&wire, Method::Post, CONFIG_MAPS, TABLE, r#"{"metadata":{"name":"a"}}"#);
    assert_eq!((code, &made["rows"][0]["cells"]), (201, &json!(["a", 0, "0s"])));
    let url = format!("{CONFIG_MAPS}/a");
    let (_, patched) = asked(&wire, Method::Patch, &url, TABLE, r#"{"data":{"k":"v"}}"#);
    assert_eq!(patched["rows"][0]["cells"], json!(["a", 1, "0s"]));
    assert_eq!(patched["metadata"]["resourceVersion"], patched["rows"][0]["object"]["metadata"]["resourceVersion"]);
    let (code, missing) = asked(&wire, Method::Get, &format!("{CONFIG_MAPS}/b"), TABLE, "");
    assert_eq!((code, &missing["kind"]), (404, &json!("Status")));
}

#[test]
fn a_kind_without_a_printer_has_no_empty_list_of_rows() {
    let wire = Wire::new();
    assert_eq!(table(&wire, "/api/v1/limitranges")["rows"], Value::Null);
    assert_eq!(table(&wire, CONFIG_MAPS)["rows"], json!([]));
    let body = json!({ "metadata": { "name": "a" }, "spec": { "limits": [] } }).to_string();
    let url = "/api/v1/namespaces/default/limitranges";
    let (_, made) = asked(&wire, Method::Post, url, TABLE, &body);
    assert_eq!(made["columnDefinitions"][1]["name"], "Created At");
    assert!(made["rows"][0]["cells"][1].as_str().unwrap().ends_with('Z'), "{made}");
}

#[test]
fn only_the_first_event_of_a_watch_tells_the_columns() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    wire.create_config_map("b", &json!({}));
    let url = format!(
        "{CONFIG_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true\
         &includeObject=None&timeoutSeconds=1"
    );
    let response = wire.ask(Method::Get, &url, &[("Accept", TABLE)], "");
    let lines = response.body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let events: Vec<Value> = lines.map(|line| serde_json::from_slice(line).unwrap()).collect();
    let told: Vec<bool> = events.iter().map(|event| event["object"]["columnDefinitions"].is_array()).collect();
    assert_eq!(told, [true, false, false]);
    assert_eq!(events[1]["object"]["rows"], json!([{ "cells": ["b", 1, "0s"], "object": null }]));
    let end = &events[2]["object"]["rows"][0];
    assert_eq!(end["cells"], json!(["", 0, "<unknown>"]));
    assert_eq!(end["object"]["metadata"]["annotations"]["k8s.io/initial-events-end"], "true");
}

#[test]
fn a_form_that_is_not_served_is_refused() {
    let wire = Wire::new();
    let (code, status) = asked(&wire, Method::Get, CONFIG_MAPS, "application/json;as=Table;g=meta.k8s.io;v=v7", "");
    assert_eq!((code, &status["reason"]), (406, &json!("NotAcceptable")));
    let message = "only the following media types are accepted: application/json, application/yaml, \
                   application/vnd.kubernetes.protobuf";
    assert_eq!(status["message"], message);
    let (_, beta) = asked(&wire, Method::Get, CONFIG_MAPS, "application/json;as=Table;g=meta.k8s.io;v=v1beta1", "");
    assert_eq!(beta["apiVersion"], "meta.k8s.io/v1beta1");
}

#[test]
fn an_object_is_no_list_and_a_list_no_object() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    let check = |form: &str, url: &str, expect: &str| {
        let accept = format!("application/json;as={form};g=meta.k8s.io;v=v1");
        let (code, status) = asked(&wire, Method::Get, url, &accept, "");
        assert_eq!((code, &status["message"]), (406, &json!(format!("you requested {form}, but {expect}"))));
    };
    let object = format!("{CONFIG_MAPS}/a");
    check("PartialObjectMetadataList", &object, "the requested object is not a list (*core.ConfigMap)");
    check("PartialObjectMetadata", CONFIG_MAPS, "the requested object is a list (*core.ConfigMapList)");
    let roles = "/apis/rbac.authorization.k8s.io/v1/roles";
    check("PartialObjectMetadata", roles, "the requested object is a list (*rbac.RoleList)");
    let events = "/apis/events.k8s.io/v1/events";
    check("PartialObjectMetadata", events, "the requested object is a list (*core.EventList)");
}

#[test]
fn flow_schemas_come_by_their_precedence() {
    let wire = Wire::new();
    let url = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
    for (name, precedence) in [("a", 3), ("b", 1), ("c", 2)] {
        let spec = json!({ "matchingPrecedence": precedence, "priorityLevelConfiguration": { "name": "l" } });
        let object = json!({ "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "FlowSchema",
            "metadata": { "name": name }, "spec": spec });
        assert!(wire.sim.insert(object));
    }
    let shown = table(&wire, url);
    let rows = shown["rows"].as_array().unwrap().iter().map(|row| row["cells"][0].as_str().unwrap());
    assert_eq!(rows.filter(|name| name.len() == 1).collect::<String>(), "bca");
}
