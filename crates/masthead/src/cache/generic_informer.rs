//! An informer of whatever type.

use std::{any::Any, fmt, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{Notification, Object, ObjectKey, SharedInformer};
use crate::Error;

/// An informer for those who do not know what it is of: it runs, it has keys, and it tells of them.
///
/// Clones are the same informer, and the same as the one it was made of.
#[derive(Clone)]
pub struct GenericInformer {
    typed: Rc<dyn Any>,
    erased: Rc<dyn AnyInformer>,
}

/// A handler's place in a [`GenericInformer`]. Dropping it takes the handler out.
#[must_use = "the handler is taken out when dropped"]
pub struct KeyRegistration {
    _registration: Box<dyn Any>,
}

trait AnyInformer {
    fn start(&self);
    fn stop(&self);
    fn synced(&self) -> LocalBoxFuture<'static, Result<(), Error>>;
    fn has_synced(&self) -> bool;
    fn keys(&self) -> Vec<ObjectKey>;
    fn on_change(&self, handler: KeyHandler) -> Result<KeyRegistration, Error>;
}

type KeyHandler = Box<dyn Fn(&ObjectKey) -> Result<(), Error>>;

impl GenericInformer {
    /// Forgets what `informer` is of.
    pub fn new<T: Object>(informer: &SharedInformer<T>) -> GenericInformer {
        let informer = Rc::new(informer.clone());
        GenericInformer { typed: Rc::clone(&informer) as _, erased: informer }
    }

    /// The same informer, for who knows what it is of; `None` if it is of something else.
    pub fn downcast<T: Object>(&self) -> Option<SharedInformer<T>> {
        self.typed.downcast_ref::<SharedInformer<T>>().cloned()
    }

    /// Begins to list and watch; does nothing while it runs.
    pub fn start(&self) {
        self.erased.start();
    }

    /// Ends every request and tells nothing more. The local copy stays as it is.
    pub fn stop(&self) {
        self.erased.stop();
    }

    /// Completes once the local copy is complete, and fails as [`SharedInformer::synced`] does.
    pub async fn synced(&self) -> Result<(), Error> {
        self.erased.synced().await
    }

    /// Whether the local copy was complete once.
    pub fn has_synced(&self) -> bool {
        self.erased.has_synced()
    }

    /// The keys of all objects, in their order.
    pub fn keys(&self) -> Vec<ObjectKey> {
        self.erased.keys()
    }

    /// Tells the key of everything that is there, and from then on of everything that comes, changes or goes.
    pub fn on_change(
        &self,
        handler: impl Fn(&ObjectKey) -> Result<(), Error> + 'static,
    ) -> Result<KeyRegistration, Error> {
        self.erased.on_change(Box::new(handler))
    }
}

impl<T: Object> AnyInformer for SharedInformer<T> {
    fn start(&self) {
        SharedInformer::start(self);
    }

    fn stop(&self) {
        SharedInformer::stop(self);
    }

    fn synced(&self) -> LocalBoxFuture<'static, Result<(), Error>> {
        let informer = self.clone();
        async move { SharedInformer::synced(&informer).await }.boxed_local()
    }

    fn has_synced(&self) -> bool {
        SharedInformer::has_synced(self)
    }

    fn keys(&self) -> Vec<ObjectKey> {
        self.store().keys()
    }

    fn on_change(&self, handler: KeyHandler) -> Result<KeyRegistration, Error> {
        let registration = self.add_handler(move |notification: &Notification<T>| match notification {
            Notification::Added { object, .. } | Notification::Updated { new: object, .. } => handler(&object.key()),
            Notification::Deleted(tombstone) => handler(&tombstone.key()),
        })?;
        Ok(KeyRegistration { _registration: Box::new(registration) })
    }
}

impl fmt::Debug for GenericInformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GenericInformer").field("objects", &self.keys().len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for KeyRegistration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRegistration").finish_non_exhaustive()
    }
}
