//! The worker's side of a queue: [`Get`] waits for an item, [`Item`] is the item while a worker has it.

use std::{
    fmt,
    ops::Deref,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use crate::ordered::Ordered;

/// The future of client-go's `Get`: completes with the next item, or with `None` when the queue is shut down and has no
/// more items to hand out.
///
/// Workers that wait are served in the order in which they started to wait. Dropping the future is safe at any time: an
/// item that was meant for it goes to the next worker.
#[must_use = "futures do nothing unless polled"]
pub struct Get<T> {
    queue: Rc<dyn AnyQueue<T>>,
    /// The place among the waiting workers, if this one waits.
    ticket: Option<u64>,
}

/// An item that a worker has got. No other worker gets the same item while this value lives.
///
/// Call [`done`](Self::done) when processing ends, whether it succeeded or failed. An item that is dropped without
/// `done`, for example because its worker was cancelled, goes back to the end of the queue and is counted as abandoned.
///
/// ```
/// use masthead::{runtime::VirtualTime, workqueue::WorkQueue};
///
/// let time = VirtualTime::new();
/// let queue = WorkQueue::new(&time.runtime(), Default::default());
/// queue.add("default/web-0");
///
/// let item = queue.try_get().expect("it was added");
/// assert_eq!((queue.len(), queue.processing()), (0, 1));
/// // The worker fails half-way: the item is queued again.
/// drop(item);
/// assert_eq!((queue.len(), queue.abandoned()), (1, 1));
///
/// let item = queue.try_get().expect("it went back");
/// item.done();
/// assert_eq!((queue.len(), queue.processing()), (0, 0));
/// ```
#[must_use = "an item that is dropped goes back to the queue"]
pub struct Item<T> {
    queue: Rc<dyn AnyQueue<T>>,
    item: T,
    priority: i32,
    completion: Completion,
}

/// The calls of a worker on a queue of either kind.
pub(super) trait AnyQueue<T> {
    /// Takes the next item and its priority. Returns `None` if there will be no more, and otherwise registers `waker`;
    /// a waiting worker keeps its place by its `ticket`.
    fn poll_get(&self, ticket: &mut Option<u64>, waker: &Waker) -> Poll<Option<(T, i32)>>;

    /// Ends the wait of the worker with this ticket.
    fn cancel_get(&self, ticket: u64);

    /// Ends the processing of `item`.
    fn done(&self, item: &T, completion: Completion);
}

/// How the processing of an item ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completion {
    Done,
    /// The worker dropped the item, so the work may not be done.
    Abandoned,
}

impl<T> Get<T> {
    pub(super) fn new(queue: Rc<dyn AnyQueue<T>>) -> Get<T> {
        Get { queue, ticket: None }
    }
}

impl<T> Future for Get<T> {
    type Output = Option<Item<T>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Item<T>>> {
        let Get { queue, ticket } = &mut *self;
        let next = queue.poll_get(ticket, context.waker());
        next.map(|next| next.map(|next| Item::new(Rc::clone(queue), next)))
    }
}

impl<T> Drop for Get<T> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            self.queue.cancel_get(ticket);
        }
    }
}

impl<T> Item<T> {
    pub(super) fn new(queue: Rc<dyn AnyQueue<T>>, (item, priority): (T, i32)) -> Item<T> {
        Item { queue, item, priority, completion: Completion::Abandoned }
    }

    /// Ends the processing of the item. If it was added meanwhile, it is queued again now.
    pub fn done(mut self) {
        self.completion = Completion::Done;
    }

    /// The priority that the item was handed out with; 0 in a queue without priorities.
    pub fn priority(&self) -> i32 {
        self.priority
    }
}

impl<T> Deref for Item<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.item
    }
}

impl<T> Drop for Item<T> {
    fn drop(&mut self) {
        self.queue.done(&self.item, self.completion);
    }
}

/// The workers that wait for an item, and the callers that wait for the end of a drain. Wakes nobody: it returns the
/// wakers, so that they run without a borrow.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    /// By ticket, so the worker that has waited longest is first.
    workers: Ordered<u64, Waker>,
    /// How many workers were woken for an item and have neither polled again nor been dropped.
    woken: usize,
    last_ticket: u64,
    drains: Vec<Waker>,
}

impl Waiters {
    /// Registers a worker, at its old place if it has a ticket.
    pub(super) fn register(&mut self, ticket: &mut Option<u64>, waker: &Waker) {
        let ticket = *ticket.get_or_insert_with(|| {
            self.last_ticket += 1;
            self.last_ticket
        });
        self.workers.insert(ticket, waker.clone());
    }

    /// Removes a worker that polls again or is dropped.
    pub(super) fn remove(&mut self, ticket: u64) {
        if self.workers.remove(&ticket).is_none() {
            self.woken -= 1;
        }
    }

    /// Returns the next worker to wake, unless enough are woken for `ready` items.
    pub(super) fn next_to_wake(&mut self, ready: usize) -> Option<Waker> {
        if self.woken >= ready {
            return None;
        }
        let (_, waker) = self.workers.pop_first()?;
        self.woken += 1;
        Some(waker)
    }

    /// Returns every worker: the queue is shut down.
    pub(super) fn take_workers(&mut self) -> Vec<Waker> {
        self.woken += self.workers.len();
        std::mem::take(&mut self.workers).into_values().collect()
    }

    pub(super) fn no_workers(&self) -> bool {
        self.workers.is_empty()
    }

    /// Registers a caller that waits for the end of a drain.
    pub(super) fn register_drain(&mut self, waker: &Waker) {
        if !self.drains.iter().any(|known| known.will_wake(waker)) {
            self.drains.push(waker.clone());
        }
    }

    /// Returns everyone who waits for the end of a drain.
    pub(super) fn take_drains(&mut self) -> Vec<Waker> {
        std::mem::take(&mut self.drains)
    }
}

impl<T> fmt::Debug for Get<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Get").field("waiting", &self.ticket.is_some()).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for Item<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Item").field(&self.item).finish()
    }
}
