//! How an informer works.

use std::{fmt, rc::Rc, time::Duration};

use crate::{
    Error,
    cache::{DeltaFifo, Listed, Lists, Object, Queue, RealFifo, ReflectorOptions, Trouble},
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
    pub on_trouble: Option<TroubleHandler>,
    /// Whether objects of the first list are here and told as they come, before the list is complete.
    pub progressive: bool,
}

/// Makes an object into what is kept of it.
pub type Transform<T> = Rc<dyn Fn(T) -> Result<T, Error>>;

/// Is told what goes wrong.
pub type TroubleHandler = Rc<dyn Fn(&Trouble)>;

/// The queue between a reflector and a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueKind {
    /// Every delta in the order it came, lists in one piece.
    #[default]
    Real,
    /// Every delta in the order it came, lists as one delta for each object.
    RealApart,
    /// All deltas of an object together.
    Delta,
}

impl QueueKind {
    pub(super) fn queue<T: Object>(self) -> Box<dyn Queue<T>> {
        match self {
            QueueKind::Real => Box::new(RealFifo::new(Lists::Whole)),
            QueueKind::RealApart => Box::new(RealFifo::new(Lists::Apart)),
            QueueKind::Delta => Box::new(DeltaFifo::new(Listed::Replaced)),
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
            on_trouble: None,
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
