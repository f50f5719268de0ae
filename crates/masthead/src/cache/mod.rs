//! Local copies of a cluster's objects, kept equal to it: reflectors, queues, stores, informers, listers.
//!
//! Objects flow one way. A reflector lists and watches one kind and feeds a [`Queue`]; what leaves the queue is applied to
//! an [`Indexer`], and what that changed is told to handlers. Each piece is a machine of its own and can be used alone.

pub(crate) mod bell;
mod delta;
mod delta_fifo;
mod expiring;
mod factory;
#[cfg(test)]
mod fixture;
mod generic_informer;
mod handler;
mod index;
mod indexer;
mod informer;
mod informer_scope;
mod list_watch;
mod lister;
mod lister_watcher;
mod object;
mod object_key;
mod processor;
mod queue;
mod real_fifo;
mod reflector;
mod replacement;
mod scope;
mod store;
mod transform;

pub use delta::{CompleteList, Delta, StaleObject, Tombstone};
pub use delta_fifo::{DeltaFifo, Listed};
pub use expiring::ExpirationCache;
pub use factory::InformerFactory;
pub use generic_informer::{GenericInformer, KeyRegistration};
pub use handler::{EventHandler, Filtered, Handlers, Notification};
pub use indexer::{Indexer, NAMESPACE_INDEX, Replaced};
pub use informer::{InformerOptions, QueueKind, Registration, SharedInformer, Transform, TroubleHandler};
pub use informer_scope::InformerScope;
pub use list_watch::ListWatch;
pub use lister::{Labelled, Lister, NamespaceLister};
pub use lister_watcher::{ListerWatcher, Part};
pub use object::Object;
pub use object_key::ObjectKey;
pub use queue::{Batch, Known, Queue};
pub use real_fifo::{Lists, RealFifo};
pub use reflector::{Action, Event, Feed, Initial, Meaning, Reflector, ReflectorOptions, Trouble, follow};
pub use scope::Scope;
pub use store::Store;
pub use transform::{metadata_only, without_managed_fields};
