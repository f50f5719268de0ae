//! client-go's `SharedIndexInformer`: a local copy of one collection that notifies any number of handlers.
//!
//! [`SharedInformer`] holds the state, [`controller`] has the tasks that run it, [`listener`] is one handler.

mod controller;
mod listener;
mod options;

use std::{
    cell::{Cell, RefCell},
    fmt,
    rc::Rc,
    time::Duration,
};

use super::{
    EventHandler, ListScope, ListerWatcher, Notification, Object, Store, WatchError, notify::Notify,
    process_deltas::DeltaProcessor,
};
use crate::{
    Error,
    ordered::Ordered,
    runtime::{Runtime, Task},
};
use listener::{Listener, ResyncTimer};

pub use listener::Registration;
pub use options::{InformerOptions, QueueKind, Transform, WatchErrorHandler, metadata_only, without_managed_fields};

/// Keeps a local copy of a collection up to date, and notifies handlers of every change.
///
/// The guarantees are those of client-go:
///
/// - A handler receives the changes of one object in order. Intermediate states may be missing, the last one never is.
/// - Changes of different objects have no order.
/// - The store has a change, or a later one, before a handler is notified of it.
/// - A handler that is added late first receives every object in the store as added.
/// - Handlers never run inside each other, and a removed handler is not notified again.
///
/// Clones are the same informer. It runs from [`start`](Self::start) to [`stop`](Self::stop), or until the last clone
/// is dropped. It can be started again; handlers then receive what changed in the meantime.
///
/// ```
/// use std::rc::Rc;
///
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{
///     Error,
///     cache::{Handlers, InformerOptions, ListerWatcher, SharedInformer},
/// };
///
/// async fn print_pods(pods: Rc<dyn ListerWatcher<Pod>>) -> Result<(), Error> {
///     let informer = SharedInformer::new(pods, InformerOptions::default());
///     let handler = Handlers::new().deleted(|tombstone| {
///         println!("{} was deleted", tombstone.key());
///         Ok(())
///     });
///     let _registration = informer.add_handler(handler)?;
///     informer.start();
///     informer.synced().await?;
///     println!("{} pods", informer.store().len());
///     Ok(())
/// }
/// ```
pub struct SharedInformer<T: Object> {
    shared: Rc<Shared<T>>,
    /// Not in `shared`, which the tasks hold: dropping the last informer drops the tasks.
    tasks: Rc<RefCell<Vec<Task>>>,
}

/// One part of the collection, read by a reflector of its own.
struct WatchedScope<T> {
    scope: ListScope,
    lister_watcher: Rc<dyn ListerWatcher<T>>,
    /// The last resource version that the reflector saw.
    version: RefCell<String>,
}

/// The state of an informer, shared by its clones, its tasks and the registrations of its handlers.
struct Shared<T: Object> {
    /// The parts of the collection. Never empty.
    scopes: Vec<WatchedScope<T>>,
    runtime: Runtime,
    options: InformerOptions<T>,
    store: Store<T>,
    /// Deltas on their way from the reflectors to `store`.
    processor: RefCell<DeltaProcessor<T>>,
    /// The registered handlers by id, in the order of registration.
    listeners: RefCell<Ordered<u64, Rc<Listener<T>>>>,
    /// The id of the next handler.
    next_id: Cell<u64>,
    stage: Cell<Stage>,
    /// Incremented by each start and stop. A task or sink of another generation is outdated and does nothing.
    generation: Cell<u64>,
    /// How often the informer looks for handlers that are due for a resync; zero for never.
    resync_check_period: Cell<Duration>,
    /// Why the store is not complete, if that needs intervention. Cleared once the store is complete.
    sync_error: RefCell<Option<Error>>,
    /// Notified when there is work, when the queue has room, and when [`SharedInformer::synced`] may return.
    notify: Notify,
}

/// Handlers can be added while the informer is new or running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    Stopped,
}

impl<T: Object> SharedInformer<T> {
    /// Creates an informer of the collection that `lister_watcher` reads. It does nothing until started.
    pub fn new(lister_watcher: Rc<dyn ListerWatcher<T>>, options: InformerOptions<T>) -> SharedInformer<T> {
        SharedInformer::with_scopes(vec![(ListScope::All, lister_watcher)], options)
    }

    /// Creates one informer of several namespaces, each with its own source. It does nothing until started.
    ///
    /// It has synced once every namespace has been listed. It always uses [`QueueKind::RealFifo`].
    ///
    /// # Panics
    ///
    /// Panics if `namespaces` is empty.
    pub fn of_namespaces(
        namespaces: impl IntoIterator<Item = (String, Rc<dyn ListerWatcher<T>>)>,
        options: InformerOptions<T>,
    ) -> SharedInformer<T> {
        let sources = namespaces
            .into_iter()
            .map(|(namespace, lister_watcher)| (ListScope::Namespace(namespace.into()), lister_watcher));
        SharedInformer::with_scopes(sources.collect(), InformerOptions { queue: QueueKind::RealFifo, ..options })
    }

    fn with_scopes(
        sources: Vec<(ListScope, Rc<dyn ListerWatcher<T>>)>,
        options: InformerOptions<T>,
    ) -> SharedInformer<T> {
        let runtime = sources
            .first()
            .map(|(_, lister_watcher)| lister_watcher.runtime())
            .expect("an informer has at least one source");
        let scopes = sources.iter().map(|(scope, _)| scope.clone());
        let processor = DeltaProcessor::new(options.queue.new_queue(), scopes);
        let watched = |(scope, lister_watcher)| WatchedScope { scope, lister_watcher, version: RefCell::default() };
        let shared = Shared {
            scopes: sources.into_iter().map(watched).collect(),
            runtime,
            store: Store::new(),
            processor: RefCell::new(processor),
            listeners: RefCell::default(),
            next_id: Cell::new(0),
            stage: Cell::new(Stage::New),
            generation: Cell::new(0),
            resync_check_period: Cell::new(listener::clamp_resync_period(options.resync)),
            sync_error: RefCell::default(),
            notify: Notify::default(),
            options,
        };
        SharedInformer { shared: Rc::new(shared), tasks: Rc::default() }
    }

    /// Whether both are clones of the same informer.
    pub fn is_same(&self, other: &SharedInformer<T>) -> bool {
        Rc::ptr_eq(&self.shared, &other.shared)
    }

    /// The clock, the timers and the task spawner that the informer uses.
    pub fn runtime(&self) -> Runtime {
        self.shared.runtime.clone()
    }

    /// The local copy of the collection.
    pub fn store(&self) -> Store<T> {
        self.shared.store.clone()
    }

    /// Starts to list and watch. Does nothing while the informer runs.
    pub fn start(&self) {
        let shared = &self.shared;
        if shared.stage.replace(Stage::Running) == Stage::Running {
            return;
        }
        let generation = shared.next_generation();
        let discarded = shared.processor.borrow_mut().restart(shared.options.queue.new_queue());
        drop(discarded);
        let mut tasks = vec![
            shared.runtime.spawn(controller::run(Rc::clone(shared), generation)),
            shared.runtime.spawn(controller::resync(Rc::clone(shared))),
        ];
        let scopes = 0..shared.scopes.len();
        tasks.extend(
            scopes.map(|index| shared.runtime.spawn(controller::run_reflector(Rc::clone(shared), index, generation))),
        );
        *self.tasks.borrow_mut() = tasks;
    }

    /// Cancels all requests and stops all notifications at once, even if a handler calls this. The store keeps its
    /// objects.
    pub fn stop(&self) {
        if self.shared.stage.replace(Stage::Stopped) == Stage::Running {
            self.shared.next_generation();
            let tasks = std::mem::take(&mut *self.tasks.borrow_mut());
            drop(tasks);
        }
        self.shared.notify.notify_all();
    }

    /// Whether the informer lists and watches.
    pub fn is_running(&self) -> bool {
        self.shared.stage.get() == Stage::Running
    }

    /// Notifies `handler` of every object in the store, and then of every change. Resyncs follow the informer's
    /// options.
    ///
    /// Fails if the informer has been stopped. Dropping the registration removes the handler.
    pub fn add_handler(&self, handler: impl EventHandler<T> + 'static) -> Result<Registration<T>, Error> {
        self.add_handler_with_resync(handler, self.shared.options.resync)
    }

    /// Adds a handler as [`add_handler`](Self::add_handler) does, with its own resync period.
    ///
    /// Zero means never. Before the informer starts, a shorter period also shortens the
    /// [check period](Self::resync_check_period). Afterwards the handler's period is at least the check period, and zero if
    /// that is zero. Other periods under a second count as one second.
    pub fn add_handler_with_resync(
        &self,
        handler: impl EventHandler<T> + 'static,
        period: Duration,
    ) -> Result<Registration<T>, Error> {
        let shared = &self.shared;
        if shared.stage.get() == Stage::Stopped {
            let why = "handler was not added to shared informer because it has stopped already";
            return Err(Error::invalid(&format!("inform of {}", shared.description()), why));
        }
        let period = self.effective_resync_period(listener::clamp_resync_period(period));
        let listener = Rc::new(Listener::new(Rc::new(handler), ResyncTimer::new(period, shared.runtime.now())));
        let id = shared.next_id.replace(shared.next_id.get() + 1);
        for object in shared.store.list() {
            listener.push(Notification::Added { object, initial: true });
        }
        if shared.processor.borrow().has_synced() {
            listener.mark_initial_complete();
        }
        shared.listeners.borrow_mut().insert(id, Rc::clone(&listener));
        shared.notify.notify_all();
        Ok(Registration { shared: Rc::clone(shared), id, listener, forgotten: false })
    }

    /// Whether the store has ever been complete.
    pub fn has_synced(&self) -> bool {
        self.shared.processor.borrow().has_synced()
    }

    /// Waits until the store is complete, as client-go's `WaitForCacheSync`.
    ///
    /// Fails if that needs intervention: the server denies access ([`Error::is_forbidden`]), does not have the resource
    /// ([`Error::is_not_found`]) or sends something that is not a list. The informer keeps retrying, so a later call
    /// may succeed. While the server is unreachable, this waits. Fails as well if the informer is stopped.
    pub async fn synced(&self) -> Result<(), Error> {
        let shared = &self.shared;
        let is_done =
            || self.has_synced() || shared.sync_error.borrow().is_some() || shared.stage.get() == Stage::Stopped;
        shared.notify.until(is_done).await;
        match shared.sync_error.borrow().clone() {
            _ if self.has_synced() => Ok(()),
            Some(error) => Err(error),
            None => Err(Error::aborted(&format!("inform of {}", shared.description()))),
        }
    }

    /// The last resource version that the reflector saw; with several namespaces, that of the first. Opaque; empty
    /// before the first list.
    pub fn last_sync_version(&self) -> String {
        self.shared.scopes.first().map(|watched| watched.version.borrow().clone()).unwrap_or_default()
    }

    /// The number of deltas that are queued for the store.
    pub fn depth(&self) -> usize {
        self.shared.processor.borrow().queue.len()
    }

    /// How often the informer looks for handlers that are due for a resync. Zero is never.
    pub fn resync_check_period(&self) -> Duration {
        self.shared.resync_check_period.get()
    }

    /// The resync period of a handler that requests `requested`. Before the start, also adjusts the check period.
    fn effective_resync_period(&self, requested: Duration) -> Duration {
        let (shared, check_period) = (&self.shared, self.shared.resync_check_period.get());
        if shared.stage.get() == Stage::New {
            if !requested.is_zero() && (check_period.is_zero() || requested < check_period) {
                shared.resync_check_period.set(requested);
            }
            return requested;
        }
        listener::determine_resync_period(requested, check_period)
    }
}

impl<T: Object> Shared<T> {
    fn description(&self) -> String {
        self.scopes.first().map(|watched| watched.lister_watcher.description()).unwrap_or_default()
    }

    fn next_generation(&self) -> u64 {
        self.generation.set(self.generation.get() + 1);
        self.generation.get()
    }

    fn watch_error(&self, error: &WatchError) {
        if let Some(handler) = &self.options.on_watch_error {
            handler(error);
        }
    }
}

impl<T: Object> Clone for SharedInformer<T> {
    fn clone(&self) -> SharedInformer<T> {
        SharedInformer { shared: Rc::clone(&self.shared), tasks: Rc::clone(&self.tasks) }
    }
}

impl<T: Object> fmt::Debug for SharedInformer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedInformer")
            .field("of", &self.shared.description())
            .field("stage", &self.shared.stage.get())
            .field("objects", &self.shared.store.len())
            .finish_non_exhaustive()
    }
}
