//! The plain queue: [`WorkQueue`], the order of its items, and client-go's `dirty`, `processing` and `queue`.

use std::{
    cell::{Cell, RefCell},
    collections::{VecDeque, hash_map::Entry},
    fmt,
    rc::Rc,
    time::Duration,
};

use rustc_hash::FxHashMap;

use super::{
    Get, Item, Key, MetricsProvider,
    delaying_queue::WaitingForQueue,
    get::Completion,
    metrics::{Change, ItemTimes, MetricsBuffer, UNFINISHED_WORK_UPDATE_PERIOD, metrics_for},
    queue_core::{PendingItems, Shared},
};
use crate::runtime::{Instant, Runtime};

/// A queue that hands out each item once, in the order in which items were added. The [module](super) lists its
/// guarantees.
///
/// Clones share the same queue. The queue has at most one entry for each distinct item, however often it is added.
///
/// ```
/// use masthead::{runtime::VirtualTime, workqueue::WorkQueue};
///
/// let time = VirtualTime::new();
/// let queue = WorkQueue::new(&time.runtime(), Default::default());
/// queue.add("a");
/// queue.add("b");
/// queue.add("a");
/// assert_eq!(queue.len(), 2);
/// time.run(async {
///     let a = queue.get().await.expect("not shut down");
///     assert_eq!(*a, "a");
///     // Added while it is in processing: no worker gets it before `done`.
///     queue.add("a");
///     assert_eq!(queue.len(), 1);
///     a.done();
///     assert_eq!(queue.len(), 2);
/// });
/// ```
pub struct WorkQueue<T: Key> {
    pub(super) shared: Rc<Shared<FifoItems<T>>>,
}

/// The options of a [`WorkQueue`], a [`DelayingQueue`](super::DelayingQueue) or a
/// [`RateLimitingQueue`](super::RateLimitingQueue).
pub struct QueueConfig<T> {
    /// The name of the queue in metrics. A queue without a name has no metrics.
    pub name: String,
    /// Creates the metrics of the queue; none by default.
    pub metrics: Option<Rc<dyn MetricsProvider>>,
    /// The order in which items are handed out; [`Fifo`] by default.
    pub order: Box<dyn Order<T>>,
    /// How often the metrics are updated with unfinished work; every 500 ms by default.
    pub unfinished_period: Duration,
}

impl<T: Key> WorkQueue<T> {
    /// Creates an empty queue.
    pub fn new(runtime: &Runtime, config: QueueConfig<T>) -> WorkQueue<T> {
        let metrics = metrics_for(&config.name, config.metrics.as_deref());
        let items = FifoItems::new(config.order, metrics.is_some());
        WorkQueue { shared: Shared::new(runtime, items, metrics, config.unfinished_period) }
    }

    /// Marks `item` as needing processing. Does nothing if it is marked already or if the queue is shut down.
    pub fn add(&self, item: T) {
        if !self.is_shutting_down() {
            self.shared.update(|items, now, metrics| items.add(item, now, metrics));
        }
    }

    /// Waits for the next item. Returns `None` once the queue is shut down and empty; a worker should then end.
    pub fn get(&self) -> Get<T> {
        Get::new(Rc::clone(&self.shared) as _)
    }

    /// Returns the next item without waiting, or `None` if the queue is empty.
    pub fn try_get(&self) -> Option<Item<T>> {
        self.shared.try_get().map(|next| Item::new(Rc::clone(&self.shared) as _, next))
    }

    /// How many items wait for a worker. Use it for information only: the next call may find another number.
    pub fn len(&self) -> usize {
        self.shared.len()
    }

    /// Whether no item waits for a worker.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items workers have got and not finished.
    pub fn processing(&self) -> usize {
        self.shared.items.processing()
    }

    /// How many items were dropped by their worker without [`done`](Item::done), and went back to the queue.
    pub fn abandoned(&self) -> u64 {
        self.shared.abandoned()
    }

    /// Makes the queue ignore new items and drop delayed ones. Workers get the items that are queued, then `None`.
    ///
    /// Returns at once, and ends every [`shut_down_with_drain`](Self::shut_down_with_drain) that waits.
    pub fn shut_down(&self) {
        self.shared.shut_down();
    }

    /// Shuts the queue down and waits until every item that is queued or in processing is done, for at most `limit`.
    /// Returns how many items are left: 0 unless the time ran out or [`shut_down`](Self::shut_down) was called
    /// meanwhile.
    ///
    /// The drain includes the next processing of every item that was added while in processing or abandoned.
    pub async fn shut_down_with_drain(&self, limit: Duration) -> usize {
        self.shared.shut_down_with_drain(limit).await
    }

    /// Whether the queue is shut down.
    pub fn is_shutting_down(&self) -> bool {
        self.shared.is_shutting_down()
    }
}

impl<T: Key> Default for QueueConfig<T> {
    fn default() -> QueueConfig<T> {
        QueueConfig {
            name: String::new(),
            metrics: None,
            order: Box::new(Fifo::default()),
            unfinished_period: UNFINISHED_WORK_UPDATE_PERIOD,
        }
    }
}

/// Stores the items that wait for a worker and decides which one is next: client-go's `workqueue.Queue` interface.
///
/// The work queue never pushes an item that is in here already. It calls these methods without holding a borrow, so an
/// order may use the queue that it belongs to.
///
/// ```
/// use std::cell::RefCell;
/// use masthead::{runtime::VirtualTime, workqueue::{Order, QueueConfig, WorkQueue}};
///
/// /// Last in, first out.
/// #[derive(Default)]
/// struct Stack(RefCell<Vec<&'static str>>);
///
/// impl Order<&'static str> for Stack {
///     fn push(&self, item: &'static str) {
///         self.0.borrow_mut().push(item);
///     }
///
///     fn pop(&self) -> Option<&'static str> {
///         self.0.borrow_mut().pop()
///     }
///
///     fn len(&self) -> usize {
///         self.0.borrow().len()
///     }
/// }
///
/// let config = QueueConfig { order: Box::new(Stack::default()), ..Default::default() };
/// let queue = WorkQueue::new(&VirtualTime::new().runtime(), config);
/// queue.add("a");
/// queue.add("b");
/// assert_eq!(queue.try_get().as_deref(), Some(&"b"));
/// ```
pub trait Order<T> {
    /// Adds an item that is not in here.
    fn push(&self, item: T);

    /// Removes and returns the next item.
    fn pop(&self) -> Option<T>;

    /// How many items are in here.
    fn len(&self) -> usize;

    /// Whether no item is in here.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An item that is in here was added again, so the order may move it. Does nothing by default.
    fn touch(&self, _item: &T) {}
}

/// First in, first out: the default [`Order`].
#[derive(Debug)]
pub struct Fifo<T> {
    items: RefCell<VecDeque<T>>,
}

impl<T> Order<T> for Fifo<T> {
    fn push(&self, item: T) {
        self.items.borrow_mut().push_back(item);
    }

    fn pop(&self) -> Option<T> {
        self.items.borrow_mut().pop_front()
    }

    fn len(&self) -> usize {
        self.items.borrow().len()
    }
}

impl<T> Default for Fifo<T> {
    fn default() -> Fifo<T> {
        Fifo { items: RefCell::default() }
    }
}

/// The items of a [`WorkQueue`]: which are dirty, which are in processing, and in which order workers get them.
///
/// An item is *dirty* if it needs processing, and in *processing* while a worker has it. client-go keeps a set for
/// each; here one map holds both marks, so each step hashes the item once.
pub(super) struct FifoItems<T> {
    /// Every item that is dirty, in processing, or both.
    states: RefCell<FxHashMap<T, State>>,
    /// How many of `states` are in processing.
    processing: Cell<usize>,
    /// The items that are dirty and not in processing. Called only without a borrow: it may be the user's code.
    queue: Box<dyn Order<T>>,
    /// The items that `add_after` will add. An item may be here and in `states` at the same time.
    waiting_for_add: RefCell<WaitingForQueue<T>>,
    /// Only with metrics: an item without times is faster.
    times: Option<RefCell<ItemTimes<T>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Dirty,
    Processing,
    /// Added again while in processing: `done` puts it into `queue`.
    ProcessingAndDirty,
}

impl<T: Key> FifoItems<T> {
    fn new(order: Box<dyn Order<T>>, with_metrics: bool) -> FifoItems<T> {
        FifoItems {
            states: RefCell::default(),
            processing: Cell::new(0),
            queue: order,
            waiting_for_add: RefCell::new(WaitingForQueue::new()),
            times: with_metrics.then(RefCell::default),
        }
    }

    /// Marks `item` as dirty, and queues it unless it is in processing.
    fn add(&self, item: T, now: Instant, metrics: &mut MetricsBuffer) {
        let before = self.mark_dirty(&item);
        match before {
            Some(State::Dirty) => return self.queue.touch(&item),
            Some(State::ProcessingAndDirty) => return,
            Some(State::Processing) | None => metrics.push(Change::Added { priority: 0 }),
        }
        if let Some(times) = &self.times {
            times.borrow_mut().add(&item, now);
        }
        if before.is_none() {
            self.queue.push(item);
        }
    }

    /// Adds `item` at the time `at`, or now without one.
    pub(super) fn add_at(&self, item: T, at: Option<Instant>, now: Instant, metrics: &mut MetricsBuffer) {
        metrics.push(Change::Retried);
        match at {
            Some(at) => self.waiting_for_add.borrow_mut().insert(item, at),
            None => self.add(item, now, metrics),
        }
    }

    pub(super) fn delayed(&self) -> usize {
        self.waiting_for_add.borrow().len()
    }

    /// Returns the state of `item` before.
    fn mark_dirty(&self, item: &T) -> Option<State> {
        match self.states.borrow_mut().entry(item.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(State::Dirty);
                None
            }
            Entry::Occupied(mut entry) => Some(match entry.get() {
                State::Processing => entry.insert(State::ProcessingAndDirty),
                dirty => *dirty,
            }),
        }
    }

    /// Moves `item` from dirty to processing. Returns false if it was not dirty, or in processing already.
    fn mark_processing(&self, item: &T) -> bool {
        match self.states.borrow_mut().get_mut(item) {
            Some(state) if *state == State::Dirty => *state = State::Processing,
            _ => return false,
        }
        self.processing.set(self.processing.get() + 1);
        true
    }
}

impl<T: Key> PendingItems for FifoItems<T> {
    type Item = T;

    const SERVES_AFTER_SHUTDOWN: bool = true;

    fn needs_time(&self) -> bool {
        self.delayed() > 0
    }

    fn next_due(&self) -> Option<Instant> {
        self.waiting_for_add.borrow().next_due()
    }

    fn add_due(&self, now: Instant, metrics: &mut MetricsBuffer) {
        loop {
            let due = self.waiting_for_add.borrow_mut().pop(now);
            let Some(item) = due else { return };
            self.add(item, now, metrics);
        }
    }

    fn get(&self, now: Instant, metrics: &mut MetricsBuffer) -> Option<(T, i32)> {
        loop {
            let item = self.queue.pop()?;
            // An order of the user's may return an item twice; only one worker gets it.
            if self.mark_processing(&item) {
                if let Some(waited) = self.times.as_ref().and_then(|times| times.borrow_mut().get(&item, now)) {
                    metrics.push(Change::Got { priority: 0, waited });
                }
                return Some((item, 0));
            }
        }
    }

    fn done(&self, item: &T, completion: Completion, now: Instant, metrics: &mut MetricsBuffer) {
        // Most items are not added meanwhile, so removing comes first and the others are inserted again.
        let Some((removed, state)) = self.states.borrow_mut().remove_entry(item) else { return };
        self.processing.set(self.processing.get() - 1);
        let (added_again, abandoned) = (state == State::ProcessingAndDirty, completion == Completion::Abandoned);
        if let Some(times) = &self.times {
            if let Some(worked) = times.borrow_mut().done(item, now) {
                metrics.push(Change::Processed { worked });
            }
            if abandoned && !added_again {
                times.borrow_mut().add(item, now);
            }
        }
        if abandoned {
            metrics.push(Change::Abandoned { requeued: (!added_again).then_some(0) });
        }
        if added_again || abandoned {
            self.states.borrow_mut().insert(removed, State::Dirty);
            self.queue.push(item.clone());
        }
    }

    fn discard_delayed(&self) {
        let discarded = self.waiting_for_add.replace(WaitingForQueue::new());
        drop(discarded);
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn ready(&self) -> usize {
        self.queue.len()
    }

    fn processing(&self) -> usize {
        self.processing.get()
    }

    fn undrained(&self) -> usize {
        self.states.borrow().len()
    }

    fn unfinished(&self, now: Instant) -> (Duration, Duration) {
        self.times.as_ref().map(|times| times.borrow().unfinished(now)).unwrap_or_default()
    }
}

impl<T: Key> Clone for WorkQueue<T> {
    fn clone(&self) -> WorkQueue<T> {
        WorkQueue { shared: Rc::clone(&self.shared) }
    }
}

impl<T: Key> fmt::Debug for WorkQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkQueue")
            .field("queue", &self.shared.items.len())
            .field("processing", &self.processing())
            .field("delayed", &self.shared.items.delayed())
            .field("shutting_down", &self.is_shutting_down())
            .finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for QueueConfig<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueueConfig")
            .field("name", &self.name)
            .field("metrics", &self.metrics.is_some())
            .field("unfinished_period", &self.unfinished_period)
            .finish_non_exhaustive()
    }
}
