use super::*;

const LEASE: Duration = Duration::from_secs(15);

fn at(seconds: u64) -> Instant {
    Instant::ORIGIN + Duration::from_secs(seconds)
}

fn held(holder: &str, transitions: i32) -> Record {
    Record { transitions, ..Record::acquired_by(holder, LEASE, Duration::from_secs(5)) }
}

/// The decision of `me` about a record that was first seen at 0 and is read again at `now`.
fn decide(found: Option<Record>, now: u64) -> Decision {
    let mut me = Election::new("me", LEASE);
    if let Some(found) = &found {
        me.read(Some(found.clone()), at(0), Duration::ZERO);
    }
    me.read(found, at(now), Duration::from_secs(100))
}

fn transitions(decision: Decision) -> Option<(bool, i32)> {
    match decision {
        Decision::Create(record) => Some((true, record.transitions)),
        Decision::Update(record) => Some((false, record.transitions)),
        Decision::Wait => None,
    }
}

#[test]
fn rq_24_who_may_acquire_and_what_counts_as_a_transition() {
    assert_eq!(transitions(decide(None, 1)), Some((true, 0)), "no object");
    assert_eq!(transitions(decide(Some(held("other", 0)), 14)), None, "led by another");
    assert_eq!(transitions(decide(Some(held("other", 0)), 15)), Some((false, 1)), "expired");
    assert_eq!(transitions(decide(Some(held("", 0)), 1)), Some((false, 1)), "released");
    assert_eq!(transitions(decide(Some(held("me", 0)), 1)), Some((false, 0)), "own");
    assert_eq!(transitions(decide(Some(held("me", 3)), 60)), Some((false, 3)), "own, expired, but nobody else took it");
}

#[test]
fn a_new_record_says_who_since_when_and_for_how_long() {
    let Decision::Create(record) = decide(None, 1) else { panic!("nothing is there") };
    assert_eq!(record, Record::acquired_by("me", LEASE, Duration::from_secs(100)));
    let Decision::Update(renewed) = decide(Some(held("me", 2)), 1) else { panic!("it is ours") };
    assert_eq!(renewed.acquired, held("me", 2).acquired, "renewing acquires nothing anew");
    assert_eq!(renewed.renewed, record.renewed);
    assert_eq!(Record::from_spec(&renewed.to_spec()), renewed);
}

#[test]
fn a_lease_counts_from_when_its_last_change_was_seen() {
    let mut me = Election::new("me", LEASE);
    let renewed = |wall| Record { renewed: held("other", 0).renewed, ..Record::acquired_by("other", LEASE, wall) };
    for (now, wall) in [(0, 1), (14, 2), (28, 0)] {
        let found = renewed(Duration::from_secs(wall));
        assert_eq!(me.read(Some(found), at(now), Duration::ZERO), Decision::Wait, "changed at {now}");
    }
    assert_eq!(me.read(Some(renewed(Duration::ZERO)), at(42), Duration::ZERO), Decision::Wait);
    let over = me.read(Some(renewed(Duration::ZERO)), at(43), Duration::ZERO);
    assert_eq!(transitions(over), Some((false, 1)));
}

#[test]
fn the_own_lease_is_renewed_without_a_look_while_it_lasts() {
    let mut me = Election::new("me", LEASE);
    assert_eq!(me.renewal(at(0), Duration::ZERO), None);
    me.written(held("me", 4), at(10));
    assert!(me.is_leader(at(24)) && !me.is_leader(at(25)));
    assert_eq!(me.renewal(at(24), Duration::ZERO).map(|record| record.transitions), Some(4));
    assert_eq!(me.renewal(at(25), Duration::ZERO), None);
}

#[test]
fn only_the_own_lock_is_released_and_leaders_are_told_of_once() {
    let mut me = Election::new("me", LEASE);
    assert_eq!(me.release(&held("other", 1), Duration::ZERO), None);
    let released = me.release(&held("me", 1), Duration::ZERO).unwrap();
    assert_eq!((released.holder.as_str(), released.lease_duration.as_secs(), released.transitions), ("", 1, 1));
    let mut told = Vec::new();
    for holder in ["other", "other", "", "me", "me"] {
        me.written(held(holder, 0), at(0));
        told.extend(me.new_leader());
    }
    assert_eq!(told, ["other", "me"]);
}

#[test]
fn times_without_a_bound_are_refused() {
    use crate::leaderelection::Config;
    let config = Config { retry_period: Duration::MAX, ..Config::default() };
    assert!(config.validate().is_err());
}
