//! The page's own printers say what the server's tables say: every cell of every kind.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod server;

use std::collections::BTreeSet;

use masthead::rest::{First, MediaType};
use masthead_web::model::{
    print::{Printer, printer},
    table::{cell::Tone, row::Row},
};
use serde_json::{Value, json};

use self::server::{Resource, Server};

#[test]
fn every_cell_is_that_of_the_servers_table() {
    let (demo, states) = (Server::demo(), Server::of_objects());
    let mut shown = BTreeSet::new();
    for server in [&demo, &states] {
        for resource in server.resources() {
            if let Some(printer) = resource.printer() {
                let rows = compare(server, &resource, &printer);
                if rows > 0 {
                    shown.insert(resource.name());
                }
            }
        }
    }
    let printed = states.resources().into_iter().filter(|resource| resource.printer().is_some());
    let without: Vec<String> = printed.map(|it| it.name()).filter(|name| !shown.contains(name)).collect();
    assert!(without.is_empty(), "no row of these was compared: {without:?}");
}

/// How many rows there are, all of them equal.
fn compare(server: &Server, resource: &Resource, printer: &Printer) -> usize {
    let table = server.table(&resource.path);
    let columns: Vec<(String, bool)> = printer.columns.iter().map(|it| (it.title.clone(), it.wide)).collect();
    let theirs = list(&table["columnDefinitions"]).iter();
    let theirs: Vec<(String, bool)> =
        theirs.map(|it| (text(&it["name"]).to_uppercase(), it["priority"] != 0)).collect();
    assert_eq!(columns, theirs, "the columns of {}", resource.path);
    let objects = server.get(&resource.path);
    let rows = list(&table["rows"]);
    assert_eq!(rows.len(), list(&objects["items"]).len(), "{}", resource.path);
    for object in list(&objects["items"]) {
        let is_it = |row: &&Value| place(&row["object"]) == place(object);
        let row = rows.iter().find(is_it).unwrap_or_else(|| panic!("no row of {object}"));
        let printed = print(printer, object);
        let ours: Vec<String> = printed.cells.iter().map(|cell| cell.text(server.now())).collect();
        // The server has a cell without a column for addresses.
        let theirs: Vec<String> = list(&row["cells"]).iter().take(columns.len()).map(cell).collect();
        assert_eq!(ours, theirs, "{} {object}", resource.path);
        assert_eq!(printed.name, text(&object["metadata"]["name"]));
        assert_eq!(printed.namespace, text(&object["metadata"]["namespace"]));
        assert_eq!(&*printed.uid, text(&object["metadata"]["uid"]));
        assert_eq!(&*printed.version, text(&object["metadata"]["resourceVersion"]));
        let labels = object["metadata"]["labels"].as_object();
        assert_eq!(printed.labels.len(), labels.map_or(0, |labels| labels.len()));
        let equal = |(key, value): (&String, &Value)| printed.label(key) == value.as_str();
        assert!(labels.into_iter().flatten().all(equal), "{:?} {object}", printed.labels);
    }
    rows.len()
}

fn place(object: &Value) -> [&Value; 2] {
    ["namespace", "name"].map(|field| &object["metadata"][field])
}

fn print(printer: &Printer, object: &Value) -> Row {
    let json = object.to_string();
    let packed = printer.decoder.decode(MediaType::Json, json.as_bytes());
    let packed = packed.unwrap_or_else(|error| panic!("{error}: {object}"));
    let in_a_list = format!("{json},{{");
    match printer.decoder.decode_first(MediaType::Json, in_a_list.as_bytes()) {
        First::Whole { object, length } => assert_eq!((object.fields(), length), (packed.fields(), json.len())),
        other => panic!("{other:?}: {object}"),
    }
    packed.fields().clone()
}

fn cell(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What is left to the server's own tables: secrets, whose data nobody lists, and versions that have other fields.
#[test]
fn every_other_kind_of_the_server_has_a_printer() {
    let server = Server::of_objects();
    let without: Vec<String> = server
        .resources()
        .into_iter()
        .filter(|resource| resource.printer().is_none())
        .map(|resource| format!("{} {}", resource.name(), resource.version))
        .collect();
    assert_eq!(without, ["secrets. v1", "horizontalpodautoscalers.autoscaling v1"]);
}

#[test]
fn versions_and_groups_that_are_not_known_have_no_printer() {
    for (group, version, resource) in [
        ("", "v1", "secrets"),
        ("", "v2", "pods"),
        ("autoscaling", "v1", "horizontalpodautoscalers"),
        ("example.com", "v1", "pods"),
        ("apps.example.com", "v1", "deployments"),
        ("", "v1", "widgets"),
    ] {
        assert!(printer(group, version, resource).is_none(), "{group}/{version} {resource}");
    }
}

#[test]
fn rows_share_what_they_have_in_common() {
    let printer = printer("", "v1", "pods").unwrap();
    let pod = |name: &str| {
        let owner = json!([{ "apiVersion": "v1", "kind": "Node", "name": "n", "uid": "1" },
            { "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "2", "controller": true }]);
        json!({ "metadata": { "name": name, "uid": name, "labels": { "b": "2", "a": "1" }, "ownerReferences": owner },
            "spec": { "nodeName": "node-1" } })
    };
    let [one, two] = ["one", "two"].map(|name| print(&printer, &pod(name)));
    assert!(std::rc::Rc::ptr_eq(&one.labels, &two.labels));
    assert_eq!(one.labels[0].0, "a");
    let owner = one.owner.unwrap();
    assert_eq!((owner.kind.as_str(), owner.name.as_str(), owner.uid.as_str()), ("ReplicaSet", "web", "2"));
    assert!(size_of::<Row>() <= 160 && size_of_val(&one.cells[0]) <= 24, "{} bytes", size_of::<Row>());
}

/// What is as it should be is quiet; the rest is not.
#[test]
fn states_have_a_tone() {
    let server = Server::of_objects();
    let printer = printer("", "v1", "pods").unwrap();
    let pods = server.get("/api/v1/pods");
    let tone = |name: &str| {
        let pod = list(&pods["items"]).iter().find(|pod| pod["metadata"]["name"] == name);
        print(&printer, pod.unwrap_or_else(|| panic!("no pod {name}"))).tone
    };
    for (name, expect) in [
        ("running", Tone::Quiet),
        ("completed", Tone::Quiet),
        ("succeeded", Tone::Quiet),
        ("pending", Tone::Busy),
        ("creating", Tone::Busy),
        ("init-0", Tone::Busy),
        ("terminating", Tone::Busy),
        ("gated", Tone::Busy),
        ("not-ready", Tone::Warning),
        ("crash", Tone::Failure),
        ("error", Tone::Failure),
        ("exit-code", Tone::Failure),
        ("signal", Tone::Failure),
        ("evicted", Tone::Failure),
        ("init-crash", Tone::Failure),
        ("init-error", Tone::Failure),
    ] {
        assert_eq!(tone(name), expect, "{name}");
    }
}

/// Ages of the same row differ as time goes by, and nothing else does.
#[test]
fn rows_stay_true_as_time_goes_by() {
    let server = Server::demo();
    let (printer, path) = (printer("", "v1", "pods").unwrap(), "/api/v1/pods");
    let pods = server.get(path);
    let rows: Vec<Row> = list(&pods["items"]).iter().map(|pod| print(&printer, pod)).collect();
    let later = server.now() + 1000 * 86_400_000;
    assert!(rows.len() > 100);
    for row in &rows {
        for cell in &row.cells {
            assert_eq!(cell.ticks(), cell.text(later) != cell.text(server.now()), "{cell:?}");
        }
    }
}
