//! Recorders of `core/v1` events: the events they make, how a sink writes them, and how they are counted.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod fake_sink;
mod replies;

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};

use fake_sink::{FakeSink, Reply, pod};
use k8s_openapi::{
    api::core::v1::{Event, EventSource, ObjectReference, Pod},
    apimachinery::pkg::apis::meta::v1::Time,
    jiff::Timestamp,
};
use kube_core::ObjectMeta;
use masthead::{
    Error,
    record::{
        self, BroadcasterOptions, ClientSink, EventBroadcaster, EventCounts, EventRecorder, EventType, RecorderCounts,
        RecordingHandle,
    },
    rest::Method,
    runtime::VirtualTime,
    watch::WhenFull,
};
use replies::Script;
use serde_json::{Value, json};

const SECOND: Duration = Duration::from_secs(1);

/// A broadcaster with one recorder and the lines of what was lost.
struct World {
    time: VirtualTime,
    broadcaster: EventBroadcaster,
    recorder: EventRecorder,
    losses: Rc<RefCell<Vec<String>>>,
}

impl World {
    fn new(options: BroadcasterOptions) -> World {
        let time = VirtualTime::new();
        let losses: Rc<RefCell<Vec<String>>> = Rc::default();
        let lines = Rc::clone(&losses);
        let on_lost_event: record::LostEventHandler = Rc::new(move |loss| lines.borrow_mut().push(loss.to_string()));
        let broadcaster = EventBroadcaster::new(
            &time.runtime(),
            BroadcasterOptions { on_lost_event: Some(on_lost_event), ..options },
        );
        let source = EventSource { component: Some("eventTest".into()), host: Some("here".into()) };
        let recorder = broadcaster.new_recorder(source);
        World { time, broadcaster, recorder, losses }
    }

    fn sink(
        &self,
        answer: impl Fn(usize, &fake_sink::Call<Event>) -> Reply + 'static,
    ) -> (Rc<FakeSink<Event>>, RecordingHandle) {
        let sink = FakeSink::new(&self.time, answer);
        let recording = self.broadcaster.start_recording_to_sink(Rc::clone(&sink) as _).unwrap();
        (sink, recording)
    }

    /// Records an event about an object of this name.
    fn record(&self, object: &str) {
        self.recorder.event(&pod(object), EventType::Normal, "Started", "some message");
    }

    fn flush(&self, recording: &RecordingHandle) {
        self.time.run(recording.flushed());
    }
}

fn world() -> World {
    World::new(BroadcasterOptions::default())
}

fn object_of(event: &Event) -> &str {
    event.involved_object.name.as_deref().unwrap()
}

#[test]
fn an_event_says_what_happened_to_what_and_when() {
    let world = world();
    let (sink, recording) = world.sink(|_, _| Reply::Done);
    world.recorder.eventf(&pod("foo"), EventType::Normal, "Started", format_args!("some verbose message: {}", 1));
    world.flush(&recording);
    let calls = sink.calls();
    let mut event = serde_json::to_value(&calls[0].event).unwrap();
    let name = event["metadata"]["name"].take();
    assert!(name.as_str().unwrap().strip_prefix("foo.").is_some_and(|time| u64::from_str_radix(time, 16).is_ok()));
    let expected = json!({
        "apiVersion": "v1", "kind": "Event",
        "metadata": { "name": null, "namespace": "baz" },
        "involvedObject": {
            "kind": "Pod", "namespace": "baz", "name": "foo", "uid": "bar", "apiVersion": "v1",
            "fieldPath": "spec.containers[2]",
        },
        "reason": "Started", "message": "some verbose message: 1", "type": "Normal", "count": 1,
        "source": { "component": "eventTest", "host": "here" },
        "reportingComponent": "eventTest", "reportingInstance": "here",
        "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:00:00Z",
    });
    assert_eq!(event, expected);
    assert_eq!(world.broadcaster.recorder_counts(), RecorderCounts { accepted: 1, refused: 0 });
    assert_eq!(recording.counts(), EventCounts { written: 1, ..EventCounts::default() });
}

#[test]
fn an_event_may_have_annotations_and_lie_in_the_past() {
    let world = world();
    let (sink, recording) = world.sink(|_, _| Reply::Done);
    let notes = BTreeMap::from([("a".to_owned(), "1".to_owned())]);
    world.recorder.annotated_eventf(&pod("foo"), notes.clone(), EventType::Warning, "Noted", format_args!("x"));
    let past = Time(Timestamp::from_second(1000).unwrap());
    world.recorder.past_eventf(&pod("foo"), past.clone(), EventType::Normal, "Was", format_args!("{}", "long ago"));
    world.flush(&recording);
    let calls = sink.calls();
    assert_eq!(calls[0].event.metadata.annotations, Some(notes));
    assert_eq!(calls[0].event.type_.as_deref(), Some("Warning"));
    let last = &calls[1].event;
    assert_eq!((&last.first_timestamp, &last.last_timestamp), (&Some(past.clone()), &Some(past)));
    assert_eq!((last.message.as_deref(), &last.metadata.annotations), (Some("long ago"), &None));
}

#[test]
fn es_06_an_event_lies_in_the_namespace_of_its_object_or_in_default() {
    let world = world();
    let (sink, recording) = world.sink(|_, _| Reply::Done);
    world.record("foo");
    for namespace in [None, Some(String::new())] {
        let object = ObjectReference { namespace, ..pod("node") };
        world.recorder.event(&object, EventType::Normal, "Started", "x");
    }
    world.flush(&recording);
    let namespaces: Vec<_> = sink.calls().into_iter().map(|call| call.event.metadata.namespace.unwrap()).collect();
    assert_eq!(namespaces, ["baz", "default", "default"]);
}

#[test]
fn a_reference_names_its_object_and_version() {
    let metadata = ObjectMeta {
        name: Some("foo".into()),
        namespace: Some("baz".into()),
        uid: Some("bar".into()),
        resource_version: Some("7".into()),
        ..ObjectMeta::default()
    };
    let made = record::reference(&Pod { metadata, ..Pod::default() }, &());
    let version = Some("7".to_owned());
    assert_eq!(made, ObjectReference { field_path: None, resource_version: version, ..pod("foo") });
}

#[test]
fn es_05_events_are_logged_as_client_go_does() {
    let world = world();
    let lines: Rc<RefCell<Vec<String>>> = Rc::default();
    let (plain, structured) = (Rc::clone(&lines), Rc::clone(&lines));
    let _logging = world.broadcaster.start_logging(move |line| plain.borrow_mut().push(line.to_owned())).unwrap();
    let log = move |message: &str, values: &[(&str, &str)]| {
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        structured.borrow_mut().push(format!("{message:?} {}", values.join(" ")));
    };
    let _structured = world.broadcaster.start_structured_logging(log).unwrap();
    world.recorder.eventf(&pod("foo"), EventType::Normal, "Started", format_args!("some verbose message: {}", 1));
    world.time.settle();
    assert_eq!(
        *lines.borrow(),
        [
            "Event(v1.ObjectReference{Kind:\"Pod\", Namespace:\"baz\", Name:\"foo\", UID:\"bar\", APIVersion:\"v1\", ResourceVersion:\"\", FieldPath:\"spec.containers[2]\"}): type: 'Normal' reason: 'Started' some verbose message: 1",
            "\"Event occurred\" object=\"baz/foo\" fieldPath=\"spec.containers[2]\" kind=\"Pod\" apiVersion=\"v1\" type=\"Normal\" reason=\"Started\" message=\"some verbose message: 1\"",
        ]
    );
}

#[test]
fn a_watcher_gets_events_as_they_were_recorded_until_it_is_dropped() {
    let world = world();
    let seen: Rc<RefCell<Vec<Option<i32>>>> = Rc::default();
    let (record, recorder) = (Rc::clone(&seen), world.recorder.clone());
    let watching = world
        .broadcaster
        .start_event_watcher(move |event| {
            record.borrow_mut().push(event.count);
            if object_of(event) == "first" {
                recorder.event(&pod("from inside"), EventType::Normal, "Started", "");
            }
        })
        .unwrap();
    world.record("first");
    world.record("second");
    world.time.settle();
    assert_eq!(*seen.borrow(), [Some(1); 3]);
    drop(watching);
    world.record("third");
    world.time.settle();
    assert_eq!(seen.borrow().len(), 3);
}

/// How often one event is tried, when the sink answers with `first` and then with `others`.
#[track_caller]
fn check_tries(first: Reply, others: Reply, tries: usize, expect: EventCounts) {
    let world = world();
    let (sink, recording) = world.sink(move |before, _| if before == 0 { first.clone() } else { others.clone() });
    world.record("foo");
    world.flush(&recording);
    assert_eq!((sink.calls().len(), recording.counts()), (tries, expect));
    assert_eq!(world.losses.borrow().len() as u64, expect.rejected + expect.abandoned);
}

#[test]
fn es_01_what_the_server_says_ends_it_and_all_else_is_tried_twelve_times() {
    let (written, rejected) =
        (EventCounts { written: 1, ..EventCounts::default() }, EventCounts { rejected: 1, ..EventCounts::default() });
    let abandoned = EventCounts { abandoned: 1, ..EventCounts::default() };
    let never_made = Reply::Fails(Error::invalid("write event", "no namespace"));
    check_tries(never_made, Reply::Done, 1, rejected);
    for (code, reason) in [(403, "Forbidden"), (409, "AlreadyExists"), (422, "Invalid"), (500, ""), (404, "")] {
        check_tries(Reply::refused(code, reason), Reply::Done, 1, rejected);
    }
    check_tries(Reply::lost(), Reply::lost(), 12, abandoned);
    check_tries(Reply::lost(), Reply::Done, 2, written);
}

#[test]
fn es_01_an_answer_that_cannot_be_read_is_asked_for_again() {
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], replies::Reply::json(201, "{\"metadata\": 7}"));
    let broadcaster = EventBroadcaster::new(&time.runtime(), BroadcasterOptions::default());
    let recording = broadcaster.start_recording_to_sink(Rc::new(ClientSink::new(&script.client()))).unwrap();
    broadcaster.new_recorder(EventSource::default()).event(&pod("foo"), EventType::Normal, "Started", "x");
    time.run(recording.flushed());
    assert_eq!((script.count(), recording.counts().abandoned), (12, 1));
}

#[test]
fn a_failed_write_is_tried_every_ten_seconds_after_a_random_first_pause() {
    let world = world();
    let (sink, recording) = world.sink(|_, _| Reply::lost());
    world.record("foo");
    world.flush(&recording);
    let times: Vec<Duration> = sink.calls().iter().map(|call| call.at).collect();
    let waits: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(waits[0] < 10 * SECOND && waits[0] > Duration::ZERO, "{waits:?}");
    assert_eq!(waits[1..], [10 * SECOND; 10]);
    let losses = world.losses.borrow();
    assert!(losses[0].contains("(retry limit exceeded): write event: no answer from the server"), "{losses:?}");
}

#[test]
fn es_02_a_change_of_an_event_that_is_gone_creates_it() {
    let world = world();
    let (sink, recording) = world.sink(|before, call| match (before, call.verb) {
        (1, "patch") => Reply::refused(404, "NotFound"),
        _ => Reply::Done,
    });
    for _ in 0..3 {
        world.record("foo");
        world.flush(&recording);
    }
    assert_eq!(sink.verbs(), ["create", "patch", "create", "patch"]);
    let calls = sink.calls();
    let (patched, created) = (&calls[1], &calls[2]);
    assert_eq!(created.event.metadata.resource_version, None);
    assert_eq!((created.event.count, created.event.metadata.name.is_some()), (Some(2), true));
    assert!(calls.iter().all(|call| call.event.metadata.name == created.event.metadata.name));
    assert_eq!(patched.patch.as_ref().unwrap()["count"], json!(2));
    assert_eq!(calls[3].patch.as_ref().unwrap()["count"], json!(3));
}

#[test]
fn es_03_after_a_shutdown_each_event_has_one_attempt() {
    let world = world();
    let (sink, recording) = world.sink(|_, _| Reply::lost());
    world.record("foo");
    world.broadcaster.shutdown();
    world.time.settle();
    assert_eq!((sink.calls().len(), recording.counts().abandoned), (1, 1));
    assert_eq!(world.time.next_timer(), None, "nothing is tried again");

    world.record("too late");
    assert_eq!(world.broadcaster.recorder_counts(), RecorderCounts { accepted: 1, refused: 1 });
    assert!(world.losses.borrow()[1].ends_with("broadcaster already stopped"));
    let refused = world.broadcaster.start_recording_to_sink(FakeSink::accepting(&world.time)).unwrap_err();
    assert!(refused.is_closed(), "{refused}");
    world.broadcaster.shutdown();
}

#[test]
fn a_shutdown_writes_what_waits_and_gives_up_what_failed_before() {
    let world = world();
    let (sink, recording) = world
        .sink(|_, call| if object_of(&call.event) == "bad" { Reply::lost() } else { Reply::after(1, Reply::Done) });
    world.record("bad");
    world.time.settle();
    for object in 0..10 {
        world.record(&format!("good-{object}"));
    }
    drop(world.broadcaster);
    world.time.settle();
    assert_eq!(recording.counts(), EventCounts { abandoned: 1, pending: 10, ..EventCounts::default() });
    world.time.advance(3 * SECOND);
    assert_eq!(recording.counts(), EventCounts { abandoned: 1, written: 10, ..EventCounts::default() });
    assert_eq!(sink.calls().len(), 11);
}

#[test]
fn es_07_a_thousand_events_arrive_although_each_fails_four_times() {
    let world = world();
    let failures: RefCell<BTreeMap<String, u32>> = RefCell::default();
    let (sink, recording) = world.sink(move |_, call| {
        let mut failures = failures.borrow_mut();
        let count = failures.entry(object_of(&call.event).to_owned()).or_default();
        *count += 1;
        if *count <= 4 { Reply::lost() } else { Reply::Done }
    });
    for object in 0..1000 {
        world.record(&format!("pod-{object}"));
    }
    world.flush(&recording);
    assert_eq!(recording.counts(), EventCounts { written: 1000, ..EventCounts::default() });
    assert_eq!(sink.calls().len(), 5000);
    assert!(world.losses.borrow().is_empty());
}

#[test]
fn es_10_an_event_too_many_is_dropped_and_counted_and_the_caller_goes_on() {
    for settles in [false, true] {
        let world = world();
        let (sink, recording) = world.sink(|_, _| Reply::Silence);
        for object in 0..1001 {
            world.record(&format!("pod-{object}"));
            if settles {
                world.time.settle();
            }
        }
        world.time.settle();
        assert_eq!(
            recording.counts(),
            EventCounts { dropped: 1, pending: 1000, ..EventCounts::default() },
            "{settles}"
        );
        assert_eq!(sink.most_open(), 4, "no more than four requests at a time");
        let losses = world.losses.borrow();
        let line = "too many queued events, dropped event";
        assert!(losses.len() == 1 && losses[0].starts_with("unable to record event baz/pod-1000."), "{losses:?}");
        assert!(losses[0].ends_with(line), "{losses:?}");
    }
}

#[test]
fn with_waiting_nothing_is_lost_until_the_recorder_has_nowhere_to_put_it() {
    let options = BroadcasterOptions { queue: 3, when_full: WhenFull::Wait, ..BroadcasterOptions::default() };
    let slow = |_: usize, _: &fake_sink::Call<Event>| Reply::after(1, Reply::Done);
    let world = World::new(options.clone());
    let (_sink, recording) = world.sink(slow);
    for object in 0..20 {
        world.record(&format!("pod-{object}"));
        world.time.settle();
    }
    // Three on their way, one in the hand of the distributor, and two queues of three.
    assert_eq!(world.broadcaster.recorder_counts(), RecorderCounts { accepted: 10, refused: 10 });
    assert_eq!(world.losses.borrow().len(), 10);
    world.flush(&recording);
    assert_eq!(recording.counts(), EventCounts { written: 10, ..EventCounts::default() });

    let world = World::new(BroadcasterOptions { when_full: WhenFull::Drop, ..options });
    let (_sink, recording) = world.sink(slow);
    for object in 0..20 {
        world.record(&format!("pod-{object}"));
        world.time.settle();
    }
    assert_eq!(world.broadcaster.recorder_counts(), RecorderCounts { accepted: 20, refused: 0 });
    world.flush(&recording);
    assert_eq!(recording.counts(), EventCounts { written: 3, dropped: 17, ..EventCounts::default() });
}

#[test]
fn an_event_that_cannot_be_written_holds_nobody_else() {
    let world = world();
    let (sink, recording) = world.sink(|_, call| match object_of(&call.event) {
        "lost" => Reply::lost(),
        "hangs" => Reply::Silence,
        _ => Reply::Done,
    });
    world.record("lost");
    world.record("hangs");
    for object in 0..50 {
        world.record(&format!("pod-{object}"));
    }
    world.time.settle();
    assert_eq!(recording.counts(), EventCounts { written: 50, pending: 2, ..EventCounts::default() });
    assert_eq!(world.time.now(), masthead::runtime::Instant::ORIGIN);
    world.time.advance(200 * SECOND);
    assert_eq!(recording.counts(), EventCounts { written: 50, abandoned: 1, pending: 1, ..EventCounts::default() });
    drop(recording);
    assert_eq!(sink.open(), 0, "dropping it ends what is on its way");
}

#[test]
fn the_writes_of_one_event_go_in_order_and_the_last_count_says_it_all() {
    let world = world();
    let (sink, recording) = world.sink(|_, call| match call.verb {
        "create" => Reply::after(5, Reply::lost()),
        _ => Reply::Done,
    });
    for _ in 0..4 {
        world.record("foo");
        world.time.settle();
    }
    world.time.advance(200 * SECOND);
    let calls = sink.calls();
    assert_eq!(sink.verbs(), [&["create"; 12][..], &["patch"]].concat());
    assert_eq!(calls[12].patch.as_ref().unwrap()["count"], json!(4));
    assert!(calls[12].at >= calls[11].at + 5 * SECOND);
    assert_eq!(recording.counts(), EventCounts { abandoned: 1, merged: 2, written: 1, ..EventCounts::default() });
}

#[test]
fn every_sink_has_a_correlator_of_its_own() {
    let world = world();
    let (early, first) = world.sink(|_, _| Reply::Done);
    world.record("foo");
    world.flush(&first);
    let (late, second) = world.sink(|_, _| Reply::refused(500, ""));
    for _ in 0..30 {
        world.record("foo");
        world.flush(&first);
        world.flush(&second);
    }
    assert_eq!(early.verbs()[..2], ["create", "patch"]);
    assert_eq!(late.verbs()[..2], ["create", "patch"]);
    assert_eq!(first.counts(), EventCounts { written: 25, filtered: 6, ..EventCounts::default() });
    assert_eq!(second.counts(), EventCounts { rejected: 25, filtered: 5, ..EventCounts::default() });
}

#[test]
fn a_sink_over_a_client_writes_into_the_namespace_of_the_event() {
    let time = VirtualTime::new();
    let stored = |code| replies::Reply::json(code, "{\"metadata\":{},\"involvedObject\":{}}");
    let gone = replies::Reply::json(404, "{\"kind\":\"Status\",\"code\":404,\"reason\":\"NotFound\"}");
    let script = Script::new(&time, [stored(201), gone, stored(201)]);
    let broadcaster = EventBroadcaster::new(&time.runtime(), BroadcasterOptions::default());
    let recording = broadcaster.start_recording_to_sink(Rc::new(ClientSink::new(&script.client()))).unwrap();
    let recorder = broadcaster.new_recorder(EventSource::default());
    recorder.event(&pod("foo"), EventType::Normal, "Started", "x");
    recorder.event(&pod("foo"), EventType::Normal, "Started", "x");
    time.run(recording.flushed());
    assert_eq!(recording.counts(), EventCounts { written: 2, ..EventCounts::default() });
    let requests = script.requests();
    let collection = "http://localhost:8001/api/v1/namespaces/baz/events";
    let created: Value = serde_json::from_slice(requests[0].body.as_ref().unwrap()).unwrap();
    let name = created["metadata"]["name"].as_str().unwrap();
    let asked: Vec<(Method, &str)> = requests.iter().map(|request| (request.method, request.url.as_str())).collect();
    let one = format!("{collection}/{name}");
    assert_eq!(asked, [(Method::Post, collection), (Method::Patch, &one), (Method::Post, collection)]);
    let headers = format!("{:?}", requests[1].headers);
    assert!(headers.contains("application/strategic-merge-patch+json"), "{headers}");
    let patch: Value = serde_json::from_slice(requests[1].body.as_ref().unwrap()).unwrap();
    assert_eq!(patch, json!({ "count": 2, "lastTimestamp": "2026-01-01T00:00:00Z", "message": "x" }));
}

/// Whatever a sink answers, and whenever, each event that was accepted is counted once, and counts never go back.
#[test]
fn every_event_is_counted_once_whatever_happens() {
    for seed in 0..200 {
        let chance = Rc::new(masthead::runtime::Chance::new(seed));
        let queue = 1 + (chance.next() * 20.0) as usize;
        let when_full = if seed % 2 == 0 { WhenFull::Drop } else { WhenFull::Wait };
        let world = World::new(BroadcasterOptions { queue, when_full, ..BroadcasterOptions::default() });
        let dice = Rc::clone(&chance);
        let (sink, recording) = world.sink(move |_, _| {
            let reply = match (dice.next() * 10.0) as u32 {
                0..2 => Reply::lost(),
                2 => Reply::refused(404, "NotFound"),
                3 => Reply::refused(409, "AlreadyExists"),
                _ => Reply::Done,
            };
            Reply::after((dice.next() * 4.0) as u64, reply)
        });
        for _ in 0..300 {
            world.record(&format!("pod-{}", (chance.next() * 15.0) as u32));
            if chance.next() < 0.3 {
                world.time.advance(Duration::from_secs_f64(chance.next() * 5.0));
            }
        }
        if seed % 5 == 0 {
            world.broadcaster.shutdown();
        }
        world.flush(&recording);
        let EventCounts { dropped, filtered, merged, written, rejected, abandoned, pending } = recording.counts();
        let accounted = dropped + filtered + merged + written + rejected + abandoned;
        let RecorderCounts { accepted, refused } = world.broadcaster.recorder_counts();
        assert_eq!((accounted, pending, accepted + refused), (accepted, 0, 300), "seed {seed}");
        let mut counts: BTreeMap<String, i32> = BTreeMap::new();
        for call in sink.calls() {
            let (name, count) = (call.event.metadata.name.unwrap(), call.event.count.unwrap());
            let before = counts.insert(name, count).unwrap_or_default();
            assert!(before <= count, "seed {seed}: the count of one event goes from {before} to {count}");
        }
    }
}
