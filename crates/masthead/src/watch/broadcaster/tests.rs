use std::{cell::Cell, rc::Rc};

use futures::{FutureExt, StreamExt};

use super::*;
use crate::runtime::VirtualTime;

/// What a watcher has now.
fn received<T: Clone>(watcher: &mut Watcher<T>) -> Vec<T> {
    std::iter::from_fn(|| watcher.next().now_or_never().flatten()).collect()
}

fn ended<T: Clone>(watcher: &mut Watcher<T>) -> bool {
    matches!(watcher.next().now_or_never(), Some(None))
}

#[track_caller]
fn refused<T>(outcome: Result<T, Error>) {
    let error = outcome.err().unwrap();
    assert!(error.is_closed());
    assert!(error.to_string().ends_with(": broadcaster already stopped"), "{error}");
}

/// A broadcaster that waits for its only watcher, which has one event queued and one before its queue.
fn stuck() -> (Broadcaster<u32>, Watcher<u32>) {
    let broadcaster = Broadcaster::new(1, WhenFull::Wait);
    let watcher = broadcaster.watch().unwrap();
    for event in 0..2 {
        assert!(broadcaster.action_or_drop(event).unwrap());
    }
    (broadcaster, watcher)
}

#[test]
fn mx_01_every_watcher_gets_every_event_in_order() {
    let time = VirtualTime::new();
    for when_full in [WhenFull::Wait, WhenFull::Drop] {
        let broadcaster = Broadcaster::new(10, when_full);
        let mut watchers = [broadcaster.watch().unwrap(), broadcaster.watch().unwrap()];
        time.run(async {
            for event in ["add foo", "add bar", "modify foo", "delete bar"] {
                broadcaster.action(event).await.unwrap();
            }
        });
        for watcher in &mut watchers {
            assert_eq!(received(watcher), ["add foo", "add bar", "modify foo", "delete bar"]);
            assert!(!ended(watcher));
        }
    }
}

#[test]
fn mx_02_shutdown_ends_every_watcher_after_what_was_sent() {
    let broadcaster = Broadcaster::new(1, WhenFull::Drop);
    let mut watchers = [broadcaster.watch().unwrap(), broadcaster.watch().unwrap()];
    broadcaster.action_or_drop(1).unwrap();
    broadcaster.shutdown();
    for watcher in &mut watchers {
        assert_eq!(received(watcher), [1]);
        assert!(ended(watcher));
    }
}

#[test]
fn mx_03_watchers_that_stop_each_other_while_an_event_is_handed_out_do_not_lock() {
    for when_full in [WhenFull::Wait, WhenFull::Drop] {
        let time = VirtualTime::new();
        let broadcaster = Rc::new(Broadcaster::new(1, when_full));
        let slots: [Rc<RefCell<Option<Watcher<u32>>>>; 2] =
            std::array::from_fn(|_| Rc::new(RefCell::new(Some(broadcaster.watch().unwrap()))));
        let ends = Rc::new(Cell::new(0));
        let _tasks = [(0, 1), (1, 0)].map(|(own, other)| {
            let (own, other, ends) = (Rc::clone(&slots[own]), Rc::clone(&slots[other]), Rc::clone(&ends));
            time.runtime().spawn(async move {
                // The other may have stopped this one before it looks.
                let next = poll_fn(|context| match own.borrow_mut().as_mut() {
                    Some(watcher) => watcher.poll_next_unpin(context),
                    None => Poll::Ready(None),
                });
                if next.await.is_some() {
                    drop(other.borrow_mut().take());
                }
                ends.set(ends.get() + 1);
            })
        });
        time.settle();
        time.run(async {
            for event in 0..5 {
                broadcaster.action(event).await.unwrap();
            }
            drop(slots.map(|slot| slot.borrow_mut().take()));
            broadcaster.shutdown();
            broadcaster.distributed().await;
        });
        time.settle();
        assert_eq!(ends.get(), 2, "{when_full:?}");
        assert_eq!(broadcaster.watchers(), 0);
    }
}

#[test]
fn mx_04_a_full_watcher_misses_events_or_is_waited_for() {
    let dropping = Broadcaster::new(2, WhenFull::Drop);
    let (mut slow, mut quick) = (dropping.watch().unwrap(), dropping.watch().unwrap());
    for event in 0..5 {
        assert!(dropping.action_or_drop(event).unwrap());
        assert_eq!(received(&mut quick), [event]);
    }
    assert_eq!(received(&mut slow), [0, 1], "the newest are missed, not the oldest");
    assert_eq!((slow.dropped(), quick.dropped(), dropping.dropped()), (3, 0, 3));

    let waiting = Broadcaster::new(2, WhenFull::Wait);
    let (mut slow, mut quick) = (waiting.watch().unwrap(), waiting.watch().unwrap());
    for event in 0..5 {
        assert!(waiting.action_or_drop(event).unwrap());
    }
    assert_eq!(received(&mut quick), [0, 1, 2], "the third is in its turn, the others behind it");
    assert_eq!(received(&mut slow), [0, 1, 2, 3, 4]);
    assert_eq!(received(&mut quick), [3, 4]);
    assert_eq!(waiting.dropped(), 0);
}

#[test]
fn mx_05_nothing_is_possible_after_shutdown() {
    let time = VirtualTime::new();
    let broadcaster = Broadcaster::new(1, WhenFull::Drop);
    broadcaster.shutdown();
    broadcaster.shutdown();
    refused(broadcaster.watch());
    refused(broadcaster.watch_with_prefix([1]));
    refused(broadcaster.action_or_drop(1));
    refused(time.run(broadcaster.action(1)));
    time.run(broadcaster.distributed());
    assert_eq!(broadcaster.watchers(), 0);
}

#[test]
fn a_watcher_sees_only_what_is_sent_later_even_behind_a_full_queue() {
    let (broadcaster, mut early) = stuck();
    let mut late = broadcaster.watch().unwrap();
    let mut prefixed = broadcaster.watch_with_prefix([70, 71, 72]).unwrap();
    assert!(broadcaster.action_or_drop(2).unwrap());
    assert_eq!(received(&mut early), [0, 1, 2]);
    assert_eq!(received(&mut late), [2]);
    assert_eq!(received(&mut prefixed), [70, 71, 72, 2]);
}

#[test]
fn the_queue_before_the_watchers_is_bounded_and_refuses_or_waits() {
    let time = VirtualTime::new();
    let (broadcaster, mut watcher) = stuck();
    let taken = (2..100).take_while(|event| broadcaster.action_or_drop(*event).unwrap()).count();
    assert_eq!(taken, 25, "besides one in its turn");
    assert_eq!(broadcaster.dropped(), 1);
    let long = Broadcaster::long_queue(3, WhenFull::Wait);
    let _held = long.watch().unwrap();
    assert_eq!((0..100).take_while(|event| long.action_or_drop(*event).unwrap()).count(), 3 + 1 + 3);

    let broadcaster = Rc::new(broadcaster);
    let tasks: Vec<_> = (100..103)
        .map(|event| {
            let broadcaster = Rc::clone(&broadcaster);
            time.runtime().spawn(async move { broadcaster.action(event).await.unwrap() })
        })
        .collect();
    time.settle();
    assert!(tasks.iter().all(|task| !task.is_finished()));
    assert!(!broadcaster.action_or_drop(999).unwrap(), "nobody overtakes those who wait");
    let mut tasks = tasks.into_iter();
    let (first, second, third) = (tasks.next().unwrap(), tasks.next().unwrap(), tasks.next().unwrap());
    drop(second);
    let mut seen = Vec::new();
    while seen.len() < 29 {
        seen.extend(received(&mut watcher));
        time.settle();
    }
    assert!(first.is_finished() && third.is_finished());
    assert_eq!(seen, (0..27).chain([100, 102]).collect::<Vec<_>>(), "in order, less the one that gave up");
}

#[test]
fn whoever_waits_is_let_go_by_a_leaving_watcher_and_by_shutdown() {
    let time = VirtualTime::new();
    let (broadcaster, watcher) = stuck();
    assert!(broadcaster.distributed().now_or_never().is_none());
    drop(watcher);
    time.run(broadcaster.distributed());

    let (broadcaster, mut watcher) = stuck();
    while broadcaster.action_or_drop(9).unwrap() {}
    let broadcaster = Rc::new(broadcaster);
    let (sender, told) = (Rc::clone(&broadcaster), Rc::new(Cell::new(false)));
    let tell = Rc::clone(&told);
    let _task = time.runtime().spawn(async move { tell.set(sender.action(100).await.is_err()) });
    time.settle();
    broadcaster.shutdown();
    time.settle();
    assert!(told.get(), "a sender that waits is told");
    assert_eq!(received(&mut watcher).len(), 27, "what was accepted still comes");
    assert!(ended(&mut watcher));
}

#[test]
fn dropping_the_broadcaster_wakes_and_ends_its_watchers() {
    let time = VirtualTime::new();
    let broadcaster = Broadcaster::<u32>::new(1, WhenFull::Wait);
    let mut watcher = broadcaster.watch().unwrap();
    let task = time.runtime().spawn(async move { assert_eq!(watcher.next().await, None) });
    time.settle();
    assert!(!task.is_finished());
    drop(broadcaster);
    time.settle();
    assert!(task.is_finished());
}

#[test]
fn a_watcher_may_watch_send_and_leave_while_it_receives() {
    let time = VirtualTime::new();
    let broadcaster = Rc::new(Broadcaster::new(4, WhenFull::Wait));
    let (inside, seen) = (Rc::clone(&broadcaster), Rc::new(RefCell::new(Vec::new())));
    let (mut watcher, record) = (broadcaster.watch().unwrap(), Rc::clone(&seen));
    let task = time.runtime().spawn(async move {
        while let Some(event) = watcher.next().await {
            let mut other = inside.watch().unwrap();
            if event < 3 {
                inside.action(event + 1).await.unwrap();
                let found = other.next().await;
                record.borrow_mut().extend(found);
            } else {
                inside.shutdown();
            }
        }
    });
    broadcaster.action_or_drop(0).unwrap();
    time.settle();
    assert!(task.is_finished());
    assert_eq!(*seen.borrow(), [1, 2, 3]);
    assert_eq!(broadcaster.watchers(), 0);
}

/// What a watcher should have seen: everything sent while it watched, less what it missed.
struct Seen {
    watcher: Watcher<u64>,
    expected: std::collections::VecDeque<u64>,
}

/// Any series of sending, watching, receiving and leaving, against a list per watcher.
#[test]
fn any_order_of_calls_gives_each_watcher_its_events_in_order() {
    for seed in 0..300 {
        let chance = crate::runtime::Chance::new(seed);
        let below = |bound: usize| (chance.next() * bound as f64) as usize;
        let (queue, incoming) = (1 + below(3), 1 + below(3));
        let broadcaster = Broadcaster::with_incoming(queue, incoming, WhenFull::Wait);
        let (mut all, mut sent): (Vec<Seen>, u64) = (Vec::new(), 0);
        for _ in 0..200 {
            match below(8) {
                0 if all.len() < 4 => {
                    all.push(Seen { watcher: broadcaster.watch().unwrap(), expected: Default::default() });
                }
                1 if !all.is_empty() => drop(all.swap_remove(below(all.len()))),
                2..=4 => {
                    if broadcaster.action_or_drop(sent).unwrap() {
                        all.iter_mut().for_each(|seen| seen.expected.push_back(sent));
                    }
                    sent += 1;
                }
                _ if !all.is_empty() => {
                    let index = below(all.len());
                    let seen = &mut all[index];
                    match seen.watcher.next().now_or_never() {
                        Some(event) => assert_eq!(event, seen.expected.pop_front(), "seed {seed}"),
                        // It may wait behind a slower one.
                        None => assert!(seen.expected.len() <= incoming + 1, "seed {seed}"),
                    }
                }
                _ => {}
            }
        }
        broadcaster.shutdown();
        while all.iter().any(|seen| !seen.expected.is_empty()) {
            for seen in &mut all {
                for event in received(&mut seen.watcher) {
                    assert_eq!(Some(event), seen.expected.pop_front(), "seed {seed}");
                }
            }
        }
        assert!(all.iter_mut().all(|seen| ended(&mut seen.watcher)), "seed {seed}");
    }
}
