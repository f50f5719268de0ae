//! Local copies of a cluster's collections, as client-go's `tools/cache`: reflectors, queues, stores, informers, listers.
//!
//! A [`SharedInformer`] is what most callers need; an [`InformerFactory`] shares them, a [`Lister`] reads them. The parts
//! also work alone: the reflector, the queues and the indexer are state machines without clock and I/O.
//!
//! One watch event takes this path:
//!
//! 1. `reflector/list_and_watch.rs` reads the event; [`Reflector::event`] (`reflector/mod.rs`) says what to do with it.
//! 2. `informer/controller.rs` receives the [`Delta`] as a [`DeltaSink`] and adds it to the [`DeltaQueue`] (`real_fifo.rs`).
//! 3. `process_deltas.rs` pops a [`DeltaBatch`] and turns each delta into a write and a [`Notification`].
//! 4. `store.rs` computes the index values and writes the object to the [`Indexer`] (`indexer.rs`).
//! 5. `informer/listener.rs` holds the notification until the controller calls the [`EventHandler`] (`handler.rs`).
//!
//! A list takes the same path as one [`CompleteList`], which `replace.rs` makes the content of the store.
//!
//! ```
//! use std::rc::Rc;
//!
//! use futures::{StreamExt, stream};
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use masthead::{
//!     Error,
//!     cache::{InformerOptions, ListWatch, ObjectKey, SharedInformer},
//!     rest::{Body, List, Watch},
//!     runtime::VirtualTime,
//! };
//!
//! let time = VirtualTime::new();
//! // An empty list, then a watch with one event that stays open. A real program takes both from a client.
//! let list = |_| async {
//!     let (items, resource_version) = (Vec::<ConfigMap>::new(), "1".to_owned());
//!     Ok(List { types: None, resource_version, continue_token: None, remaining_item_count: None, items, skipped: vec![] })
//! };
//! let watch = |_| async {
//!     let event = br#"{"type":"ADDED","object":{"metadata":{"namespace":"shop","name":"prices","resourceVersion":"2"}}}"#;
//!     let chunks = stream::iter([Ok([event, b"\n".as_slice()].concat())]).chain(stream::pending());
//!     Ok(Watch::new("watch configmaps", Body::new(chunks)))
//! };
//! let source = ListWatch::new(time.runtime(), "configmaps", list, watch);
//! let informer = SharedInformer::new(Rc::new(source), InformerOptions::default());
//! let _registration = informer.add_handler(|notification: &_| {
//!     println!("{notification:?}");
//!     Ok(())
//! })?;
//! informer.start();
//! time.run(informer.synced())?;
//! time.settle();
//! assert!(informer.store().get(&ObjectKey::new("shop", "prices")).is_some());
//! # Ok::<(), Error>(())
//! ```

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
