//! client-go's `GenericInformer`: an informer whose object type is erased.

use std::{any::Any, fmt, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};

use super::{Notification, Object, ObjectKey, SharedInformer};
use crate::Error;

/// A [`SharedInformer`] without its object type: it starts, stops, and reports keys.
///
/// Clones, and the informer it was created from, are the same informer.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::cache::{GenericInformer, SharedInformer};
///
/// fn erase(pods: &SharedInformer<Pod>) {
///     let informer = GenericInformer::new(pods);
///     assert!(informer.downcast::<Pod>().is_some_and(|same| same.is_same(pods)));
/// }
/// ```
#[derive(Clone)]
pub struct GenericInformer {
    /// The [`SharedInformer`], for [`downcast`](Self::downcast).
    typed: Rc<dyn Any>,
    /// The same informer, through the methods that need no type.
    erased: Rc<dyn AnyInformer>,
}

/// The registration of a handler with a [`GenericInformer`]. Dropping it removes the handler.
#[must_use = "the handler is removed when dropped"]
pub struct KeyRegistration {
    _registration: Box<dyn Any>,
}

/// The methods of [`SharedInformer`] that do not mention its object type.
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
    /// Erases the object type of `informer`.
    pub fn new<T: Object>(informer: &SharedInformer<T>) -> GenericInformer {
        let informer = Rc::new(informer.clone());
        GenericInformer { typed: Rc::clone(&informer) as _, erased: informer }
    }

    /// Returns the typed informer; `None` if it holds objects of another type.
    pub fn downcast<T: Object>(&self) -> Option<SharedInformer<T>> {
        self.typed.downcast_ref::<SharedInformer<T>>().cloned()
    }

    /// Starts to list and watch. Does nothing while the informer runs.
    pub fn start(&self) {
        self.erased.start();
    }

    /// Stops all requests and notifications. The store keeps its objects.
    pub fn stop(&self) {
        self.erased.stop();
    }

    /// Waits until the store is complete; fails as [`SharedInformer::synced`] does.
    pub async fn synced(&self) -> Result<(), Error> {
        self.erased.synced().await
    }

    /// Whether the store has ever been complete.
    pub fn has_synced(&self) -> bool {
        self.erased.has_synced()
    }

    /// The keys of all objects, sorted. O(n log n).
    pub fn keys(&self) -> Vec<ObjectKey> {
        self.erased.keys()
    }

    /// Calls `handler` with the key of every object in the store, then with the key of every object that is added,
    /// updated or deleted.
    ///
    /// Dropping the registration removes the handler. Fails if the informer has been stopped.
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
