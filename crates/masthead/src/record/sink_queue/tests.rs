use std::time::Duration;

use k8s_openapi::api::core::v1::Event;
use kube_core::ObjectMeta;

use super::*;
use crate::runtime::Chance;

fn event(name: &str, count: i32) -> Event {
    let metadata = ObjectMeta { name: Some(name.into()), ..ObjectMeta::default() };
    Event { metadata, count: Some(count), ..Event::default() }
}

fn create(name: &str) -> EventWrite<Event> {
    EventWrite::Create(event(name, 1))
}

fn patch(name: &str, count: i32) -> EventWrite<Event> {
    EventWrite::Patch(event(name, count))
}

fn at(seconds: u64) -> Instant {
    Instant::ORIGIN + Duration::from_secs(seconds)
}

/// `create a 1`, `patch a 2`.
fn shown(pending: &PendingEvent<Event>) -> String {
    let verb = if pending.write.patch().is_some() { "patch" } else { "create" };
    format!("{verb} {} {}", pending.key, pending.write.event().count.unwrap_or_default())
}

#[test]
fn one_event_is_written_in_order_and_what_waits_becomes_one() {
    let mut queue = SinkQueue::new(10);
    assert_eq!(queue.push(create("a")), Pushed::Queued);
    let first = queue.pop(at(0)).unwrap();
    let pushed = [2, 3, 4].map(|count| queue.push(patch("a", count)));
    assert_eq!(pushed, [Pushed::Queued, Pushed::Merged, Pushed::Merged]);
    assert_eq!(queue.push(create("b")), Pushed::Queued);
    assert_eq!(queue.len(), 3);
    assert_eq!(queue.pop(at(0)).map(|pending| shown(&pending)).as_deref(), Some("create b 1"));
    assert!(queue.pop(at(0)).is_none(), "the rest waits for what is on its way");
    queue.done(first.key);
    assert_eq!(queue.pop(at(0)).map(|pending| shown(&pending)).as_deref(), Some("patch a 4"));
}

#[test]
fn what_rests_lets_others_pass_and_keeps_its_place_before_its_own() {
    let mut queue = SinkQueue::new(10);
    queue.push(create("a"));
    let mut failed = queue.pop(at(0)).unwrap();
    failed.tries = 3;
    queue.retry_at(failed, at(10));
    queue.push(patch("a", 2));
    queue.push(create("b"));
    assert_eq!(queue.next_retry(), Some(at(10)));
    assert_eq!(queue.pop(at(9)).map(|pending| shown(&pending)).as_deref(), Some("create b 1"));
    assert!(queue.pop(at(9)).is_none());
    let again = queue.pop(at(10)).unwrap();
    assert_eq!((shown(&again).as_str(), again.tries), ("create a 1", 3));
    queue.retry_at(again, at(20));
    let given_up = queue.remove_retries();
    assert_eq!(given_up.iter().map(shown).collect::<Vec<_>>(), ["create a 1"]);
    assert_eq!(queue.pop(at(10)).map(|pending| shown(&pending)).as_deref(), Some("patch a 2"));
}

#[test]
fn room_is_for_so_many_events() {
    let mut queue = SinkQueue::new(2);
    assert_eq!(["a", "b", "c"].map(|name| queue.push(create(name))), [Pushed::Queued, Pushed::Queued, Pushed::Full]);
    assert_eq!(queue.push(patch("a", 2)), Pushed::Queued, "an event that is there needs no more room");
    let pending = queue.pop(at(0)).unwrap();
    queue.done(pending.key);
    assert!(!queue.has_room());
    let pending = queue.pop(at(0)).unwrap();
    queue.done(pending.key);
    assert!(queue.has_room());
}

/// Any order of calls: nothing is lost, no event is out twice, and its counts rise.
#[test]
fn any_order_of_calls_keeps_the_order_of_each_event() {
    for seed in 0..300 {
        let chance = Chance::new(seed);
        let below = |bound: usize| (chance.next() * bound as f64) as usize;
        let mut queue = SinkQueue::new(1 + below(5));
        let (mut now, mut counts, mut written) = (at(0), [0; 6], [0; 6]);
        let (mut out, mut open): (Vec<PendingEvent<Event>>, usize) = (Vec::new(), 0);
        for _ in 0..400 {
            match below(6) {
                0..2 => {
                    let index = below(6);
                    let (name, count) = (index.to_string(), counts[index] + 1);
                    let write = if count == 1 { create(&name) } else { patch(&name, count) };
                    match queue.push(write) {
                        Pushed::Full => continue,
                        Pushed::Queued => open += 1,
                        Pushed::Merged => {}
                    }
                    counts[index] = count;
                }
                2 => now = now + Duration::from_secs(1),
                3 if !out.is_empty() => {
                    let pending = out.swap_remove(below(out.len()));
                    queue.retry_at(pending, now + Duration::from_secs(below(4) as u64));
                }
                4 if !out.is_empty() => {
                    let pending = out.swap_remove(below(out.len()));
                    let index: usize = pending.key.name().parse().unwrap();
                    let count = pending.write.event().count.unwrap();
                    assert!(count > written[index], "seed {seed}");
                    written[index] = count;
                    queue.done(pending.key);
                    open -= 1;
                }
                _ => {
                    let pending = queue.pop(now);
                    let is_out = |pending: &PendingEvent<Event>| out.iter().any(|other| other.key == pending.key);
                    assert!(!pending.as_ref().is_some_and(is_out), "seed {seed}");
                    out.extend(pending);
                }
            }
            assert_eq!(queue.len(), open, "seed {seed}");
        }
        out.drain(..).for_each(|pending| queue.retry_at(pending, now));
        while let Some(pending) = queue.pop(now + Duration::from_secs(9)) {
            written[pending.key.name().parse::<usize>().unwrap()] = pending.write.event().count.unwrap();
            queue.done(pending.key);
        }
        assert_eq!((written, queue.len()), (counts, 0), "seed {seed}: the last count of each is written");
    }
}
