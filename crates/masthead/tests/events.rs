//! Recorders of `events.k8s.io/v1` events: the series they become, and when those are written.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod fake_sink;
mod replies;

use std::{cell::RefCell, rc::Rc, time::Duration};

use fake_sink::{FakeSink, Reply, pod};
use k8s_openapi::api::events::v1::Event;
use masthead::{
    events::{AnyRecorder, BroadcasterOptions, EventBroadcaster, EventBroadcasterAdapter, EventRecorder, FakeRecorder},
    record::{ClientSink, EventCounts, EventType, RecordingHandle},
    rest::{Config, RestClient},
    runtime::VirtualTime,
};
use masthead_sim::Sim;
use replies::Script;
use serde_json::{Value, json};

const MINUTE: Duration = Duration::from_secs(60);

struct World {
    time: VirtualTime,
    sink: Rc<FakeSink<Event>>,
    broadcaster: EventBroadcaster,
    recording: RecordingHandle,
    recorder: EventRecorder,
}

fn world(answer: impl Fn(usize, &fake_sink::Call<Event>) -> Reply + 'static) -> World {
    let time = VirtualTime::new();
    let sink = FakeSink::new(&time, answer);
    let broadcaster = EventBroadcaster::new(&time.runtime(), Rc::clone(&sink) as _, BroadcasterOptions::default());
    let recording = broadcaster.start_recording_to_sink().unwrap();
    let recorder = broadcaster.new_recorder("eventTest", "here");
    World { time, sink, broadcaster, recording, recorder }
}

impl World {
    fn record(&self, action: &str) {
        let (regarding, related) = (pod("foo"), pod("other"));
        let note = format_args!("some verbose message: {}", 1);
        self.recorder.eventf(&regarding, Some(&related), EventType::Normal, "test", action, note);
    }

    /// The requests since `from`, as in `create started`, `patch started 2`.
    fn since(&self, from: usize) -> Vec<String> {
        self.time.settle();
        let show = |call: &fake_sink::Call<Event>| {
            let count = call.event.series.as_ref().map(|series| format!(" {}", series.count)).unwrap_or_default();
            format!("{} {}{count}", call.verb, call.event.action.as_deref().unwrap_or_default())
        };
        self.sink.calls()[from..].iter().map(show).collect()
    }
}

/// EV-01 and EV-05.
#[test]
fn ev_01_equal_events_are_one_with_a_series() {
    let world = world(|_, _| Reply::Done);
    world.record("started");
    world.record("started");
    assert_eq!(world.since(0), ["create started", "patch started 2"]);
    world.record("stopped");
    assert_eq!(world.since(2), ["create stopped"]);
    world.record("started");
    world.record("started");
    assert!(world.since(3).is_empty(), "the third and the fourth are only counted");
    assert_eq!(world.recording.counts(), EventCounts { written: 3, merged: 2, ..EventCounts::default() });

    let calls = world.sink.calls();
    let mut first = serde_json::to_value(&calls[0].event).unwrap();
    assert!(first["metadata"]["name"].take().as_str().unwrap().starts_with("foo."));
    let object = |name: &str| serde_json::to_value(pod(name)).unwrap();
    let expected = json!({
        "apiVersion": "events.k8s.io/v1", "kind": "Event",
        "metadata": { "name": null, "namespace": "baz" },
        "eventTime": "2026-01-01T00:00:00.000000Z",
        "reportingController": "eventTest", "reportingInstance": "eventTest-here",
        "action": "started", "reason": "test", "regarding": object("foo"), "related": object("other"),
        "note": "some verbose message: 1", "type": "Normal",
    });
    assert_eq!(first, expected);
    let patch = calls[1].patch.clone().unwrap();
    assert_eq!(patch, json!({ "series": { "count": 2, "lastObservedTime": "2026-01-01T00:00:00.000000Z" } }));
}

#[test]
fn ev_03_a_series_is_refreshed_every_half_hour_even_if_that_fails() {
    let world = world(|_, call| match call.event.series.as_ref().map(|series| series.count) {
        Some(3..) => Reply::refused(500, ""),
        _ => Reply::Done,
    });
    for _ in 0..3 {
        world.record("started");
    }
    assert_eq!(world.since(0).len(), 2);
    // It goes on, or it would be over after six minutes.
    for _ in 0..18 {
        world.time.advance(5 * MINUTE);
        world.record("started");
    }
    world.time.settle();
    let refreshed: Vec<(u64, String)> =
        world.sink.calls()[2..].iter().map(|call| call.at.as_secs() / 60).zip(world.since(2)).collect();
    let patch = |minute, count: u32| (minute, format!("patch started {count}"));
    assert_eq!(refreshed, [patch(30, 8), patch(60, 14), patch(90, 20)]);
}

#[test]
fn a_series_that_is_over_is_written_for_the_last_time_and_a_single_event_forgotten() {
    let world = world(|_, _| Reply::Done);
    for action in ["started", "started", "started", "once"] {
        world.record(action);
    }
    assert_eq!(world.since(0).len(), 3);
    world.time.advance(7 * MINUTE);
    assert!(world.since(3).is_empty());
    world.time.advance(6 * MINUTE);
    assert_eq!(world.since(3), ["patch started 3"]);
    world.time.advance(60 * MINUTE);
    assert!(world.since(4).is_empty());
    world.record("started");
    world.record("once");
    assert_eq!(world.since(4), ["create started", "create once"]);
}

#[test]
fn a_failed_write_is_tried_twelve_times_with_pauses_that_chance_makes_longer() {
    let world = world(|_, _| Reply::lost());
    world.record("started");
    world.time.run(world.recording.flushed());
    let times: Vec<f64> = world.sink.calls().iter().map(|call| call.at.as_secs_f64()).collect();
    let waits: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(waits.len(), 11);
    assert!(waits.iter().all(|wait| (10.0..12.5).contains(wait)), "{waits:?}");
    assert!(waits.iter().any(|wait| *wait > 10.5), "{waits:?}");
    assert_eq!(world.recording.counts(), EventCounts { abandoned: 1, ..EventCounts::default() });
}

#[test]
fn a_series_whose_event_is_gone_is_created() {
    let world = world(|_, call| if call.verb == "patch" { Reply::refused(404, "NotFound") } else { Reply::Done });
    world.record("started");
    world.record("started");
    assert_eq!(world.since(0), ["create started", "patch started 2", "create started 2"]);
    let calls = world.sink.calls();
    assert_eq!(calls[2].event.metadata.name, calls[0].event.metadata.name);
    assert_eq!(calls[2].event.metadata.resource_version, None);
}

#[test]
fn a_change_that_finds_nothing_and_a_creation_that_finds_something_are_followed_by_a_change() {
    let world = world(|before, _| match before {
        1 => Reply::refused(404, "NotFound"),
        2 => Reply::refused(409, "AlreadyExists"),
        _ => Reply::Done,
    });
    world.record("started");
    world.record("started");
    world.time.run(world.recording.flushed());
    assert_eq!(world.since(0), ["create started", "patch started 2", "create started 2", "patch started 2"]);
    assert_eq!(world.recording.counts(), EventCounts { written: 2, ..EventCounts::default() });
}

#[test]
fn ev_04_two_equal_events_in_a_moment_are_one_stored_event_with_a_series() {
    let time = VirtualTime::new();
    let sim = Sim::new(time.runtime());
    let config = Config { qps: -1.0, ..Config::new("http://sim", Rc::new(sim), time.runtime()) };
    let client = RestClient::new(config).unwrap();
    let broadcaster =
        EventBroadcaster::new(&time.runtime(), Rc::new(ClientSink::new(&client)), BroadcasterOptions::default());
    let recording = broadcaster.start_recording_to_sink().unwrap();
    let recorder = broadcaster.new_recorder("test", "here");
    let nothing = k8s_openapi::api::core::v1::ObjectReference::default();
    for _ in 0..2 {
        recorder.eventf(&nothing, None, EventType::Normal, "reason", "action", format_args!(""));
    }
    time.run(recording.flushed());
    let events = masthead::typed::Client::<Event>::namespaced(&client, "default");
    let stored = time.run(events.list(&Default::default())).unwrap().items;
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].series.as_ref().map(|series| series.count), Some(2));
    assert_eq!(recording.counts(), EventCounts { written: 2, ..EventCounts::default() });
}

#[test]
fn events_are_logged_and_watched_until_a_shutdown() {
    let world = world(|_, _| Reply::lost());
    let lines: Rc<RefCell<Vec<String>>> = Rc::default();
    let (logged, watched) = (Rc::clone(&lines), Rc::clone(&lines));
    let log = move |message: &str, values: &[(&str, &str)]| {
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        logged.borrow_mut().push(format!("{message} {}", values.join(" ")));
    };
    let _logging = world.broadcaster.start_structured_logging(log).unwrap();
    let watch = move |event: &Event| watched.borrow_mut().push(format!("{:?}", event.series));
    let _watching = world.broadcaster.start_event_watcher(watch).unwrap();
    world.record("started");
    world.broadcaster.shutdown();
    world.time.settle();
    let line = "Event occurred object=baz/foo kind=Pod apiVersion=v1 type=Normal reason=test action=started note=some verbose message: 1";
    assert_eq!(*lines.borrow(), [line, "None"]);
    assert_eq!(world.recording.counts(), EventCounts { abandoned: 1, ..EventCounts::default() });
    assert_eq!(world.time.next_timer(), None, "no round is waited for any more");
    assert!(world.broadcaster.start_recording_to_sink().unwrap_err().is_closed());
}

#[test]
fn a_fake_keeps_what_was_recorded_and_drops_what_is_too_much() {
    let fake = FakeRecorder::new(2);
    let recorder = fake.recorder();
    for number in 0..3 {
        recorder.eventf(&pod("foo"), None, EventType::Warning, "Failed", "Pulling", format_args!("{number}"));
    }
    assert_eq!((fake.lines(), fake.dropped()), (vec!["Warning Failed 0".into(), "Warning Failed 1".into()], 1));
    assert!(fake.events().is_empty());
}

/// The path that an adapter's recorder writes to on a server that answers so about `events.k8s.io/v1`.
fn written_to(discovery: replies::Reply) -> (bool, String, Value) {
    let time = VirtualTime::new();
    let stored = replies::Reply::json(201, "{\"metadata\":{},\"involvedObject\":{}}");
    let script = Script::new(&time, [discovery, stored]);
    let adapter = time.run(EventBroadcasterAdapter::new(&script.client()));
    let _recordings = adapter.start_recording_to_sink().unwrap();
    let recorder = adapter.new_recorder("eventTest", "here");
    recorder.eventf(&pod("foo"), None, EventType::Warning, "Reason", "action", format_args!("note"));
    time.settle();
    adapter.shutdown();
    let request = &script.requests()[1];
    let body = serde_json::from_slice(request.body.as_ref().unwrap()).unwrap();
    (matches!(recorder, AnyRecorder::Events(_)), request.url.clone(), body)
}

#[test]
fn an_adapter_writes_to_the_api_that_the_server_has() {
    let served = replies::Reply::json(
        200,
        r#"{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"events.k8s.io/v1","resources":[]}"#,
    );
    let (is_new, url, body) = written_to(served);
    assert!(is_new && url.ends_with("/apis/events.k8s.io/v1/namespaces/baz/events"), "{url}");
    assert_eq!((&body["action"], &body["note"]), (&json!("action"), &json!("note")));
    let (is_new, url, body) = written_to(replies::Reply::json(404, "{}"));
    assert!(!is_new && url.ends_with("/api/v1/namespaces/baz/events"), "{url}");
    assert_eq!((&body["source"]["component"], &body["message"]), (&json!("eventTest"), &json!("note")));
}
