//! How an informer works.

use std::{fmt, rc::Rc, time::Duration};

use kube_core::Resource;

use crate::{
    Error,
    cache::{DeltaFifo, DeltaQueue, ListDeltas, ListedAs, Object, RealFifo, ReflectorOptions, WatchError},
};

/// How an informer reads, what it keeps and what it reports.
pub struct InformerOptions<T> {
    /// How the collection is listed and watched.
    pub reflector: ReflectorOptions,
    /// How often handlers are told everything again, unless they ask for something else; never by default.
    pub resync: Duration,
    /// Which queue lies before the store.
    pub queue: QueueKind,
    /// What is kept of an object. One of which nothing can be made is stale: see [`Store::stale_objects`].
    ///
    /// [`Store::stale_objects`]: crate::cache::Store::stale_objects
    pub transform: Option<Transform<T>>,
    /// Is told whatever goes wrong. The informer goes on.
    pub on_watch_error: Option<WatchErrorHandler>,
    /// Whether objects of the first list are here and told as they come, before the list is complete.
    pub progressive: bool,
}

/// Makes an object into what is kept of it.
pub type Transform<T> = Rc<dyn Fn(T) -> Result<T, Error>>;

/// Leaves out who owns which field: a third to a half of an object, that hardly anybody reads.
pub fn without_managed_fields<K: Resource + 'static>() -> Transform<K> {
    Rc::new(|mut object: K| {
        object.meta_mut().managed_fields = None;
        Ok(object)
    })
}

/// Leaves only the metadata, without who owns which field; the rest is as if it were empty.
///
/// The bytes come over the wire all the same: see [`MetadataClient`](crate::metadata::MetadataClient) for less.
pub fn metadata_only<K: Resource + Default + 'static>() -> Transform<K> {
    Rc::new(|mut object: K| {
        let mut bare = K::default();
        std::mem::swap(bare.meta_mut(), object.meta_mut());
        bare.meta_mut().managed_fields = None;
        Ok(bare)
    })
}

/// Is told what goes wrong.
pub type WatchErrorHandler = Rc<dyn Fn(&WatchError)>;

/// The queue between a reflector and a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueKind {
    /// Every delta in the order it came, lists in one piece.
    #[default]
    RealFifo,
    /// Every delta in the order it came, lists as one delta for each object.
    RealFifoPerObject,
    /// All deltas of an object together.
    DeltaFifo,
}

impl QueueKind {
    pub(super) fn new_queue<T: Object>(self) -> Box<dyn DeltaQueue<T>> {
        match self {
            QueueKind::RealFifo => Box::new(RealFifo::new(ListDeltas::Atomic)),
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
