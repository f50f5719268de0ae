//! A controller at work.

use std::{cell::Cell, fmt, rc::Rc, time::Duration};

use futures::{
    FutureExt, StreamExt,
    channel::oneshot,
    future::{Shared, try_join_all},
    stream::FuturesUnordered,
};

use super::{ControllerOptions, Failure, FailureHandler, Outcome, feed::Connect};
use crate::{
    Error,
    cache::ObjectKey,
    runtime::{Runtime, Slice, Task},
    workqueue::{AddOptions, Item, PriorityQueue, PriorityQueueConfig},
};

/// A controller at work. Dropping it ends it at once, in the middle of whatever its workers do; [`stop`](Self::stop) lets
/// them finish.
#[must_use = "the controller ends when dropped"]
pub struct Running {
    desk: Rc<Desk>,
    started: Shared<oneshot::Receiver<Result<(), Error>>>,
    task: Task,
}

/// What came of the work so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Done without a failure, until something changes.
    pub success: u64,
    /// Done, and to come again after some time.
    pub requeue_after: u64,
    /// Done, and to come again soon.
    pub requeue: u64,
    /// Failed, those whose failure is terminal too.
    pub error: u64,
    /// Failed in a way that trying again does not help.
    pub terminal: u64,
}

/// What the workers share.
struct Desk {
    runtime: Runtime,
    queue: PriorityQueue<ObjectKey>,
    counts: Cell<Counts>,
    on_failure: Option<FailureHandler>,
}

impl Running {
    pub(super) fn new<R>(
        runtime: &Runtime,
        feeds: Vec<Box<dyn Connect>>,
        options: ControllerOptions,
        reconcile: R,
    ) -> Result<Running, Error>
    where
        R: AsyncFn(ObjectKey) -> Result<Outcome, Failure> + 'static,
    {
        let config = PriorityQueueConfig {
            name: options.name,
            metrics: options.metrics,
            rate_limiter: options.rate_limiter,
            ..PriorityQueueConfig::default()
        };
        let queue = PriorityQueue::new(runtime, config);
        let connections = feeds.iter().map(|feed| feed.connect(&queue)).collect::<Result<Vec<_>, Error>>()?;
        let desk = Desk { runtime: runtime.clone(), queue, counts: Cell::default(), on_failure: options.on_failure };
        let desk = Rc::new(desk);
        let (told, started) = oneshot::channel();
        let (workers, limit) = (options.max_concurrent_reconciles.max(1), options.cache_sync_timeout);
        let task = runtime.spawn({
            let desk = Rc::clone(&desk);
            async move {
                let synced = try_join_all(connections.iter().map(|connection| connection.synced()));
                let synced = desk.runtime.within(limit, synced).await;
                let synced = synced.unwrap_or_else(|| Err(Error::timed_out("wait for caches to sync", limit)));
                let goes_on = synced.is_ok();
                // Nobody may want to know.
                told.send(synced.map(drop)).ok();
                if goes_on {
                    let workers: FuturesUnordered<_> = (0..workers).map(|_| desk.work(&reconcile)).collect();
                    workers.collect::<()>().await;
                }
                drop(connections);
            }
        });
        Ok(Running { desk, started: started.shared(), task })
    }

    /// Completes once the local copies are complete and the workers work; fails if they are not in time, or if that will
    /// not happen by itself (see [`SharedInformer::synced`](crate::cache::SharedInformer::synced)). Then the controller is
    /// over.
    pub async fn started(&self) -> Result<(), Error> {
        self.started.clone().await.unwrap_or_else(|_| Err(Error::aborted("start controller")))
    }

    /// Ends the controller: takes no more keys, and lets workers finish for `limit` at most. Gives how many did not; they
    /// are dropped where they are.
    pub async fn stop(self, limit: Duration) -> usize {
        self.desk.queue.shut_down_with_drain(limit).await
    }

    /// Works on `key` as if it had changed.
    pub fn enqueue(&self, key: ObjectKey) {
        self.desk.queue.add(key);
    }

    /// Whether it has ended by itself, since its local copies could not be completed.
    pub fn is_over(&self) -> bool {
        self.task.is_finished()
    }

    /// What came of the work so far.
    pub fn counts(&self) -> Counts {
        self.desk.counts.get()
    }

    /// How many keys wait for a worker.
    pub fn depth(&self) -> usize {
        self.desk.queue.len()
    }

    /// How many keys are being worked on.
    pub fn working(&self) -> usize {
        self.desk.queue.processing()
    }

    /// Lets it run for as long as the page lives.
    pub fn forget(self) {
        self.task.forget();
    }
}

impl Desk {
    /// One worker, until the queue ends.
    async fn work(&self, reconcile: &impl AsyncFn(ObjectKey) -> Result<Outcome, Failure>) {
        let mut slice = Slice::new(&self.runtime);
        while let Some(item) = self.queue.get().await {
            let outcome = reconcile(item.clone()).await;
            self.settle(&item, outcome);
            item.done();
            // Work that never waits must not keep the page from everything else.
            slice.pause().await;
        }
    }

    /// What is to happen with a key that was worked on.
    fn settle(&self, item: &Item<ObjectKey>, outcome: Result<Outcome, Failure>) {
        let (mut counts, priority, key) = (self.counts.get(), item.priority(), (**item).clone());
        let again = |after: Duration, rate_limited: bool| {
            self.queue.add_with(AddOptions { after, rate_limited, priority }, key.clone());
        };
        match &outcome {
            Err(failure) => {
                counts.error += 1;
                if failure.is_terminal() {
                    counts.terminal += 1;
                } else {
                    again(Duration::ZERO, true);
                }
            }
            Ok(Outcome::RequeueAfter(after)) if !after.is_zero() => {
                counts.requeue_after += 1;
                self.queue.forget(&key);
                again(*after, false);
            }
            Ok(Outcome::Requeue) => {
                counts.requeue += 1;
                again(Duration::ZERO, true);
            }
            Ok(Outcome::Done | Outcome::RequeueAfter(_)) => {
                counts.success += 1;
                self.queue.forget(&key);
            }
        }
        self.counts.set(counts);
        if let (Err(failure), Some(told)) = (&outcome, &self.on_failure) {
            told(&key, failure);
        }
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("queue", &self.desk.queue)
            .field("counts", &self.counts())
            .finish_non_exhaustive()
    }
}
