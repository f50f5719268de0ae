use k8s_openapi::jiff::Timestamp;
use kube_core::ObjectMeta;

use super::*;

fn event(object: &str, action: &str) -> Event {
    let owned = |text: &str| Some(text.to_owned());
    let regarding = ObjectReference { name: owned(object), ..ObjectReference::default() };
    let metadata = ObjectMeta { name: owned(object), ..ObjectMeta::default() };
    Event { metadata, regarding: Some(regarding), action: owned(action), ..Event::default() }
}

fn minute(minute: u64) -> (Instant, MicroTime) {
    let seconds = minute * 60;
    let time = Timestamp::from_second(i64::try_from(seconds).unwrap()).unwrap();
    (Instant::ORIGIN + Duration::from_secs(seconds), MicroTime(time))
}

/// `create pod`, `patch pod 2`.
fn shown(writes: &[EventWrite<Event>]) -> Vec<String> {
    let show = |write: &EventWrite<Event>| {
        let name = write.event().metadata.name.clone().unwrap_or_default();
        match (write, &write.event().series) {
            (EventWrite::Create(_), None) => format!("create {name}"),
            (EventWrite::Patch(_), Some(series)) => format!("patch {name} {}", series.count),
            other => panic!("{other:?}"),
        }
    };
    let mut shown: Vec<String> = writes.iter().map(show).collect();
    shown.sort();
    shown
}

fn observe(cache: &mut EventCache, event: &Event, at: u64) -> Vec<String> {
    let (now, time) = minute(at);
    shown(&cache.observe(event, now, time))
}

/// EV-01 and EV-05.
#[test]
fn ev_01_the_first_is_created_the_second_begins_a_series_and_others_count() {
    let mut cache = EventCache::default();
    assert_eq!(observe(&mut cache, &event("pod", "started"), 0), ["create pod"]);
    assert_eq!(observe(&mut cache, &event("pod", "started"), 1), ["patch pod 2"]);
    assert_eq!(observe(&mut cache, &event("pod", "stopped"), 1), ["create pod"]);
    for _ in 0..2 {
        assert!(observe(&mut cache, &event("pod", "started"), 2).is_empty());
    }
    let refreshed = cache.refresh_series();
    assert_eq!(shown(&refreshed), ["patch pod 4"]);
    let written = refreshed[0].event().series.as_ref().unwrap();
    assert_eq!(written.last_observed_time, minute(2).1);
    let patch = refreshed[0].patch().unwrap().to_string();
    assert_eq!(patch, r#"{"series":{"count":4,"lastObservedTime":"1970-01-01T00:02:00.000000Z"}}"#);
}

#[test]
fn any_other_field_makes_another_event_but_the_note_and_the_name() {
    let mut cache = EventCache::default();
    observe(&mut cache, &event("pod", "a"), 0);
    let with = |change: fn(&mut Event)| {
        let mut event = event("pod", "a");
        change(&mut event);
        event
    };
    let changes: [fn(&mut Event); 9] = [
        |event| event.type_ = Some("x".into()),
        |event| event.action = Some("x".into()),
        |event| event.reason = Some("x".into()),
        |event| event.reporting_controller = Some("x".into()),
        |event| event.reporting_instance = Some("x".into()),
        |event| event.regarding.as_mut().unwrap().resource_version = Some("x".into()),
        |event| event.regarding.as_mut().unwrap().field_path = Some("x".into()),
        |event| event.related = event.regarding.clone(),
        |event| event.regarding = None,
    ];
    for change in changes {
        assert_eq!(observe(&mut cache, &with(change), 0), ["create pod"]);
    }
    let again = with(|event| (event.note, event.metadata.uid) = (Some("x".into()), Some("x".into())));
    assert_eq!(observe(&mut cache, &again, 0), ["patch pod 2"]);
}

#[test]
fn ev_03_every_series_is_refreshed_and_kept() {
    let mut cache = EventCache::default();
    for name in ["a", "a", "a", "b", "b", "single"] {
        observe(&mut cache, &event(name, "x"), 0);
    }
    for _ in 0..2 {
        assert_eq!(shown(&cache.refresh_series()), ["patch a 3", "patch b 2"]);
    }
    assert_eq!(cache.counts(), (1, 2));
}

#[test]
fn what_is_quiet_for_six_minutes_is_over_with_a_last_count() {
    let mut cache = EventCache::default();
    for name in ["a", "a", "a", "single"] {
        observe(&mut cache, &event(name, "x"), 0);
    }
    observe(&mut cache, &event("b", "x"), 0);
    observe(&mut cache, &event("b", "x"), 4);
    assert!(cache.finish_series(minute(6).0).is_empty(), "six minutes are not more than six minutes");
    assert_eq!(shown(&cache.finish_series(minute(7).0)), ["patch a 3"]);
    assert_eq!(cache.counts(), (0, 1));
    assert_eq!(observe(&mut cache, &event("a", "x"), 8), ["create a"], "what comes then is new");
    assert_eq!(shown(&cache.finish_series(minute(11).0)), ["patch b 2"]);
}

#[test]
fn the_quietest_makes_room_with_its_last_count() {
    let mut cache = EventCache::default();
    for index in 0..EventCache::LIMIT {
        observe(&mut cache, &event(&format!("pod-{index}"), "x"), 1);
    }
    observe(&mut cache, &event("pod-7", "x"), 2);
    for index in (0..EventCache::LIMIT).filter(|index| *index != 7) {
        observe(&mut cache, &event(&format!("pod-{index}"), "x"), 3);
    }
    assert_eq!(observe(&mut cache, &event("new", "x"), 4), ["create new", "patch pod-7 2"]);
    assert_eq!(cache.counts(), (1, EventCache::LIMIT - 1));
}
