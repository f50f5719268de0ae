//! Random runs of `PriorityQueue` against a model of plain lists.

use std::time::Duration;

use futures::FutureExt;

use super::MS;
use crate::{
    runtime::{Chance, VirtualTime},
    workqueue::{AddOptions, Item, PriorityQueue, PriorityQueueConfig},
};

const OVERDUE_AFTER: Duration = Duration::from_millis(40);

/// An item of the list.
#[derive(Clone, Debug)]
struct Known {
    item: u32,
    priority: i32,
    /// Its place within the priority.
    number: u32,
    /// When it is or was due.
    due: Duration,
    /// The number it got when it became due.
    ready: Option<u32>,
}

#[derive(Default)]
struct Model {
    now: Duration,
    known: Vec<Known>,
    processing: Vec<(u32, i32)>,
    numbers: u32,
    passed_over: u32,
}

impl Model {
    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    fn add(&mut self, item: u32, priority: i32, after: Duration) {
        let (now, number) = (self.now, self.number());
        let (ready, at) = (after.is_zero().then_some(number), now + after);
        let Some(known) = self.known.iter_mut().find(|known| known.item == item) else {
            return self.known.push(Known { item, priority, number, due: at, ready });
        };
        if priority > known.priority {
            (known.priority, known.number) = (priority, number);
        }
        if known.ready.is_none() {
            (known.ready, known.due) = (ready, if ready.is_some() { now } else { known.due.min(at) });
        }
    }

    fn pass(&mut self, duration: Duration) {
        // The timer fires for each of them.
        let until = self.now + duration;
        loop {
            let next = self.known.iter().filter(|known| known.ready.is_none() && known.due <= until);
            let next = next.min_by_key(|known| (known.due, -known.priority, known.number)).map(|known| known.item);
            let Some(item) = next else { break };
            let number = self.number();
            let known = self.known.iter_mut().find(|known| known.item == item).expect("it was found");
            (known.number, known.ready) = (number, Some(number));
        }
        self.now = until;
    }

    fn get(&mut self) -> Option<(u32, i32)> {
        let free =
            |known: &&Known| known.ready.is_some() && self.processing.iter().all(|(item, _)| *item != known.item);
        let oldest = self.known.iter().filter(free).min_by_key(|known| known.ready)?;
        let first = self.known.iter().filter(free).min_by_key(|known| (-known.priority, known.number))?;
        let overdue = self.now - oldest.due >= OVERDUE_AFTER;
        self.passed_over = if overdue { self.passed_over + 1 } else { 0 };
        let next = if self.passed_over == 4 { oldest } else { first }.clone();
        self.passed_over %= 4;
        self.known.retain(|known| known.item != next.item);
        self.processing.push((next.item, next.priority));
        Some((next.item, next.priority))
    }

    fn finish(&mut self, item: u32, abandoned: bool) {
        let place = self.processing.iter().position(|(of, _)| *of == item).expect("it is in processing");
        let (_, priority) = self.processing.swap_remove(place);
        if abandoned {
            self.add(item, priority, Duration::ZERO);
        }
    }
}

#[test]
fn any_order_of_events_gives_what_a_list_gives() {
    let mut happened = [0usize; 8];
    for seed in 0..400 {
        let (time, chance) = (VirtualTime::new(), Chance::new(seed));
        let pick = |below: usize| (chance.next() * below as f64) as usize;
        let config = PriorityQueueConfig { overdue_after: OVERDUE_AFTER, ..PriorityQueueConfig::default() };
        let queue = PriorityQueue::new(&time.runtime(), config);
        let (mut model, mut items): (Model, Vec<Item<u32>>) = Default::default();
        for turn in 0..300 {
            let what = pick(8);
            happened[what] += 1;
            match what {
                0..=2 => {
                    let (item, priority) = (pick(12) as u32, pick(5) as i32 - 2);
                    let after = if what == 0 { MS * pick(30) as u32 } else { Duration::ZERO };
                    queue.add_with(AddOptions { after, priority, rate_limited: false }, item);
                    model.add(item, priority, after);
                }
                3 | 4 => {
                    let taken = queue.get().now_or_never().flatten();
                    let given = taken.as_ref().map(|item| (**item, item.priority()));
                    assert_eq!(given, model.get(), "seed {seed}, turn {turn}");
                    items.extend(taken);
                }
                5 if !items.is_empty() => {
                    let item = items.swap_remove(pick(items.len()));
                    model.finish(*item, false);
                    item.done();
                }
                6 if !items.is_empty() => {
                    let item = items.swap_remove(pick(items.len()));
                    model.finish(*item, true);
                    drop(item);
                }
                7 => {
                    let jump = MS * pick(20) as u32;
                    time.advance(jump);
                    model.pass(jump);
                }
                _ => {}
            }
            let ready = model.known.iter().filter(|known| known.ready.is_some()).count();
            let state = (queue.len(), queue.delayed(), queue.processing());
            let expected = (ready, model.known.len() - ready, model.processing.len());
            assert_eq!(state, expected, "seed {seed}, turn {turn}");
        }
    }
    assert!(happened.iter().all(|times| *times > 50), "{happened:?}");
}
