use masthead::cache::Tombstone;
use serde_json::{Value, json};

use super::*;
use crate::model::timeline::{calendar::rfc3339, fixture};

const NOW: i64 = 1_794_836_188_000;

fn event(uid: &str, count: u32, last: i64) -> News {
    News::Event(fixture::object(
        "",
        "events",
        &json!({
            "metadata": { "name": uid, "namespace": "shop", "uid": uid, "resourceVersion": count.to_string() },
            "involvedObject": { "kind": "Pod", "namespace": "shop", "name": "web-1-a" },
            "reason": "BackOff", "type": "Warning", "message": "Back-off", "count": count,
            "firstTimestamp": rfc3339(NOW - 60_000), "lastTimestamp": rfc3339(last),
        }),
    ))
}

fn told(chronicle: &mut Chronicle, news: Vec<News>) -> Told {
    let mut told = Told::default();
    news.into_iter().for_each(|news| chronicle.hear(news, NOW, &mut told));
    told
}

fn points(chronicle: &Chronicle) -> Vec<String> {
    let mut points: Vec<_> = chronicle.store().points().iter().collect();
    points.sort_by_key(|point| (point.time, point.series.ordinal));
    let ago = |point: &Point| (NOW - point.time) / 1000;
    points.iter().map(|point| format!("{} {}s ×{}", point.reason, ago(point), point.weight)).collect()
}

fn pod(version: u32, status: Value) -> Rc<Packed<Row>> {
    fixture::object(
        "",
        "pods",
        &json!({ "metadata": { "name": "web-1-a", "namespace": "shop", "uid": "p", "resourceVersion": version.to_string(),
        "creationTimestamp": rfc3339(NOW - 50_000), "ownerReferences": [{ "kind": "ReplicaSet", "name": "web-1", "controller": true }] },
        "status": status }),
    )
}

#[test]
fn each_modified_with_a_higher_count_is_a_new_point() {
    let mut chronicle = Chronicle::default();
    let script = vec![event("e", 1, NOW - 60_000), event("e", 2, NOW - 40_000), event("e", 3, NOW - 10_000)];
    assert_eq!(told(&mut chronicle, script).fresh.len(), 3);
    assert_eq!(points(&chronicle), ["BackOff 60s ×1", "BackOff 40s ×1", "BackOff 10s ×1"]);
    assert!(told(&mut chronicle, vec![event("e", 3, NOW - 5000)]).fresh.is_empty(), "the same count is the same point");
}

#[test]
fn a_listed_event_is_its_first_time_and_all_others_at_its_last() {
    let mut chronicle = Chronicle::default();
    told(&mut chronicle, vec![event("e", 12, NOW - 10_000)]);
    assert_eq!(points(&chronicle), ["BackOff 60s ×1", "BackOff 10s ×11"]);
    told(&mut chronicle, vec![event("e", 15, NOW)]);
    assert_eq!(points(&chronicle), ["BackOff 60s ×1", "BackOff 10s ×11", "BackOff 0s ×3"]);
}

/// What an earlier visit saw takes its part of what the list only counts, whichever comes first.
#[test]
fn history_and_list_come_to_the_same() {
    let mut before = Chronicle::default();
    told(&mut before, (1..=4).map(|count| event("e", count, NOW - 61_000 + i64::from(count) * 1000)).collect());
    let kept = |chronicle: &Chronicle| {
        let store = chronicle.store().points().iter();
        store.filter_map(|point| Record::of(point, chronicle.subjects())).collect::<Vec<_>>()
    };
    let records = kept(&before);
    let list = event("e", 6, NOW);
    let (mut one, mut two) = (Chronicle::default(), Chronicle::default());
    told(&mut one, vec![list.clone(), News::Remembered(records.clone())]);
    told(&mut two, vec![News::Remembered(records.clone()), list]);
    assert_eq!(points(&one), points(&two));
    assert_eq!(one.store().points().iter().map(|point| point.weight).sum::<u32>(), 6);
    assert!(told(&mut two, vec![News::Remembered(records)]).fresh.is_empty());
}

#[test]
fn events_name_the_family_of_pods_that_are_gone() {
    let mut chronicle = Chronicle::default();
    let made = json!({ "metadata": { "name": "m", "namespace": "shop", "uid": "m" }, "reason": "SuccessfulCreate",
        "involvedObject": { "kind": "ReplicaSet", "namespace": "shop", "name": "web-1" },
        "message": "Created pod: web-1-a", "lastTimestamp": rfc3339(NOW) });
    told(&mut chronicle, vec![event("e", 1, NOW)]);
    assert!(told(&mut chronicle, vec![News::Event(fixture::object("", "events", &made))]).upset);
    let pod = chronicle.subjects().find(&Subject::new("Pod", "shop", "web-1-a")).unwrap();
    let family: Vec<_> =
        chronicle.subjects().lineage(pod).map(|id| chronicle.subjects().get(id).name.to_string()).collect();
    assert_eq!(family, ["web-1-a", "web-1"]);
}

#[test]
fn a_pod_comes_changes_and_goes() {
    let mut chronicle = Chronicle::default();
    let pending = pod(1, json!({ "phase": "Pending" }));
    let ready = json!({ "name": "a", "ready": true, "state": { "running": { "startedAt": rfc3339(NOW - 40_000) } } });
    let running = pod(2, json!({ "phase": "Running", "containerStatuses": [ready] }));
    told(
        &mut chronicle,
        vec![
            News::Pod(Notification::Added { object: pending.clone(), initial: true }),
            News::Pod(Notification::Updated { old: pending, new: running.clone() }),
            News::Pod(Notification::Updated { old: running.clone(), new: running.clone() }),
            News::Pod(Notification::Deleted(Tombstone::Deleted(running))),
        ],
    );
    assert_eq!(points(&chronicle), ["Created 50s ×1", "Changed 0s ×1", "Deleted 0s ×1"]);
    let subject = |kind: &str, name: &str| chronicle.subjects().find(&Subject::new(kind, "shop", name)).unwrap();
    let (pod, set) = (subject("Pod", "web-1-a"), subject("ReplicaSet", "web-1"));
    let phases =
        |stretches: Rc<[Stretch]>| stretches.iter().map(|s| (s.phase, (NOW - s.from) / 1000)).collect::<Vec<_>>();
    let expected = [(Phase::Pending, 50), (Phase::Running, 40)];
    assert_eq!(phases(chronicle.stretches(pod)), expected);
    assert_eq!(phases(chronicle.stretches(set)), expected, "a ReplicaSet is as well as its pods");
}

#[test]
fn what_an_informer_has_at_the_beginning_is_no_news_at_the_next_visit() {
    let (mut first, mut second) = (Chronicle::default(), Chronicle::default());
    let come = || News::Pod(Notification::Added { object: pod(1, json!({ "phase": "Pending" })), initial: true });
    told(&mut first, vec![come()]);
    let records: Vec<_> =
        first.store().points().iter().filter_map(|point| Record::of(point, first.subjects())).collect();
    told(&mut second, vec![News::Remembered(records), come()]);
    assert_eq!(points(&second), ["Created 50s ×1"]);
}

#[test]
fn readiness_comes_and_goes_when_it_is_seen() {
    let mut chronicle = Chronicle::default();
    let at = |version: u32, ready: bool| {
        let container =
            json!({ "name": "a", "ready": ready, "state": { "running": { "startedAt": rfc3339(NOW - 40_000) } } });
        pod(version, json!({ "phase": "Running", "containerStatuses": [container] }))
    };
    let mut told = Told::default();
    let states = [at(1, true), at(2, false), at(3, true)];
    chronicle.hear(News::Pod(Notification::Added { object: states[0].clone(), initial: true }), NOW, &mut told);
    for (step, pair) in states.windows(2).enumerate() {
        let change = Notification::Updated { old: pair[0].clone(), new: pair[1].clone() };
        chronicle.hear(News::Pod(change), NOW + 1000 * (step as i64 + 1), &mut told);
    }
    let subject = chronicle.subjects().find(&Subject::new("Pod", "shop", "web-1-a")).unwrap();
    let found: Vec<_> = chronicle.stretches(subject).iter().map(|s| (s.phase, s.from - NOW)).collect();
    let expected =
        [(Phase::Pending, -50_000), (Phase::Running, -40_000), (Phase::NotReady, 1000), (Phase::Running, 2000)];
    assert_eq!(found, expected);
}
