//! Options of an informer.

use std::{fmt, rc::Rc, time::Duration};

use kube_core::Resource;

use crate::{
    Error,
    cache::{DeltaFifo, DeltaQueue, ListDeltas, ListedAs, Object, RealFifo, ReflectorOptions, WatchError},
};

/// How an informer reads, what it stores and what it reports.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::cache::{InformerOptions, without_managed_fields};
///
/// let options = InformerOptions::<Pod> { transform: Some(without_managed_fields()), ..InformerOptions::default() };
/// ```
pub struct InformerOptions<T> {
    /// How the collection is listed and watched.
    pub reflector: ReflectorOptions,
    /// How often handlers receive a resync, unless they ask for another period. Zero, the default, is never.
    pub resync: Duration,
    /// The queue between the reflector and the store.
    pub queue: QueueKind,
    /// Changes each object before it is stored, usually to save memory. An object for which it fails is stale: see
    /// [`Store::stale_objects`].
    ///
    /// [`Store::stale_objects`]: crate::cache::Store::stale_objects
    pub transform: Option<Transform<T>>,
    /// Called with every error. The informer continues.
    pub on_watch_error: Option<WatchErrorHandler>,
    /// Whether the objects of the first list are stored, and handlers notified, while the list is still being read.
    /// True by default.
    pub progressive: bool,
}

/// Changes an object before it is stored.
pub type Transform<T> = Rc<dyn Fn(T) -> Result<T, Error>>;

/// Removes `managedFields`, which are a third to a half of an object and rarely read.
pub fn without_managed_fields<K: Resource + 'static>() -> Transform<K> {
    Rc::new(|mut object: K| {
        object.meta_mut().managed_fields = None;
        Ok(object)
    })
}

/// Keeps only the metadata, without `managedFields`. All other fields get their default values.
///
/// The server still sends whole objects; a [`MetadataClient`](crate::metadata::MetadataClient) avoids that.
pub fn metadata_only<K: Resource + Default + 'static>() -> Transform<K> {
    Rc::new(|mut object: K| {
        let mut bare = K::default();
        std::mem::swap(bare.meta_mut(), object.meta_mut());
        bare.meta_mut().managed_fields = None;
        Ok(bare)
    })
}

/// Receives the errors of a reflector or an informer, as client-go's `WatchErrorHandler`.
///
/// ```
/// use std::rc::Rc;
///
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::cache::{InformerOptions, WatchError};
///
/// let report = |error: &WatchError| match error {
///     WatchError::Stale(object) => eprintln!("{} is stale: {}", object.key, object.error),
///     other => eprintln!("{other:?}"),
/// };
/// let options = InformerOptions::<Pod> { on_watch_error: Some(Rc::new(report)), ..InformerOptions::default() };
/// ```
pub type WatchErrorHandler = Rc<dyn Fn(&WatchError)>;

/// The kind of queue between a reflector and a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueKind {
    /// [`RealFifo`] with each list as one delta.
    #[default]
    RealFifo,
    /// [`RealFifo`] with one delta per listed object.
    RealFifoPerObject,
    /// [`DeltaFifo`]: all deltas of an object grouped.
    DeltaFifo,
}

impl QueueKind {
    /// Creates an empty queue of this kind.
    pub(super) fn new_queue<T: Object>(self) -> Box<dyn DeltaQueue<T>> {
        match self {
            QueueKind::RealFifo => Box::new(RealFifo::new(ListDeltas::Whole)),
            QueueKind::RealFifoPerObject => Box::new(RealFifo::new(ListDeltas::PerObject)),
            QueueKind::DeltaFifo => Box::new(DeltaFifo::new(ListedAs::Replaced)),
        }
    }
}

impl<T> Default for InformerOptions<T> {
    fn default() -> InformerOptions<T> {
        InformerOptions {
            reflector: ReflectorOptions::default(),
            resync: Duration::ZERO,
            queue: QueueKind::default(),
            transform: None,
            on_watch_error: None,
            progressive: true,
        }
    }
}

impl<T> fmt::Debug for InformerOptions<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InformerOptions")
            .field("reflector", &self.reflector)
            .field("resync", &self.resync)
            .field("queue", &self.queue)
            .field("progressive", &self.progressive)
            .finish_non_exhaustive()
    }
}
