//! A cache of one collection that tells any number of handlers what changes.

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

/// Keeps a local copy of a collection equal to the server's, and tells handlers of every change.
///
/// What holds:
/// - A handler is told the changes of one object in their order. Some states may be left out, the last one never.
/// - Objects of different names are in no order.
/// - When a change is told, the store has it, or has a later one.
/// - A handler that comes late is told everything that is there as if it had just come.
/// - Nothing is told while another handler runs, or after a handler was taken out.
///
/// Clones are the same informer. It runs from [`start`](Self::start) to [`stop`](Self::stop), or until the last clone is
/// dropped, and may be started again: what changed meanwhile is told then.
pub struct SharedInformer<T: Object> {
    shared: Rc<Shared<T>>,
    /// Apart from what the tasks hold, so that they end with the last informer.
    tasks: Rc<RefCell<Vec<Task>>>,
}

/// A part of what an informer reads, with a reflector of its own.
struct WatchedScope<T> {
    scope: ListScope,
    lister_watcher: Rc<dyn ListerWatcher<T>>,
    /// The version that its reflector has seen.
    version: RefCell<String>,
}

struct Shared<T: Object> {
    /// What is read, in parts; at least one.
    scopes: Vec<WatchedScope<T>>,
    runtime: Runtime,
    options: InformerOptions<T>,
    store: Store<T>,
    processor: RefCell<DeltaProcessor<T>>,
    /// In the order they came.
    listeners: RefCell<Ordered<u64, Rc<Listener<T>>>>,
    next_id: Cell<u64>,
    stage: Cell<Stage>,
    /// Counts starts and stops: whatever began under another number is over.
    generation: Cell<u64>,
    /// How often handlers are looked at; zero for never.
    resync_check_period: Cell<Duration>,
    /// Why there is no complete state yet, where that will not go away by itself.
    sync_error: RefCell<Option<Error>>,
    /// Rung when there is work, room, a complete state, or a reason why there is none.
    notify: Notify,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    Stopped,
}

impl<T: Object> SharedInformer<T> {
    /// An informer of what `lister_watcher` lists, not started yet.
    pub fn new(lister_watcher: Rc<dyn ListerWatcher<T>>, options: InformerOptions<T>) -> SharedInformer<T> {
        SharedInformer::with_scopes(vec![(ListScope::All, lister_watcher)], options)
    }

    /// One informer of several namespaces, each with the lister_watcher that lists it; not started yet. It is complete when all of
    /// them are. Its queue is [`QueueKind::RealFifo`], whatever the options say.
    ///
    /// # Panics
    ///
    /// When there is no namespace at all: then there is nothing to inform of.
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
        let runtime =
            sources.first().map(|(_, lister_watcher)| lister_watcher.runtime()).expect("an informer reads something");
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

    /// Whether both are the same informer.
    pub fn is_same(&self, other: &SharedInformer<T>) -> bool {
        Rc::ptr_eq(&self.shared, &other.shared)
    }

    /// What it waits and works with.
    pub fn runtime(&self) -> Runtime {
        self.shared.runtime.clone()
    }

    /// The local copy.
    pub fn store(&self) -> Store<T> {
        self.shared.store.clone()
    }

    /// Begins to list and watch; does nothing while it runs.
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

    /// Ends every request. No handler is told anything more, not even by a handler that stops its own informer. The local
    /// copy stays as it is.
    pub fn stop(&self) {
        if self.shared.stage.replace(Stage::Stopped) == Stage::Running {
            self.shared.next_generation();
            let tasks = std::mem::take(&mut *self.tasks.borrow_mut());
            drop(tasks);
        }
        self.shared.notify.notify_all();
    }

    /// Whether it lists and watches.
    pub fn is_running(&self) -> bool {
        self.shared.stage.get() == Stage::Running
    }

    /// Tells `handler` everything that is there, and from then on every change. It is told everything again as often as the
    /// informer's options say.
    pub fn add_handler(&self, handler: impl EventHandler<T> + 'static) -> Result<Registration<T>, Error> {
        self.add_handler_with_resync(handler, self.shared.options.resync)
    }

    /// As [`add_handler`](Self::add_handler), with a time of its own after which it is told everything again.
    ///
    /// Zero is never. Before the start a handler may shorten how often the informer looks; after it, or where the informer
    /// never looks, it cannot.
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

    /// Whether the local copy was complete once.
    pub fn has_synced(&self) -> bool {
        self.shared.processor.borrow().has_synced()
    }

    /// Completes once the local copy is complete; fails when that will not happen by itself: the server refuses
    /// ([`Error::is_forbidden`]), has no such kind ([`Error::is_not_found`]), or answers what cannot be read.
    ///
    /// The informer goes on trying all the same, and a later call may succeed. A server that cannot be reached is waited for.
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

    /// The version that the reflector has seen; of several, that of the first. Opaque; empty before the first list.
    pub fn last_sync_version(&self) -> String {
        self.shared.scopes.first().map(|watched| watched.version.borrow().clone()).unwrap_or_default()
    }

    /// How many deltas wait for the store.
    pub fn depth(&self) -> usize {
        self.shared.processor.borrow().queue.len()
    }

    /// How often handlers are looked at for a resync.
    pub fn resync_check_period(&self) -> Duration {
        self.shared.resync_check_period.get()
    }

    /// What a handler that asks for `requested` gets.
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
