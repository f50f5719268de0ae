//! A thousand events of thirty kinds, recorded by Masthead and by client-go: the server has the same of both.

use std::rc::Rc;

use k8s_openapi::api::{
    core::v1::{EventSource, ObjectReference},
    events::v1::Event,
};
use masthead::{
    events,
    record::{self, ClientSink, EventCounts, EventType, RecordingHandle},
    rest::RestClient,
};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::remote::{self, Proxy};

/// What both record.
const SCRIPT: &str = include_str!("../../../../tests/peers/client-go/record/events.txt");
const COMPONENT: &str = "masthead-test";

/// One line of the script.
struct Kind {
    object: ObjectReference,
    type_: EventType,
    reason: &'static str,
    message: &'static str,
    times: u32,
}

fn kinds(namespace: &str) -> Vec<Kind> {
    let owned = |text: &str| Some(text.to_owned());
    let lines = SCRIPT.lines().filter(|line| !line.starts_with('#'));
    let kind = |line: &'static str| {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        let object = ObjectReference {
            kind: owned("Pod"),
            api_version: owned("v1"),
            namespace: owned(namespace),
            name: owned(words[0]),
            uid: owned("0"),
            field_path: owned("spec"),
            ..ObjectReference::default()
        };
        let (type_, times) = (words[1].parse().unwrap(), words[3].parse().unwrap());
        Kind { object, type_, reason: words[2], message: words[4], times }
    };
    lines.map(kind).collect()
}

/// Records the kinds in turns until each has had all of its repetitions. Returns the number of events.
fn record_all(namespace: &str, record_one: impl Fn(&Kind, &str)) -> u64 {
    let (kinds, mut recorded) = (kinds(namespace), 0);
    assert_eq!(kinds.len(), 30);
    for number in 0..kinds.iter().map(|kind| kind.times).max().unwrap() {
        for kind in kinds.iter().filter(|kind| number < kind.times) {
            record_one(kind, &kind.message.replace('N', &number.to_string()));
            recorded += 1;
        }
    }
    recorded
}

/// An event without what no two recorders have in common: times, versions, uids, and the time in a name.
fn masked(mut event: Value, object: &str) -> String {
    let about = event[object]["name"].as_str().unwrap().to_owned();
    let name = event["metadata"]["name"].as_str().unwrap();
    let name = if name.starts_with(&format!("{about}.")) { "object.time" } else { "uuid" };
    let annotations = event["metadata"]["annotations"].take();
    event["metadata"] = json!({ "name": name, "annotations": annotations });
    event[object]["namespace"] = json!("masked");
    mask_times(&mut event);
    if let Some(instance) = event["reportingInstance"].as_str() {
        let is_named = instance.strip_prefix(COMPONENT).is_some_and(|host| host.starts_with('-'));
        event["reportingInstance"] = json!(if is_named { "component-host" } else { instance });
    }
    event.to_string()
}

fn mask_times(value: &mut Value) {
    let Some(fields) = value.as_object_mut() else { return };
    for (name, field) in fields {
        if field.is_string() && (name.ends_with("Timestamp") || name.ends_with("Time")) {
            *field = json!("time");
        }
        mask_times(field);
    }
}

/// Compares what is in two namespaces, by what `kubectl get` shows of it.
async fn check_same(resource: &str, object: &str, [ours, theirs]: [&str; 2]) -> Vec<String> {
    let mut shown = Vec::new();
    for namespace in [ours, theirs] {
        let events = remote::kubectl_get_json(resource, namespace).await;
        let mut events: Vec<String> = events.into_iter().map(|event| masked(event, object)).collect();
        events.sort();
        shown.push(events);
    }
    let (theirs, ours) = (shown.pop().unwrap(), shown.pop().unwrap());
    let missing: Vec<&String> = theirs.iter().filter(|event| !ours.contains(event)).collect();
    let added: Vec<&String> = ours.iter().filter(|event| !theirs.contains(event)).collect();
    assert!(missing.is_empty() && added.is_empty(), "only client-go's: {missing:#?}\nonly Masthead's: {added:#?}");
    assert_eq!(ours, theirs);
    ours
}

fn check_none_lost(counts: EventCounts, recorded: u64) {
    let EventCounts { dropped, rejected, abandoned, pending, filtered, merged, written } = counts;
    assert_eq!((recorded, dropped, rejected, abandoned, pending), (1000, 0, 0, 0, 0));
    assert_eq!(filtered + merged + written, recorded);
}

async fn namespaces(client: &RestClient) -> [String; 2] {
    [remote::namespace(client).await, remote::namespace(client).await]
}

#[wasm_bindgen_test]
async fn a_thousand_core_events_are_stored_as_client_go_stores_them() {
    let client = Proxy::start("admin").await.client();
    let [ours, theirs] = namespaces(&client).await;
    let broadcaster = record::EventBroadcaster::new(&client.config().runtime, Default::default());
    let recording: RecordingHandle = broadcaster.start_recording_to_sink(Rc::new(ClientSink::new(&client))).unwrap();
    let recorder = broadcaster.new_recorder(EventSource { component: Some(COMPONENT.into()), host: None });
    let recorded = record_all(&ours, |kind, message| recorder.event(&kind.object, kind.type_, kind.reason, message));
    recording.flushed().await;
    check_none_lost(recording.counts(), recorded);

    remote::client_go_records("core", &theirs).await;
    let stored = check_same("events", "involvedObject", [&ours, &theirs]).await;
    assert!(stored.len() > 100, "each kind is there, some of them many times: {}", stored.len());
    assert!(stored.iter().any(|event| event.contains("\"count\":25")), "{stored:#?}");
    assert!(stored.iter().any(|event| event.contains("(combined from similar events): ")));
    for namespace in [ours, theirs] {
        remote::forget(&client, &namespace).await;
    }
}

#[wasm_bindgen_test]
async fn a_thousand_events_with_series_are_stored_as_client_go_stores_them() {
    let client = Proxy::start("admin").await.client();
    let [ours, theirs] = namespaces(&client).await;
    let sink = Rc::new(ClientSink::<Event>::new(&client));
    let broadcaster = events::EventBroadcaster::new(&client.config().runtime, sink, Default::default());
    let recording = broadcaster.start_recording_to_sink().unwrap();
    let recorder = broadcaster.new_recorder(COMPONENT, "page");
    let record_one = |kind: &Kind, _: &str| {
        recorder.eventf(&kind.object, None, kind.type_, kind.reason, "Testing", format_args!("{}", kind.message));
    };
    let recorded = record_all(&ours, record_one);
    recording.flushed().await;
    check_none_lost(recording.counts(), recorded);

    remote::client_go_records("events", &theirs).await;
    let stored = check_same("events.v1.events.k8s.io", "regarding", [&ours, &theirs]).await;
    assert_eq!(stored.len(), 30);
    assert_eq!(stored.iter().filter(|event| event.contains("\"series\":{\"count\":2")).count(), 29);
    for namespace in [ours, theirs] {
        remote::forget(&client, &namespace).await;
    }
}
