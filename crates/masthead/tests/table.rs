//! The table client: columns and rows of any kind, listed and watched.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod dialogue;

use dialogue::{Part, Reply, dialogue, failure, header, ok};
use futures::{StreamExt, TryStreamExt};
use kube_core::{GroupVersionResource, PartialObjectMeta};
use masthead::{
    rest::{ListOptions, RestClient, WatchEvent},
    table::{Column, IncludeObject, ResourceClient, Table, TableClient},
};
use serde_json::json;

const COLUMNS: &str = r#"[{"name":"Name","type":"string","format":"name","description":"It is the name.","priority":0},
    {"name":"Restarts","type":"integer","format":"","description":"","priority":1}]"#;
const PATH: &str = "/api/v1/namespaces/ns/pods";

fn pods(client: &RestClient) -> ResourceClient {
    TableClient::new(client).resource(&GroupVersionResource::gvr("", "v1", "pods")).namespace("ns")
}

fn row(name: &str, restarts: &str) -> String {
    let object = format!(r#"{{"kind":"PartialObjectMetadata","metadata":{{"name":"{name}","uid":"u-{name}"}}}}"#);
    format!(r#"{{"cells":["{name}",{restarts}],"object":{object}}}"#)
}

fn table(columns: &str, rows: &str) -> String {
    let head = r#""kind":"Table","apiVersion":"meta.k8s.io/v1""#;
    let metadata = r#"{"resourceVersion":"8","continue":"next","remainingItemCount":3}"#;
    format!(r#"{{{head},"metadata":{metadata},"columnDefinitions":{columns},"rows":{rows}}}"#)
}

fn event(kind: &str, object: &str) -> Part {
    Part::Chunk(format!(r#"{{"type":"{kind}","object":{object}}}"#))
}

#[test]
fn a_list_has_columns_rows_and_the_objects_metadata() {
    let completed = r#"{"cells":["b",null],"conditions":[{"type":"Completed","status":"True","reason":"Succeeded"}],
        "object":{"metadata":{"name":"b"}}}"#;
    let rows = format!(r#"[{},{completed},{{"cells":7}}]"#, row("a", "4"));
    let (table, requests) = dialogue([(format!("GET {PATH}?limit=2"), ok(&table(COLUMNS, &rows)))], async |client| {
        pods(&client).list(&ListOptions { limit: Some(2), ..Default::default() }).await.unwrap()
    });
    assert_eq!(header(&requests[0], "Accept"), "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
    let name = Column {
        name: "Name".into(),
        kind: "string".into(),
        format: "name".into(),
        description: "It is the name.".into(),
        priority: 0,
    };
    assert_eq!(table.columns[0], name);
    assert!(table.columns[0].is_name() && !table.columns[1].is_name());
    assert_eq!(table.columns[1].priority, 1);
    assert_eq!(table.rows[0].cells, [json!("a"), json!(4)]);
    assert_eq!(table.rows[0].metadata().unwrap()["uid"], "u-a");
    let typed: PartialObjectMeta = table.rows[0].read().unwrap().unwrap();
    assert_eq!(typed.metadata.name.as_deref(), Some("a"));
    assert_eq!((table.rows[0].text(0), table.rows[0].text(1)), ("a".to_owned(), "4".to_owned()));
    assert_eq!((table.rows[1].text(1), table.rows[1].text(9)), (String::new(), String::new()));
    assert!(table.rows[1].is_completed() && !table.rows[0].is_completed());
    assert_eq!((table.rows.len(), table.skipped.len()), (2, 1), "a row that cannot be read costs no other");
    assert_eq!(table.resource_version, "8");
    assert_eq!((table.continue_token.as_deref(), table.remaining_item_count), (Some("next"), Some(3)));
}

/// The server records of each field who manages it, so that the record nests as deep as the object.
#[test]
fn managed_fields_that_nest_too_deep_cost_nothing_but_themselves() {
    let deep = format!("{}{}", r#"{"f:a":"#.repeat(999) + "{}", "}".repeat(999));
    let of = |name: &str, more: &str| {
        let metadata = format!(r#"{{"name":"{name}","uid":"u","managedFields":[{{"fieldsV1":{deep}}}]}}"#);
        format!(
            r#"{{"cells":["{name}",1],"conditions":[{{"type":"Completed","status":"True"}}],"object":{{"kind":"Well","metadata":{metadata}{more}}}}}"#
        )
    };
    let rows = format!("[{},{}]", of("a", ""), of("b", &format!(r#","spec":{deep}"#)));
    let (table, _) = dialogue([(format!("GET {PATH}"), ok(&table(COLUMNS, &rows)))], async |client| {
        pods(&client).list(&ListOptions::default()).await.unwrap()
    });
    assert_eq!(table.rows.len(), 1);
    assert_eq!(table.rows[0].metadata().unwrap(), &json!({ "name": "a", "uid": "u" }));
    assert_eq!(
        (table.rows[0].object.as_ref().unwrap()["kind"].as_str(), table.rows[0].is_completed()),
        (Some("Well"), true)
    );
    assert_eq!(table.skipped.len(), 1, "what somebody asked for is not left out silently");
}

#[test]
fn as_much_of_the_object_is_included_as_was_asked_for() {
    let whole = r#"{"kind":"Table","metadata":{},"columnDefinitions":[],"rows":
        [{"cells":[],"object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"nodeName":"n"}}}]}"#;
    let empty = r#"{"kind":"Table","metadata":{},"columnDefinitions":null,"rows":null}"#;
    let steps = [
        (format!("GET {PATH}/a?includeObject=Object"), ok(whole)),
        (format!("GET {PATH}?includeObject=None"), ok(empty)),
        (format!("GET {PATH}"), failure(403, "Forbidden", "")),
    ];
    dialogue(steps, async |client| {
        let table = pods(&client).include(IncludeObject::Object).get("a", &Default::default()).await.unwrap();
        assert_eq!(table.rows[0].object.as_ref().unwrap()["spec"]["nodeName"], "n");
        let table = pods(&client).include(IncludeObject::None).list(&Default::default()).await.unwrap();
        assert!(table.rows.is_empty() && table.columns.is_empty());
        assert!(pods(&client).list(&Default::default()).await.unwrap_err().is_forbidden());
    });
}

#[test]
fn pages_follow_each_other_with_their_columns() {
    let last = table(COLUMNS, &format!("[{}]", row("b", "1"))).replace(r#""continue":"next""#, r#""continue":"""#);
    let steps = [
        (format!("GET {PATH}?limit=500&resourceVersion=0"), ok(&table(COLUMNS, &format!("[{}]", row("a", "1"))))),
        (format!("GET {PATH}?continue=next&limit=500"), ok(&last)),
    ];
    dialogue(steps, async |client| {
        let options = ListOptions { resource_version: "0".into(), ..Default::default() };
        let pages: Vec<Table> = pods(&client).pages(options).try_collect().await.unwrap();
        let names: Vec<String> = pages.iter().map(|page| page.rows[0].text(0)).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(pages.iter().all(|page| page.columns.len() == 2));
    });
}

/// `added a(Name,Restarts)` for each event.
async fn watched(client: &RestClient) -> Vec<String> {
    let described = |kind: &str, table: Table| {
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let rows: Vec<String> = table.rows.iter().map(|row| row.text(0)).collect();
        format!("{kind} {}({})", rows.join(","), columns.join(","))
    };
    let events = pods(client).watch(&Default::default()).await.unwrap().map(|event| match event {
        Ok(WatchEvent::Added(table)) => described("added", table),
        Ok(WatchEvent::Modified(table)) => described("modified", table),
        Ok(WatchEvent::Deleted(table)) => described("deleted", table),
        Ok(WatchEvent::Bookmark(mark)) => format!("mark {} {}", mark.resource_version, mark.initial_events_end),
        Ok(WatchEvent::Error(status)) => format!("error {}", status.code),
        Err(error) => format!("failed undecodable={}", error.is_undecodable()),
    });
    events.collect().await
}

#[track_caller]
fn check(events: impl IntoIterator<Item = Part>, expect: &[&str]) {
    let steps = [(format!("GET {PATH}?watch=true"), Reply::watch(events))];
    let (got, requests) = dialogue(steps, async |client| watched(&client).await);
    assert_eq!(got, expect);
    assert!(header(&requests[0], "Accept").contains("as=Table"));
}

#[test]
fn every_event_of_a_watch_has_the_columns_of_the_first() {
    check(
        [
            event("ADDED", &table(COLUMNS, &format!("[{}]", row("a", "1")))),
            event("MODIFIED", &table("[]", &format!("[{}]", row("a", "2")))),
            event("DELETED", &table("null", &format!("[{}]", row("a", "2")))),
            event("ERROR", r#"{"kind":"Status","code":410}"#),
        ],
        &["added a(Name,Restarts)", "modified a(Name,Restarts)", "deleted a(Name,Restarts)", "error 410"],
    );
}

#[test]
fn a_bookmark_has_no_row_but_may_be_what_names_the_columns() {
    let marked = r#"{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}"#;
    let fake = format!(r#"[{{"cells":["","0"],"object":{marked}}}]"#);
    check(
        [
            event("BOOKMARK", &table(COLUMNS, &fake)),
            event("ADDED", &table("[]", &format!("[{}]", row("a", "1")))),
            event("BOOKMARK", &table("[]", r#"[{"cells":["","0"],"object":{"metadata":{}}}]"#)),
        ],
        &["mark 8 true", "added a(Name,Restarts)", "mark 8 false"],
    );
}

#[test]
fn a_row_that_cannot_be_read_does_not_end_the_watch() {
    check(
        [
            event("ADDED", &table(COLUMNS, r#"[{"cells":7}]"#)),
            event("ADDED", &table("[]", &format!("[{}]", row("b", "1")))),
        ],
        &["failed undecodable=true", "added b(Name,Restarts)"],
    );
}

#[test]
fn a_server_without_tables_gives_names_and_times() {
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","creationTimestamp":"2026-01-01T00:00:00Z"},
        "spec":{"nodeName":"n"}}"#;
    let list = format!(r#"{{"kind":"PodList","metadata":{{"resourceVersion":"8"}},"items":[{pod}]}}"#);
    let steps = [(format!("GET {PATH}"), ok(&list)), (format!("GET {PATH}/a"), ok(pod))];
    dialogue(steps, async |client| {
        let listed = pods(&client).list(&Default::default()).await.unwrap();
        assert_eq!(listed.resource_version, "8");
        let got = pods(&client).get("a", &Default::default()).await.unwrap();
        for table in [listed, got] {
            assert_eq!(
                table.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(),
                ["Name", "Created At"]
            );
            assert_eq!(table.rows[0].cells, [json!("a"), json!("2026-01-01T00:00:00Z")]);
            assert!(table.rows[0].object.as_ref().unwrap().get("spec").is_none(), "only the metadata was asked for");
        }
    });
    check([event("ADDED", pod)], &["added a(Name,Created At)"]);
}
