//! Lean types against what serde reads of the same objects.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{collections::BTreeMap, rc::Rc};

use masthead::{
    cache::Object,
    lean::{Cell, Interned, Lean, Projector, Row, Strings, Sum, Timestamp},
    rest::{Decoder, ListReader, MediaType},
};
use serde_json::{Value, json};

#[derive(Debug, Lean)]
struct PodRow {
    #[lean("spec.nodeName")]
    node: Option<Interned>,
    #[lean("status.phase")]
    phase: Interned,
    #[lean("status.podIP")]
    ip: Box<str>,
    #[lean("spec.priority")]
    priority: i64,
    #[lean("spec.hostNetwork")]
    host_network: bool,
    #[lean("spec.containers[*].image")]
    images: Vec<String>,
    #[lean("status.containerStatuses[*].restartCount")]
    restarts: Vec<u32>,
    #[lean("spec.containers[*].args[*]")]
    args: Vec<Rc<str>>,
    #[lean("metadata.labels")]
    labels: BTreeMap<Interned, String>,
    #[lean(r"metadata.labels.app\.kubernetes\.io/name")]
    app: Option<String>,
    #[lean("metadata.name")]
    name: String,
    #[lean("status.containerStatuses[*].restartCount")]
    all_restarts: Sum,
    #[lean("status.containerStatuses[*].ready")]
    ready: Sum,
    #[lean("status.startTime")]
    started: Timestamp,
    #[lean("spec.overhead")]
    overhead: Option<f64>,
}

fn pod() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": "web-1", "namespace": "shop", "uid": "0b5e", "resourceVersion": "42",
            "labels": { "app.kubernetes.io/name": "web", "tier": "front \"é\" \\ \u{1F980}" },
            "managedFields": [{ "manager": "kubelet", "fieldsV1": { "f:status": { "k:{\"type\":\"Ready\"}": {} } } }],
            "ownerReferences": [{ "kind": "ReplicaSet", "uid": "77" }],
        },
        "spec": {
            "nodeName": "node-7", "priority": -5, "hostNetwork": true, "overhead": 1.5e3,
            "containers": [{ "name": "a", "image": "a:1", "args": ["-x", "y"] }, { "image": "b:2", "args": [] },
                           { "name": "c" }],
        },
        "status": { "phase": "Running", "podIP": "10.0.0.1", "startTime": "1970-01-02T00:00:00Z",
                    "containerStatuses": [{ "restartCount": 3 }, { "ready": true }, { "restartCount": 0 }] },
    })
}

fn read(json: &str) -> Result<Row<PodRow>, String> {
    let read = Projector::<PodRow>::new().decode(MediaType::Json, json.as_bytes());
    read.map_err(|error| {
        assert!(error.is_undecodable());
        error.to_string()
    })
}

#[track_caller]
fn check(row: &Row<PodRow>) {
    assert_eq!((row.key().as_str(), row.resource_version(), row.uid()), ("shop/web-1", "42", "0b5e"));
    assert_eq!((row.node.as_deref(), row.phase.as_str(), &*row.ip), (Some("node-7"), "Running", "10.0.0.1"));
    assert_eq!((row.priority, row.host_network, row.overhead), (-5, true, Some(1500.0)));
    assert_eq!((&row.images[..], &row.restarts[..]), (&["a:1".to_owned(), "b:2".to_owned()][..], &[3, 0][..]));
    assert_eq!((row.all_restarts, row.ready, row.started.seconds()), (Sum(3), Sum(1), Some(86_400)));
    assert_eq!(row.args.iter().map(|arg| &**arg).collect::<Vec<_>>(), ["-x", "y"]);
    assert_eq!(row.labels["tier"], "front \"é\" \\ \u{1F980}");
    assert_eq!((row.labels.len(), row.app.as_deref(), row.name.as_str()), (2, Some("web"), "web-1"));
}

#[test]
fn reads_every_type_of_field_however_the_object_is_written() {
    let pod = pod();
    check(&read(&pod.to_string()).unwrap());
    check(&read(&serde_json::to_string_pretty(&pod).unwrap()).unwrap());
    check(&read(&pod.to_string().replace("nodeName", "nod\\u0065Name")).unwrap());
}

#[test]
fn what_an_object_does_not_have_stays_at_its_default() {
    let row = read(r#"{"metadata":{"name":"a"},"spec":null,"status":{"phase":null,"podIP":null,"x":[{}]}}"#).unwrap();
    assert_eq!((row.key().as_str(), row.resource_version(), row.uid()), ("a", "", ""));
    assert_eq!((&row.node, row.phase.as_str(), row.priority), (&None, "", 0));
    assert!(row.images.is_empty() && row.labels.is_empty() && row.app.is_none() && !row.host_network);
}

#[test]
fn a_value_of_another_type_is_told_with_its_path() {
    let of = |member: &str| read(&format!(r#"{{"metadata":{{"name":"a"}},{member}}}"#)).unwrap_err();
    let told = "read object: undecodable: ";
    assert_eq!(of(r#""spec":{"nodeName":5}"#), format!("{told}spec.nodeName: expected a text"));
    assert_eq!(of(r#""spec":{"priority":"5"}"#), format!("{told}spec.priority: expected a whole number"));
    let restarts = r#""status":{"containerStatuses":[{"restartCount":-1}]}"#;
    let path = "status.containerStatuses[*].restartCount";
    assert_eq!(of(restarts), format!("{told}{path}: expected a number without sign, of 32 bits"));
    assert_eq!(read(r#"{"metadata":{}}"#).unwrap_err(), format!("{told}metadata.name is missing"));
    assert_eq!(read(r#"{"metadata":{"name":"a"}"#).unwrap_err(), format!("{told}the object is cut"));
    assert_eq!(
        read(r#"{"metadata":{"name":"a"} "x"}"#).unwrap_err(),
        format!("{told}no JSON at byte 25 of the object")
    );
    assert_eq!(read("[]").unwrap_err(), format!("{told}no JSON at byte 0 of the object"));
}

#[test]
fn a_list_in_any_chunks_gives_the_rows_of_all_that_can_be_read() {
    let items: Vec<Value> = (0..9)
        .map(|n| {
            let mut pod = pod();
            pod["metadata"]["name"] = format!("web-{n}").into();
            if n == 4 {
                pod["spec"]["nodeName"] = json!({});
            }
            pod
        })
        .collect();
    let list = json!({ "metadata": { "resourceVersion": "9" }, "items": items }).to_string();
    for size in [1, 7, 64, 1000, list.len()] {
        let mut reader = ListReader::<Row<PodRow>>::new("list pods", MediaType::Json, Rc::new(Projector::new()));
        let (mut names, mut skipped) = (Vec::new(), Vec::new());
        for chunk in list.as_bytes().chunks(size) {
            reader.push(chunk.to_vec());
            while let Some(batch) = reader.next_batch().unwrap() {
                names.extend(batch.objects.iter().map(|row| row.name.clone()));
                skipped.extend(batch.skipped.iter().map(ToString::to_string));
            }
        }
        let expect: Vec<String> = [0, 1, 2, 3, 5, 6, 7, 8].map(|n| format!("web-{n}")).into();
        assert_eq!(
            (names, skipped),
            (expect, vec!["list pods: shop/web-4: undecodable: spec.nodeName: expected a text".to_owned()])
        );
        assert_eq!(reader.finish().unwrap().resource_version, "9");
    }
}

#[test]
fn columns_are_chosen_at_run_time() {
    let paths = [
        "spec.nodeName",
        "spec.containers[*].image",
        "spec.priority",
        "spec.hostNetwork",
        "spec.none",
        "spec.containers[*].args",
        "status.containerStatuses[*].restartCount",
    ];
    let strings = Strings::new();
    let columns = Projector::of_paths(&paths).unwrap().strings(&strings);
    let row = columns.decode(MediaType::Json, pod().to_string().as_bytes()).unwrap();
    let shown: Vec<String> = (0..=paths.len()).map(|place| row.get(place).to_string()).collect();
    assert_eq!(shown, ["node-7", "a:1,b:2", "-5", "true", "", "[\"-x\",\"y\"],[]", "3,0", ""]);
    assert_eq!((row.get(0), row.get(2)), (&Cell::Text(strings.intern("node-7")), &Cell::Number(-5.0)));
    let wrong = Projector::of_paths(&["a[7]"]).unwrap_err();
    assert!(wrong.is_invalid_request(), "{wrong}");
}

#[test]
fn rows_tell_their_memory() {
    let row = read(&pod().to_string()).unwrap();
    let bare = read(r#"{"metadata":{"name":"a"}}"#).unwrap();
    let texts = "10.0.0.1".len() + "a:1b:2".len() + "web-1".len() + "web".len();
    assert!(row.bytes() > bare.bytes() + texts + 2 * size_of::<String>(), "{} {}", row.bytes(), bare.bytes());
    assert!(row.bytes() < 1200, "{}", row.bytes());
}
