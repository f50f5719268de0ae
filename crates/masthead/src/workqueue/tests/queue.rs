//! client-go's cases for `WorkQueue`.

use std::{cell::RefCell, rc::Rc};

use futures::FutureExt;

use super::{queue, take};
use crate::{
    runtime::VirtualTime,
    workqueue::{Fifo, Order, QueueConfig, WorkQueue},
};

/// Records which items were touched.
#[derive(Default)]
struct Touches {
    fifo: Fifo<&'static str>,
    touched: Rc<RefCell<Vec<&'static str>>>,
}

impl Order<&'static str> for Touches {
    fn push(&self, item: &'static str) {
        self.fifo.push(item);
    }

    fn pop(&self) -> Option<&'static str> {
        self.fifo.pop()
    }

    fn len(&self) -> usize {
        self.fifo.len()
    }

    fn touch(&self, item: &&'static str) {
        self.touched.borrow_mut().push(item);
    }
}

#[test]
fn wq_01_len_counts_what_waits_once() {
    let (_time, queue) = queue();
    let lens = ["foo", "bar", "foo"].map(|item| {
        queue.add(item);
        queue.len()
    });
    assert_eq!(lens, [1, 2, 2]);
}

#[test]
fn wq_02_an_item_added_while_worked_on_comes_again() {
    let (_time, queue) = queue();
    queue.add("foo");
    let item = take(&queue);
    queue.add("foo");
    assert_eq!((queue.len(), queue.processing()), (0, 1));
    item.done();
    assert_eq!((queue.len(), queue.processing()), (1, 0));
    let item = take(&queue);
    assert_eq!(*item, "foo");
    item.done();
    assert_eq!((queue.len(), queue.processing(), queue.abandoned()), (0, 0, 0));
}

#[test]
fn wq_03_an_item_added_twice_is_worked_on_once_and_touched() {
    let (time, touched) = (VirtualTime::new(), Rc::default());
    let order = Touches { touched: Rc::clone(&touched), ..Touches::default() };
    let queue = WorkQueue::new(&time.runtime(), QueueConfig { order: Box::new(order), ..QueueConfig::default() });
    queue.add("bar");
    assert!(touched.borrow().is_empty());
    queue.add("bar");
    assert_eq!(*touched.borrow(), ["bar"]);
    take(&queue).done();
    assert_eq!(queue.len(), 0);
    assert!(queue.try_get().is_none());
}

#[test]
fn wq_04_adds_while_worked_on_collapse_and_touch_nothing() {
    let (time, touched) = (VirtualTime::new(), Rc::default());
    let order = Touches { touched: Rc::clone(&touched), ..Touches::default() };
    let queue = WorkQueue::new(&time.runtime(), QueueConfig { order: Box::new(order), ..QueueConfig::default() });
    queue.add("foo");
    let first = take(&queue);
    queue.add("foo");
    queue.add("foo");
    let mut second = queue.get();
    assert!((&mut second).now_or_never().is_none(), "it is in processing");
    first.done();
    let again = time.run(second).expect("the queue is open");
    assert_eq!(*again, "foo");
    again.done();
    assert!(queue.try_get().is_none(), "added twice, processed once more");
    assert!(touched.borrow().is_empty());
}

#[test]
fn an_order_that_repeats_itself_gives_nobody_the_item_of_another() {
    struct Repeats;
    impl Order<u8> for Repeats {
        fn push(&self, _item: u8) {}

        fn pop(&self) -> Option<u8> {
            Some(7)
        }

        fn len(&self) -> usize {
            1
        }
    }
    struct Bounded(std::cell::Cell<u8>);
    impl Order<u8> for Bounded {
        fn push(&self, item: u8) {
            Repeats.push(item);
        }

        fn pop(&self) -> Option<u8> {
            self.0.set(self.0.get().checked_sub(1)?);
            Repeats.pop()
        }

        fn len(&self) -> usize {
            usize::from(self.0.get())
        }
    }
    let time = VirtualTime::new();
    let order = Box::new(Bounded(std::cell::Cell::new(5)));
    let queue = WorkQueue::new(&time.runtime(), QueueConfig { order, ..QueueConfig::default() });
    queue.add(7);
    let item = queue.try_get().expect("it was added");
    assert!(queue.try_get().is_none(), "it is in processing");
    item.done();
    assert!(queue.try_get().is_none(), "it was not added again");
}

#[test]
fn wq_07_shut_down_does_not_wait_for_what_is_worked_on() {
    let (_time, queue) = queue();
    queue.add("foo");
    queue.add("bar");
    let items = [take(&queue), take(&queue)];
    queue.shut_down();
    assert!(queue.is_shutting_down());
    assert_eq!(queue.processing(), 2);
    items.into_iter().for_each(crate::workqueue::Item::done);
    assert!(matches!(queue.get().now_or_never(), Some(None)));
}

#[test]
fn shut_down_hands_out_what_is_queued_and_then_ends_every_worker() {
    let (time, queue) = queue();
    let idle = time.runtime().spawn({
        let queue = queue.clone();
        async move { assert!(queue.get().await.is_none()) }
    });
    time.settle();
    queue.shut_down();
    time.settle();
    assert!(idle.is_finished(), "a waiting worker gets `None`");

    let (_time, queue) = super::queue();
    queue.add("foo");
    queue.add("bar");
    let item = take(&queue);
    queue.add("foo");
    queue.shut_down();
    queue.shut_down();
    queue.add("added after shutdown!");
    queue.add("foo");
    item.done();
    let rest: Vec<&str> = std::iter::from_fn(|| {
        let item = queue.get().now_or_never().expect("no worker waits after a shutdown")?;
        let name = *item;
        item.done();
        Some(name)
    })
    .collect();
    assert_eq!(rest, ["bar", "foo"], "items that were added before the shutdown are handed out");
}
