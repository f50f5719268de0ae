//! Many workers: which one an item wakes, and what happens when a worker is dropped.

use std::{
    cell::{Cell, RefCell},
    collections::HashSet,
    rc::Rc,
};

use futures::{FutureExt, future::join_all};

use super::{MS, queue, take};
use crate::{
    runtime::{Chance, VirtualTime},
    workqueue::{QueueConfig, WorkQueue},
};

#[test]
fn wq_05_fifty_producers_and_ten_consumers() {
    let time = VirtualTime::seeded(5);
    let runtime = time.runtime();
    let queue: WorkQueue<u32> = WorkQueue::new(&runtime, QueueConfig::default());
    let (held, done) = (Rc::new(RefCell::new(HashSet::new())), Rc::new(Cell::new(0)));
    let consumers: Vec<_> = (0..10)
        .map(|_| {
            let (queue, runtime, held, done) = (queue.clone(), runtime.clone(), Rc::clone(&held), Rc::clone(&done));
            runtime.clone().spawn(async move {
                while let Some(item) = queue.get().await {
                    assert_ne!(*item, 666, "added after shutdown!");
                    assert!(held.borrow_mut().insert(*item), "two workers have {item:?}");
                    runtime.sleep(3 * MS).await;
                    held.borrow_mut().remove(&item);
                    done.set(done.get() + 1);
                    item.done();
                }
            })
        })
        .collect();
    let producers = (0..50).map(|number: u32| {
        let (queue, runtime) = (queue.clone(), runtime.clone());
        async move {
            for _ in 0..50 {
                queue.add(number);
                runtime.sleep(MS.mul_f64(2.0 * runtime.random())).await;
            }
        }
    });
    time.run(join_all(producers));
    queue.shut_down();
    queue.add(666);
    time.run(async {
        while !consumers.iter().all(crate::runtime::Task::is_finished) {
            runtime.sleep(MS).await;
        }
    });
    assert_eq!((queue.len(), queue.processing()), (0, 0));
    assert!((50..=2500).contains(&done.get()), "{} times something was done", done.get());
}

#[test]
fn who_waits_longest_is_served_first() {
    let (time, queue) = queue();
    let served: Rc<RefCell<Vec<(u8, &str)>>> = Rc::default();
    let workers: Vec<_> = (0..3)
        .map(|number| {
            let (queue, served) = (queue.clone(), Rc::clone(&served));
            let worker = time.runtime().spawn(async move {
                let item = queue.get().await.expect("the queue is open");
                served.borrow_mut().push((number, *item));
                item.done();
            });
            time.settle();
            worker
        })
        .collect();
    ["a", "b", "c"].into_iter().for_each(|item| queue.add(item));
    time.settle();
    assert_eq!(*served.borrow(), [(0, "a"), (1, "b"), (2, "c")]);
    drop(workers);
}

#[test]
fn a_worker_that_was_woken_and_dropped_leaves_the_item_to_the_next() {
    let (time, queue) = queue();
    let got = Rc::new(Cell::new(None));
    let first = time.runtime().spawn(queue.get().map(drop));
    time.settle();
    let second = time.runtime().spawn({
        let (get, got) = (queue.get(), Rc::clone(&got));
        async move {
            let item = get.await.expect("the queue is open");
            got.set(Some(*item));
            item.done();
        }
    });
    time.settle();
    queue.add("foo");
    // Woken by `add`, and dropped before it was polled.
    drop(first);
    time.settle();
    assert_eq!(got.get(), Some("foo"));
    assert_eq!(queue.abandoned(), 0);
    drop(second);
}

#[test]
fn a_dropped_item_goes_back_behind_the_others_and_is_counted() {
    let (_time, queue) = queue();
    queue.add("foo");
    queue.add("bar");
    drop(take(&queue));
    assert_eq!((queue.len(), queue.processing(), queue.abandoned()), (2, 0, 1));
    let (bar, foo) = (take(&queue), take(&queue));
    assert_eq!((*bar, *foo), ("bar", "foo"));
    // An item that was added again is queued once.
    queue.add("foo");
    drop(foo);
    assert_eq!((queue.len(), queue.abandoned()), (1, 2));
    bar.done();
    take(&queue).done();
    assert_eq!((queue.len(), queue.processing()), (0, 0));
}

#[test]
fn a_cancelled_worker_gives_its_item_to_another() {
    let (time, queue) = queue();
    queue.add("foo");
    let (runtime, theirs) = (time.runtime(), queue.clone());
    let stuck = time.runtime().spawn(async move {
        let item = theirs.get().await.expect("the queue is open");
        runtime.sleep(1000 * MS).await;
        item.done();
    });
    time.settle();
    let mut next = queue.get();
    assert!((&mut next).now_or_never().is_none());
    drop(stuck);
    let item = time.run(next).expect("the queue is open");
    assert_eq!((*item, queue.abandoned()), ("foo", 1));
    item.done();
}

#[test]
fn workers_that_come_and_go_at_random_lose_no_item_and_no_wake_up() {
    for seed in 0..200 {
        let (time, chance) = (VirtualTime::seeded(seed), Chance::new(seed));
        let runtime = time.runtime();
        let queue: WorkQueue<u32> = WorkQueue::new(&runtime, QueueConfig::default());
        let pick = |below: usize| (chance.next() * below as f64) as usize;
        let done = Rc::new(RefCell::new(HashSet::new()));
        let mut workers = Vec::new();
        for item in 0..60 {
            match pick(4) {
                0 | 1 => {
                    let (queue, runtime, done) = (queue.clone(), runtime.clone(), Rc::clone(&done));
                    workers.push(runtime.clone().spawn(async move {
                        while let Some(item) = queue.get().await {
                            runtime.sleep(MS).await;
                            done.borrow_mut().insert(*item);
                            item.done();
                        }
                    }));
                }
                2 if !workers.is_empty() => drop(workers.swap_remove(pick(workers.len()))),
                _ => time.advance(MS / 2),
            }
            queue.add(item);
            if pick(2) == 0 {
                time.settle();
            }
        }
        // One remaining worker must be able to finish everything.
        drop(workers.split_off(workers.len().min(1)));
        if workers.is_empty() {
            continue;
        }
        time.advance(200 * MS);
        assert_eq!((done.borrow().len(), queue.len(), queue.processing()), (60, 0, 0), "seed {seed}");
    }
}
