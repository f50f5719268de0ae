//! The delaying queue against lists: random adds, delays, gets, dones, drops, ends and clock jumps give the same.

use std::{collections::BTreeMap, time::Duration};

use futures::FutureExt;

use super::{MS, named};
use crate::{
    runtime::{Chance, VirtualTime},
    workqueue::{DelayingQueue, Item, QueueConfig, Registry},
};

/// A queue as lists say it: slow, and plain to see.
#[derive(Default)]
struct Model {
    now: Duration,
    queued: Vec<u32>,
    /// Whether each was added meanwhile.
    working: BTreeMap<u32, bool>,
    /// When, in which order put in, and what.
    delayed: Vec<(Duration, u32, u32)>,
    put_in: u32,
    adds: u64,
    abandoned: u64,
    over: bool,
}

impl Model {
    fn add(&mut self, item: u32) {
        if self.over || self.queued.contains(&item) {
            return;
        }
        match self.working.get_mut(&item) {
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
        self.put_in += 1;
        self.delayed.push((at, self.put_in, item));
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
        self.working.insert(item, false);
        Some(item)
    }

    fn finish(&mut self, item: u32, abandoned: bool) {
        let again = self.working.remove(&item).expect("it is worked on");
        self.abandoned += u64::from(abandoned);
        if again || abandoned {
            self.queued.push(item);
        }
    }
}

#[test]
fn any_order_of_events_gives_what_lists_give() {
    let mut happened = [0usize; 9];
    for seed in 0..400 {
        let (time, chance, registry) = (VirtualTime::new(), Chance::new(seed), Registry::default());
        let pick = |below: usize| (chance.next() * below as f64) as usize;
        let config = if seed % 2 == 0 { named(&registry) } else { QueueConfig::default() };
        let queue = DelayingQueue::new(&time.runtime(), config);
        let (mut model, mut hands): (Model, Vec<Item<u32>>) = Default::default();
        for turn in 0..300 {
            let item = pick(8) as u32;
            // The end comes late and not always.
            let what = if turn > 250 && pick(40) == 0 { 8 } else { pick(8) };
            happened[what] += 1;
            match what {
                0 | 1 => {
                    queue.add(item);
                    model.add(item);
                }
                2 => {
                    let delay = MS * pick(20) as u32;
                    queue.add_after(item, delay);
                    model.add_after(item, delay);
                }
                3 | 4 => {
                    let (taken, expected) = (queue.get().now_or_never(), model.get());
                    let ends = expected.is_none() && model.over;
                    assert_eq!(taken.is_some(), expected.is_some() || ends, "seed {seed}, turn {turn}");
                    let taken = taken.flatten();
                    assert_eq!(taken.as_deref().copied(), expected, "seed {seed}, turn {turn}");
                    hands.extend(taken);
                }
                5 if !hands.is_empty() => {
                    let item = hands.swap_remove(pick(hands.len()));
                    model.finish(*item, false);
                    item.done();
                }
                6 if !hands.is_empty() => {
                    let item = hands.swap_remove(pick(hands.len()));
                    model.finish(*item, true);
                    drop(item);
                }
                7 => {
                    let jump = MS * pick(15) as u32;
                    time.advance(jump);
                    model.pass(jump);
                }
                8 => {
                    queue.shut_down();
                    model.over = true;
                    model.delayed.clear();
                }
                _ => {}
            }
            let mut held: Vec<u32> = hands.iter().map(|item| **item).collect();
            held.sort_unstable();
            assert!(held.is_sorted_by(|a, b| a < b), "two workers have one item: {held:?}");
            let state = (queue.len(), queue.working(), queue.delayed(), queue.abandoned());
            let expected = (model.queued.len(), model.working.len(), model.delayed.len(), model.abandoned);
            assert_eq!(state, expected, "seed {seed}, turn {turn}");
            if let Some(figures) = registry.figures("test") {
                let again = model.working.values().filter(|again| **again).count();
                let depth = (model.queued.len() + again) as i64;
                assert_eq!((figures.adds, figures.depth()), (model.adds, depth), "seed {seed}, turn {turn}");
            }
        }
    }
    assert!(happened.iter().all(|times| *times > 50), "{happened:?}");
}
