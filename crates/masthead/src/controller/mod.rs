//! Controllers: workers that make the world as somebody wants it, told by informers what changed.
//!
//! A [`Controller`] turns changes into keys, a [`PriorityQueue`](crate::workqueue::PriorityQueue) keeps each key once, and
//! workers hand the keys to a function of yours, which looks at the whole state and not at the change. What holds:
//! - No key is ever worked on twice at the same time.
//! - A key that changes while it is worked on is worked on again.
//! - What fails comes again, ever later; what is there at the beginning or is told again waits behind what changed.
//! - A worker that is dropped half-way loses nothing but its time.

mod feed;
mod outcome;
mod owner;
mod running;

use std::{fmt, rc::Rc, time::Duration};

use kube_core::Resource;

use crate::{
    Error,
    cache::{Notification, Object, ObjectKey, SharedInformer},
    workqueue::{
        MetricsProvider,
        rate_limiters::{ItemExponentialFailure, RateLimiter},
    },
};
use feed::{Connect, Feed};
use owner::Owner;

pub use outcome::{Failure, Outcome};
pub use running::{Counts, Running};

/// The priority of what was there at the beginning and of what is told again without a change.
pub const LOW_PRIORITY: i32 = -100;

/// Which changes lead to which keys of kind `K`.
///
/// ```
/// use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
/// use masthead::{Error, cache::{InformerFactory, ObjectKey}, controller::{Controller, Failure, Outcome}, rest::RestClient, typed::Client};
///
/// async fn label_namespaces(client: RestClient) -> Result<(), Error> {
///     let factory = InformerFactory::default();
///     let namespaces = factory.informer(&Client::<Namespace>::cluster(&client), &Default::default());
///     let maps = factory.informer(&Client::<ConfigMap>::all_namespaces(&client), &Default::default());
///     let store = namespaces.store();
///     let running = Controller::new(&namespaces).owns(&maps).run(async move |key: ObjectKey| {
///         let Some(namespace) = store.get(&key) else { return Ok(Outcome::Done) };
///         // Make what it owns as it should be; an error of any kind may be returned with `?`.
///         let _ = namespace;
///         Ok::<_, Failure>(Outcome::Done)
///     })?;
///     running.started().await?;
///     running.stop(std::time::Duration::from_secs(30)).await;
///     Ok(())
/// }
/// ```
pub struct Controller<K: Object> {
    informer: SharedInformer<K>,
    feeds: Vec<Box<dyn Connect>>,
    options: ControllerOptions,
}

/// How a controller works and who is told of it. The defaults are controller-runtime's.
pub struct ControllerOptions {
    /// What its queue is called in metrics. One without a name has none.
    pub name: String,
    /// Who is told what happens in the queue; nobody by default.
    pub metrics: Option<Rc<dyn MetricsProvider>>,
    /// How many keys are worked on at the same time: one.
    pub max_concurrent_reconciles: usize,
    /// How long what fails waits: from 5 ms doubling to 1000 s.
    pub rate_limiter: Rc<dyn RateLimiter<ObjectKey>>,
    /// How long the local copies may take until they are complete: two minutes. Nothing is worked on before they are.
    pub cache_sync_timeout: Duration,
    /// Is told of every failure; the controller goes on.
    pub on_failure: Option<FailureHandler>,
}

/// Is told what failed, and why.
pub type FailureHandler = Rc<dyn Fn(&ObjectKey, &Failure)>;

impl<K: Object> Controller<K> {
    /// Works on the objects of `informer` whenever they change.
    pub fn new(informer: &SharedInformer<K>) -> Controller<K> {
        let own = Feed::own(informer);
        Controller { informer: informer.clone(), feeds: vec![Box::new(own)], options: ControllerOptions::default() }
    }

    /// Works on the keys that `keys` finds for an object of `informer` whenever that one changes: for its state before and
    /// for its state now.
    #[must_use]
    pub fn watches<T: Object>(
        mut self,
        informer: &SharedInformer<T>,
        keys: impl Fn(&T) -> Vec<ObjectKey> + 'static,
    ) -> Controller<K> {
        self.feeds.push(Box::new(Feed::mapped(informer, keys)));
        self
    }

    /// With these options.
    #[must_use]
    pub fn with(self, options: ControllerOptions) -> Controller<K> {
        Controller { options, ..self }
    }

    /// Starts the informers that do not run, waits until all of them are complete, and then calls `reconcile` for every key
    /// until what is returned is stopped or dropped. The informers go on.
    ///
    /// Fails only if one of the informers has been stopped; whether the rest went well is what [`Running::started`] says.
    pub fn run<R>(self, reconcile: R) -> Result<Running, Error>
    where
        R: AsyncFn(ObjectKey) -> Result<Outcome, Failure> + 'static,
    {
        Running::new(&self.informer.runtime(), self.feeds, self.options, reconcile)
    }
}

impl<K: Resource<DynamicType = (), Scope: 'static> + 'static> Controller<K> {
    /// Works on the object that controls an object of `informer`, by its owner references, whenever that one changes.
    #[must_use]
    pub fn owns<T: Resource + 'static>(self, informer: &SharedInformer<T>) -> Controller<K> {
        let owner = Owner::of::<K>();
        self.watches(informer, move |object| owner.key(object.meta()).into_iter().collect())
    }
}

impl Default for ControllerOptions {
    fn default() -> ControllerOptions {
        ControllerOptions {
            name: String::new(),
            metrics: None,
            max_concurrent_reconciles: 1,
            rate_limiter: Rc::new(ItemExponentialFailure::new(Duration::from_millis(5), Duration::from_secs(1000))),
            cache_sync_timeout: Duration::from_secs(120),
            on_failure: None,
        }
    }
}

/// The priority of what a change leads to.
fn priority<T: Object>(notification: &Notification<T>) -> i32 {
    if notification.is_initial() || notification.is_sync() { LOW_PRIORITY } else { 0 }
}

impl<K: Object> fmt::Debug for Controller<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller")
            .field("informer", &self.informer)
            .field("sources", &self.feeds.len())
            .field("options", &self.options)
            .finish()
    }
}

impl fmt::Debug for ControllerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControllerOptions")
            .field("name", &self.name)
            .field("max_concurrent_reconciles", &self.max_concurrent_reconciles)
            .field("cache_sync_timeout", &self.cache_sync_timeout)
            .finish_non_exhaustive()
    }
}
