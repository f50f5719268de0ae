//! Random runs of `DelayingQueue` against a model of plain lists.

use std::{collections::BTreeMap, time::Duration};

use futures::FutureExt;

use super::{MS, named};
use crate::{
    runtime::{Chance, VirtualTime},
    workqueue::{DelayingQueue, Item, MetricsRegistry, QueueConfig},
};

/// A delaying queue made of lists: slow and obviously right.
#[derive(Default)]
struct Model {
    now: Duration,
    queued: Vec<u32>,
    /// Whether each was added again.
    processing: BTreeMap<u32, bool>,
    /// The time, the number of the insertion, and the item.
    delayed: Vec<(Duration, u32, u32)>,
    insertions: u32,
    adds: u64,
    abandoned: u64,
    over: bool,
}

impl Model {
    fn add(&mut self, item: u32) {
        if self.over || self.queued.contains(&item) {
            return;
        }
        match self.processing.get_mut(&item) {
            Some(again) => {
                self.adds += u64::from(!*again);
                *again = true;
            }
            None => {
                self.adds += 1;
                self.queued.push(item);
            }
        }
    }

    fn add_after(&mut self, item: u32, delay: Duration) {
        if delay.is_zero() {
            return self.add(item);
        }
        let at = self.now + delay;
        let earlier = self.delayed.iter().any(|(known, _, of)| *of == item && *known <= at);
        if self.over || earlier {
            return;
        }
        self.delayed.retain(|(_, _, of)| *of != item);
        self.insertions += 1;
        self.delayed.push((at, self.insertions, item));
    }

    fn pass(&mut self, duration: Duration) {
        self.now += duration;
        self.delayed.sort();
        let due = self.delayed.iter().take_while(|(at, _, _)| *at <= self.now).count();
        let due: Vec<_> = self.delayed.drain(..due).collect();
        due.into_iter().for_each(|(_, _, item)| self.add(item));
    }

    fn get(&mut self) -> Option<u32> {
        let item = (!self.queued.is_empty()).then(|| self.queued.remove(0))?;
        self.processing.insert(item, false);
        Some(item)
    }

    fn finish(&mut self, item: u32, abandoned: bool) {
        let again = self.processing.remove(&item).expect("it is in processing");
        self.abandoned += u64::from(abandoned);
        if again || abandoned {
            self.queued.push(item);
        }
    }
}

/// A queue, its model, and the items that workers have.
struct Pair {
    time: VirtualTime,
    chance: Chance,
    registry: MetricsRegistry,
    queue: DelayingQueue<u32>,
    model: Model,
    items: Vec<Item<u32>>,
}

impl Pair {
    fn new(seed: u64) -> Pair {
        let (time, registry) = (VirtualTime::new(), MetricsRegistry::default());
        let config = if seed.is_multiple_of(2) { named(&registry) } else { QueueConfig::default() };
        let queue = DelayingQueue::new(&time.runtime(), config);
        Pair { time, chance: Chance::new(seed), registry, queue, model: Model::default(), items: Vec::new() }
    }

    fn pick(&self, below: usize) -> usize {
        (self.chance.next() * below as f64) as usize
    }

    /// Does the same to the queue and to the model.
    fn step(&mut self, what: usize) {
        let item = self.pick(8) as u32;
        match what {
            0 | 1 => {
                self.queue.add(item);
                self.model.add(item);
            }
            2 => {
                let delay = MS * self.pick(20) as u32;
                self.queue.add_after(item, delay);
                self.model.add_after(item, delay);
            }
            3 | 4 => {
                let (taken, expected) = (self.queue.get().now_or_never(), self.model.get());
                let ends = expected.is_none() && self.model.over;
                assert_eq!(taken.is_some(), expected.is_some() || ends);
                let taken = taken.flatten();
                assert_eq!(taken.as_deref().copied(), expected);
                self.items.extend(taken);
            }
            5 | 6 if !self.items.is_empty() => {
                let item = self.items.swap_remove(self.pick(self.items.len()));
                self.model.finish(*item, what == 6);
                if what == 5 {
                    item.done();
                }
            }
            7 => {
                let jump = MS * self.pick(15) as u32;
                self.time.advance(jump);
                self.model.pass(jump);
            }
            8 => {
                self.queue.shut_down();
                self.model.over = true;
                self.model.delayed.clear();
            }
            _ => {}
        }
    }

    fn check(&self) {
        let (queue, model) = (&self.queue, &self.model);
        let mut held: Vec<u32> = self.items.iter().map(|item| **item).collect();
        held.sort_unstable();
        assert!(held.is_sorted_by(|a, b| a < b), "two workers have one item: {held:?}");
        let state = (queue.len(), queue.processing(), queue.delayed(), queue.abandoned());
        assert_eq!(state, (model.queued.len(), model.processing.len(), model.delayed.len(), model.abandoned));
        if let Some(stats) = self.registry.stats("test") {
            let again = model.processing.values().filter(|again| **again).count();
            assert_eq!((stats.adds, stats.depth()), (model.adds, (model.queued.len() + again) as i64));
        }
    }
}

#[test]
fn any_order_of_events_gives_what_lists_give() {
    let mut happened = [0usize; 9];
    for seed in 0..400 {
        let mut pair = Pair::new(seed);
        for turn in 0..300 {
            // The shutdown comes late, and not in every run.
            let what = if turn > 250 && pair.pick(40) == 0 { 8 } else { pair.pick(8) };
            happened[what] += 1;
            pair.step(what);
            pair.check();
        }
    }
    assert!(happened.iter().all(|times| *times > 50), "{happened:?}");
}
