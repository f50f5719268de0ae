//! controller-runtime's cases for `PriorityQueue`, and the guard against starvation.

use std::{collections::BTreeMap, rc::Rc, time::Duration};

use futures::FutureExt;

use super::SECOND;
use crate::{
    runtime::VirtualTime,
    workqueue::{AddOptions, MetricsRegistry, PriorityQueue, PriorityQueueConfig, QueueStats},
};

struct World {
    time: VirtualTime,
    registry: MetricsRegistry,
    queue: PriorityQueue<String>,
}

impl World {
    fn new() -> World {
        let (time, registry) = (VirtualTime::new(), MetricsRegistry::default());
        let config = PriorityQueueConfig {
            name: "test".into(),
            metrics: Some(Rc::new(registry.clone())),
            ..PriorityQueueConfig::default()
        };
        let queue = PriorityQueue::new(&time.runtime(), config);
        World { time, registry, queue }
    }

    fn add(&self, item: &str, priority: i32, after: Duration) {
        self.queue.add_with(AddOptions { after, priority, rate_limited: false }, item.to_owned());
    }

    /// Gets the next item with its priority and finishes it.
    fn next(&self) -> Option<(String, i32)> {
        let item = self.queue.try_get()?;
        let next = (item.clone(), item.priority());
        item.done();
        Some(next)
    }

    fn stats(&self) -> QueueStats {
        self.registry.stats("test").expect("the queue lives")
    }

    fn depths(&self) -> BTreeMap<i32, i64> {
        self.stats().depth_by_priority
    }
}

const NOW: Duration = Duration::ZERO;
const HOUR: Duration = Duration::from_secs(3600);

fn some(item: &str, priority: i32) -> Option<(String, i32)> {
    Some((item.to_owned(), priority))
}

#[test]
fn pq_01_the_highest_priority_counts() {
    let world = World::new();
    world.add("foo", 1, NOW);
    world.add("foo", 2, NOW);
    assert_eq!(world.depths(), [(2, 1)].into());
    assert_eq!((world.next(), world.next()), (some("foo", 2), None));
    assert_eq!((world.queue.len(), world.stats().adds), (0, 1));
    assert_eq!(world.depths(), [].into());
}

#[test]
fn pq_02_a_priority_never_sinks() {
    let world = World::new();
    world.add("foo", 2, NOW);
    world.add("foo", 1, NOW);
    assert_eq!((world.next(), world.next()), (some("foo", 2), None));
    assert_eq!((world.queue.len(), world.stats().adds), (0, 1));
}

#[test]
fn pq_03_what_matters_more_goes_first() {
    let world = World::new();
    ["foo", "bar", "baz"].into_iter().for_each(|item| world.add(item, 0, NOW));
    world.add("baz", 1, NOW);
    assert_eq!(world.next(), some("baz", 1));
    assert_eq!((world.queue.len(), world.depths(), world.stats().adds), (2, [(0, 2)].into(), 3));
    assert_eq!((world.next(), world.next()), (some("foo", 0), some("bar", 0)));
}

#[test]
fn pq_03_a_raised_item_goes_behind_those_of_its_new_priority() {
    let world = World::new();
    world.add("foo", 0, NOW);
    world.add("bar", 1, NOW);
    world.add("foo", 1, NOW);
    assert_eq!((world.next(), world.next()), (some("bar", 1), some("foo", 1)));
}

#[test]
fn pq_04_the_shortest_delay_counts() {
    for delays in [[NOW, HOUR], [HOUR, NOW]] {
        let world = World::new();
        delays.into_iter().for_each(|after| world.add("foo", 0, after));
        assert_eq!(world.queue.len(), 1);
        assert_eq!((world.next(), world.next()), (some("foo", 0), None));
        assert_eq!((world.queue.len(), world.queue.delayed()), (0, 0));
        assert_eq!((world.stats().adds, world.depths()), (1, [].into()));
    }
    let world = World::new();
    [HOUR, SECOND].into_iter().for_each(|after| world.add("foo", 0, after));
    assert_eq!((world.next(), world.stats().adds, world.stats().retries), (None, 0, 2));
    world.time.advance(SECOND);
    assert_eq!(world.next(), some("foo", 0));
}

#[test]
fn pq_05_len_leaves_out_what_is_delayed() {
    let world = World::new();
    world.add("foo", 0, 60 * SECOND);
    world.add("baz", 0, NOW);
    world.add("bar", 0, 60 * SECOND);
    world.add("bal", 0, NOW);
    assert_eq!((world.queue.len(), world.depths()), (2, [(0, 2)].into()));
    world.time.advance(60 * SECOND);
    assert_eq!((world.queue.len(), world.depths()), (4, [(0, 4)].into()));
}

#[test]
fn pq_06_a_delayed_item_that_is_raised_and_ready_counts_once_where_it_is() {
    let world = World::new();
    world.add("foo", 0, HOUR);
    assert_eq!((world.queue.len(), world.depths()), (0, [].into()));
    world.add("foo", 1, NOW);
    assert_eq!((world.queue.len(), world.depths()), (1, [(1, 1)].into()));
    assert_eq!(world.next(), some("foo", 1));
    world.time.advance(2 * HOUR);
    assert_eq!((world.queue.len(), world.depths(), world.stats().adds), (0, [].into(), 1));
}

#[test]
fn pq_07_an_item_that_is_worked_on_is_not_handed_out() {
    let world = World::new();
    world.add("foo", 0, NOW);
    let item = world.queue.try_get().expect("it is ready");
    world.add("foo", 0, NOW);
    assert_eq!(world.queue.len(), 1);
    let mut next = world.queue.get();
    assert!((&mut next).now_or_never().is_none());
    item.done();
    let item = world.time.run(next).expect("the queue is open");
    assert_eq!((&**item, world.stats().adds, world.depths()), ("foo", 2, [].into()));
    item.done();
}

#[test]
fn pq_08_what_is_queued_at_the_end_is_not_handed_out() {
    let world = World::new();
    world.add("baz", 0, NOW);
    world.queue.shut_down();
    world.add("foo", 0, SECOND);
    world.time.advance(2 * SECOND);
    for _ in 0..2 {
        assert!(matches!(world.queue.get().now_or_never(), Some(None)));
    }
    assert_eq!((world.queue.len(), world.queue.delayed()), (1, 0));
}

#[test]
fn pq_09_many_items_come_by_priority_and_within_it_in_their_order() {
    const PRIORITIES: [i32; 5] = [-10, -5, 0, 5, 10];
    for (after, retries) in [(NOW, 0), (SECOND, 5000)] {
        let world = World::new();
        for number in 0..1000 {
            for priority in PRIORITIES {
                world.add(&format!("{priority}/{number}"), priority, after);
            }
        }
        world.time.advance(after);
        assert_eq!(world.queue.len(), 5000);
        for priority in PRIORITIES.into_iter().rev() {
            for number in 0..1000 {
                assert_eq!(world.next(), some(&format!("{priority}/{number}"), priority));
            }
        }
        assert_eq!((world.next(), world.depths()), (None, [].into()));
        assert_eq!((world.stats().adds, world.stats().retries), (5000, retries));
    }
}

#[test]
fn the_limiter_and_the_delay_that_is_shorter_counts() {
    let check = |after: Duration, rate_limited: bool, comes: Duration| {
        let world = World::new();
        world.queue.add_with(AddOptions { after, rate_limited, priority: 0 }, "foo".to_owned());
        assert_eq!(world.queue.num_requeues(&"foo".to_owned()), u32::from(rate_limited));
        let item = world.time.run(world.queue.get()).expect("the queue is open");
        assert_eq!(world.time.now() - crate::runtime::Instant::ORIGIN, comes);
        item.done();
        world.queue.forget(&"foo".to_owned());
        assert_eq!(world.queue.num_requeues(&"foo".to_owned()), 0);
    };
    let five = Duration::from_millis(5);
    check(NOW, false, NOW);
    check(NOW, true, five);
    check(HOUR, true, five);
    check(Duration::from_millis(1), true, Duration::from_millis(1));
    check(HOUR, false, HOUR);
}

#[test]
fn an_abandoned_item_goes_back_with_its_priority() {
    let world = World::new();
    world.add("foo", 3, NOW);
    world.add("bar", 3, NOW);
    world.add("low", 1, NOW);
    drop(world.queue.try_get());
    assert_eq!((world.queue.abandoned(), world.stats().adds, world.depths()), (1, 3, [(1, 1), (3, 2)].into()));
    assert_eq!((world.next(), world.next()), (some("bar", 3), some("foo", 3)));
    // An abandoned item that was added with a delay meanwhile loses the delay: its work is not done.
    let low = world.queue.try_get().expect("it is ready");
    world.add("low", 0, HOUR);
    drop(low);
    assert_eq!((world.queue.len(), world.queue.delayed(), world.depths()), (1, 0, [(1, 1)].into()));
    assert_eq!(world.next(), some("low", 1));
}

#[test]
fn nothing_starves_however_much_comes_that_matters_more() {
    let world = World::new();
    (0..3).for_each(|number| world.add(&format!("low{number}"), -100, NOW));
    let mut taken = Vec::new();
    for second in 0..62 {
        // Two are added for each that is processed.
        (0..2).for_each(|number| world.add(&format!("{second}.{number}"), 0, NOW));
        world.time.advance(SECOND);
        taken.push(world.next().expect("there is always something").0);
    }
    let low = |taken: &[String]| taken.iter().filter(|item| item.starts_with("low")).count();
    assert_eq!(low(&taken), 0, "priorities decide until an item has waited for a minute");
    for second in 62..100 {
        (0..2).for_each(|number| world.add(&format!("{second}.{number}"), 0, NOW));
        world.time.advance(SECOND);
        taken.push(world.next().expect("there is always something").0);
    }
    // Overdue after a minute: an item with two older ones is among the next twelve.
    assert_eq!(low(&taken[..72]), 3, "{taken:?}");
    // High priorities keep three of four turns, although all items are overdue by now.
    let (new, rest) = (taken[72..].iter().filter(|item| !item.starts_with("low")).count(), taken[72..].len());
    assert_eq!(new, rest);
}

#[test]
fn the_guard_takes_every_fourth_and_the_rest_goes_by_priority() {
    let world = World::new();
    (0..4).for_each(|number| world.add(&format!("old{number}"), 0, NOW));
    world.time.advance(60 * SECOND);
    (0..12).for_each(|number| world.add(&format!("new{number}"), 5, NOW));
    let order: Vec<String> = std::iter::from_fn(|| world.next()).map(|(item, _)| item).collect();
    let expected: Vec<String> = (0..4)
        .flat_map(|turn| {
            let new = (turn * 3..turn * 3 + 3).map(|number| format!("new{number}"));
            new.chain([format!("old{turn}")]).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(order, expected);
}
