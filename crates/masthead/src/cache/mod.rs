//! Local copies of a cluster's objects, kept equal to it: reflectors, queues, stores, informers, listers.
//!
//! Objects flow one way. A reflector lists and watches one kind and feeds a [`DeltaQueue`]; what leaves the queue is applied to
//! an [`Indexer`], and what that changed is told to handlers. Each piece is a machine of its own and can be used alone.

mod delta;
mod delta_fifo;
mod expiration_cache;
mod factory;
#[cfg(test)]
mod fixture;
mod generic_informer;
mod handler;
mod index;
mod indexer;
mod informer;
mod lister;
mod lister_watcher;
pub(crate) mod notify;
mod object;
mod process_deltas;
mod queue;
mod real_fifo;
mod reflector;
mod replace;
mod store;

pub use delta::{CompleteList, Delta, StaleObject, Tombstone};
pub use delta_fifo::{DeltaFifo, ListedAs};
pub use expiration_cache::ExpirationCache;
pub use factory::{InformerFactory, InformerScope};
pub use generic_informer::{GenericInformer, KeyRegistration};
pub use handler::{EventHandler, Filtered, Handlers, Notification};
pub use indexer::{Indexer, NAMESPACE_INDEX, Replaced};
pub use informer::{
    InformerOptions, QueueKind, Registration, SharedInformer, Transform, WatchErrorHandler, metadata_only,
    without_managed_fields,
};
pub use lister::{Labelled, Lister, NamespaceLister};
pub use lister_watcher::{ListPart, ListWatch, ListerWatcher};
pub use object::{Object, ObjectKey};
pub use queue::{DeltaBatch, DeltaQueue, KnownObjects, ListScope};
pub use real_fifo::{ListDeltas, RealFifo};
pub use reflector::{
    Action, DeltaSink, Event, EventEffect, Initial, Reflector, ReflectorOptions, WatchError, list_and_watch,
};
pub use store::Store;
