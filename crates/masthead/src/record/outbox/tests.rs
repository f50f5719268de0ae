use std::time::Duration;

use k8s_openapi::api::core::v1::Event;
use kube_core::ObjectMeta;

use super::*;
use crate::runtime::Chance;

fn event(name: &str, count: i32) -> Event {
    let metadata = ObjectMeta { name: Some(name.into()), ..ObjectMeta::default() };
    Event { metadata, count: Some(count), ..Event::default() }
}

fn create(name: &str) -> Write<Event> {
    Write::Create(event(name, 1))
}

fn patch(name: &str, count: i32) -> Write<Event> {
    Write::Patch(event(name, count))
}

fn at(seconds: u64) -> Instant {
    Instant::ORIGIN + Duration::from_secs(seconds)
}

/// `create a 1`, `patch a 2`.
fn shown(letter: &Letter<Event>) -> String {
    let verb = if letter.write.patch().is_some() { "patch" } else { "create" };
    format!("{verb} {} {}", letter.key, letter.write.event().count.unwrap_or_default())
}

#[test]
fn one_event_is_written_in_order_and_what_waits_becomes_one() {
    let mut outbox = Outbox::new(10);
    assert_eq!(outbox.push(create("a")), Pushed::Queued);
    let first = outbox.take(at(0)).unwrap();
    let pushed = [2, 3, 4].map(|count| outbox.push(patch("a", count)));
    assert_eq!(pushed, [Pushed::Queued, Pushed::Merged, Pushed::Merged]);
    assert_eq!(outbox.push(create("b")), Pushed::Queued);
    assert_eq!(outbox.len(), 3);
    assert_eq!(outbox.take(at(0)).map(|letter| shown(&letter)).as_deref(), Some("create b 1"));
    assert!(outbox.take(at(0)).is_none(), "the rest waits for what is on its way");
    outbox.over(first.key);
    assert_eq!(outbox.take(at(0)).map(|letter| shown(&letter)).as_deref(), Some("patch a 4"));
}

#[test]
fn what_rests_lets_others_pass_and_keeps_its_place_before_its_own() {
    let mut outbox = Outbox::new(10);
    outbox.push(create("a"));
    let mut failed = outbox.take(at(0)).unwrap();
    failed.tries = 3;
    outbox.rest(failed, at(10));
    outbox.push(patch("a", 2));
    outbox.push(create("b"));
    assert_eq!(outbox.next_due(), Some(at(10)));
    assert_eq!(outbox.take(at(9)).map(|letter| shown(&letter)).as_deref(), Some("create b 1"));
    assert!(outbox.take(at(9)).is_none());
    let again = outbox.take(at(10)).unwrap();
    assert_eq!((shown(&again).as_str(), again.tries), ("create a 1", 3));
    outbox.rest(again, at(20));
    let given_up = outbox.give_up_resting();
    assert_eq!(given_up.iter().map(shown).collect::<Vec<_>>(), ["create a 1"]);
    assert_eq!(outbox.take(at(10)).map(|letter| shown(&letter)).as_deref(), Some("patch a 2"));
}

#[test]
fn room_is_for_so_many_events() {
    let mut outbox = Outbox::new(2);
    assert_eq!(["a", "b", "c"].map(|name| outbox.push(create(name))), [Pushed::Queued, Pushed::Queued, Pushed::Full]);
    assert_eq!(outbox.push(patch("a", 2)), Pushed::Queued, "an event that is there needs no more room");
    let letter = outbox.take(at(0)).unwrap();
    outbox.over(letter.key);
    assert!(!outbox.has_room());
    let letter = outbox.take(at(0)).unwrap();
    outbox.over(letter.key);
    assert!(outbox.has_room());
}

/// Any order of calls: nothing is lost, no event is out twice, and its counts rise.
#[test]
fn any_order_of_calls_keeps_the_order_of_each_event() {
    for seed in 0..300 {
        let chance = Chance::new(seed);
        let below = |bound: usize| (chance.next() * bound as f64) as usize;
        let mut outbox = Outbox::new(1 + below(5));
        let (mut now, mut counts, mut written) = (at(0), [0; 6], [0; 6]);
        let (mut out, mut open): (Vec<Letter<Event>>, usize) = (Vec::new(), 0);
        for _ in 0..400 {
            match below(6) {
                0..2 => {
                    let index = below(6);
                    let (name, count) = (index.to_string(), counts[index] + 1);
                    let write = if count == 1 { create(&name) } else { patch(&name, count) };
                    match outbox.push(write) {
                        Pushed::Full => continue,
                        Pushed::Queued => open += 1,
                        Pushed::Merged => {}
                    }
                    counts[index] = count;
                }
                2 => now = now + Duration::from_secs(1),
                3 if !out.is_empty() => {
                    let letter = out.swap_remove(below(out.len()));
                    outbox.rest(letter, now + Duration::from_secs(below(4) as u64));
                }
                4 if !out.is_empty() => {
                    let letter = out.swap_remove(below(out.len()));
                    let index: usize = letter.key.name().parse().unwrap();
                    let count = letter.write.event().count.unwrap();
                    assert!(count > written[index], "seed {seed}");
                    written[index] = count;
                    outbox.over(letter.key);
                    open -= 1;
                }
                _ => {
                    let letter = outbox.take(now);
                    let is_out = |letter: &Letter<Event>| out.iter().any(|other| other.key == letter.key);
                    assert!(!letter.as_ref().is_some_and(is_out), "seed {seed}");
                    out.extend(letter);
                }
            }
            assert_eq!(outbox.len(), open, "seed {seed}");
        }
        out.drain(..).for_each(|letter| outbox.rest(letter, now));
        while let Some(letter) = outbox.take(now + Duration::from_secs(9)) {
            written[letter.key.name().parse::<usize>().unwrap()] = letter.write.event().count.unwrap();
            outbox.over(letter.key);
        }
        assert_eq!((written, outbox.len()), (counts, 0), "seed {seed}: the last count of each is written");
    }
}
