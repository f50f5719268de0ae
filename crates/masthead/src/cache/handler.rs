//! Handlers and the notifications they receive, as client-go's `ResourceEventHandler`.

use std::{fmt, rc::Rc};

use super::{Object, Tombstone};
use crate::Error;

/// A change of an object in the store. The store already has this change, or a later one, when a handler is notified of
/// it.
#[derive(Debug)]
pub enum Notification<T> {
    /// The object was added.
    Added {
        /// The new object.
        object: Rc<T>,
        /// Whether the object is part of the initial list: client-go's `isInInitialList`.
        initial: bool,
    },
    /// The object changed, or a resync repeats it unchanged.
    Updated {
        /// The previous state.
        old: Rc<T>,
        /// The current state. During a resync, the same as `old`.
        new: Rc<T>,
    },
    /// The object was deleted.
    Deleted(Tombstone<T>),
}

impl<T> Clone for Notification<T> {
    fn clone(&self) -> Notification<T> {
        match self {
            Notification::Added { object, initial } => {
                Notification::Added { object: Rc::clone(object), initial: *initial }
            }
            Notification::Updated { old, new } => Notification::Updated { old: Rc::clone(old), new: Rc::clone(new) },
            Notification::Deleted(tombstone) => Notification::Deleted(tombstone.clone()),
        }
    }
}

impl<T: Object> Notification<T> {
    /// Whether this is a resync: both states have the same resource version.
    pub fn is_sync(&self) -> bool {
        matches!(self, Notification::Updated { old, new } if old.resource_version() == new.resource_version())
    }

    /// Whether the object is part of the initial list.
    pub fn is_initial(&self) -> bool {
        matches!(self, Notification::Added { initial: true, .. })
    }
}

/// Receives every change of an informer's store.
///
/// The notifications of one object arrive in order; those of different objects have no order. A handler runs on the
/// only thread and blocks it, so it should return quickly; a controller adds a key to a work queue. It may call
/// anything, including the informer that notifies it. An error is reported to
/// [`on_watch_error`](super::InformerOptions::on_watch_error) and counted; the next notification arrives all the same.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{
///     Error,
///     cache::{Notification, Registration, SharedInformer},
/// };
///
/// fn print_changes(pods: &SharedInformer<Pod>) -> Result<Registration<Pod>, Error> {
///     pods.add_handler(|notification: &Notification<Pod>| {
///         println!("{notification:?}");
///         Ok(())
///     })
/// }
/// ```
pub trait EventHandler<T> {
    /// Handles one notification.
    fn handle(&self, notification: &Notification<T>) -> Result<(), Error>;
}

/// A closure receives every notification.
impl<T, F: Fn(&Notification<T>) -> Result<(), Error>> EventHandler<T> for F {
    fn handle(&self, notification: &Notification<T>) -> Result<(), Error> {
        self(notification)
    }
}

/// A handler made of closures, as client-go's `ResourceEventHandlerFuncs`. A missing closure ignores its notifications.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::cache::Handlers;
///
/// let handlers = Handlers::<Pod>::new().added(|pod, initial| {
///     let _ = (pod, initial);
///     Ok(())
/// });
/// ```
pub struct Handlers<T> {
    added: Option<AddedFn<T>>,
    updated: Option<UpdatedFn<T>>,
    deleted: Option<DeletedFn<T>>,
}

type AddedFn<T> = Box<dyn Fn(&Rc<T>, bool) -> Result<(), Error>>;
type UpdatedFn<T> = Box<dyn Fn(&Rc<T>, &Rc<T>) -> Result<(), Error>>;
type DeletedFn<T> = Box<dyn Fn(&Tombstone<T>) -> Result<(), Error>>;

impl<T> Handlers<T> {
    /// Creates a handler that ignores every notification.
    pub fn new() -> Handlers<T> {
        Handlers { added: None, updated: None, deleted: None }
    }

    /// Sets the closure for added objects. It also receives whether the object is part of the initial list.
    #[must_use]
    pub fn added(mut self, added: impl Fn(&Rc<T>, bool) -> Result<(), Error> + 'static) -> Handlers<T> {
        self.added = Some(Box::new(added));
        self
    }

    /// Sets the closure for updated objects. It receives the old and the new state.
    #[must_use]
    pub fn updated(mut self, updated: impl Fn(&Rc<T>, &Rc<T>) -> Result<(), Error> + 'static) -> Handlers<T> {
        self.updated = Some(Box::new(updated));
        self
    }

    /// Sets the closure for deleted objects.
    #[must_use]
    pub fn deleted(mut self, deleted: impl Fn(&Tombstone<T>) -> Result<(), Error> + 'static) -> Handlers<T> {
        self.deleted = Some(Box::new(deleted));
        self
    }
}

impl<T> EventHandler<T> for Handlers<T> {
    fn handle(&self, notification: &Notification<T>) -> Result<(), Error> {
        match notification {
            Notification::Added { object, initial } => {
                self.added.as_ref().map_or(Ok(()), |handler| handler(object, *initial))
            }
            Notification::Updated { old, new } => self.updated.as_ref().map_or(Ok(()), |handler| handler(old, new)),
            Notification::Deleted(tombstone) => self.deleted.as_ref().map_or(Ok(()), |handler| handler(tombstone)),
        }
    }
}

impl<T> Default for Handlers<T> {
    fn default() -> Handlers<T> {
        Handlers::new()
    }
}

impl<T> fmt::Debug for Handlers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers")
            .field("added", &self.added.is_some())
            .field("updated", &self.updated.is_some())
            .field("deleted", &self.deleted.is_some())
            .finish()
    }
}

/// Notifies a handler only of the objects that a filter accepts, as client-go's `FilteringResourceEventHandler`.
///
/// An update is an addition if the filter accepts only the new state, and a deletion if it accepts only the old one.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::cache::{Filtered, Handlers};
///
/// let scheduled = |pod: &Pod| pod.spec.as_ref().is_some_and(|spec| spec.node_name.is_some());
/// let handler = Filtered::new(scheduled, Handlers::<Pod>::new().added(|_, _| Ok(())));
/// ```
pub struct Filtered<T, H> {
    keep: Box<dyn Fn(&T) -> bool>,
    handler: H,
}

impl<T, H> Filtered<T, H> {
    /// Wraps `handler`, which then receives only the objects that `keep` accepts.
    pub fn new(keep: impl Fn(&T) -> bool + 'static, handler: H) -> Filtered<T, H> {
        Filtered { keep: Box::new(keep), handler }
    }
}

impl<T, H: EventHandler<T>> EventHandler<T> for Filtered<T, H> {
    fn handle(&self, notification: &Notification<T>) -> Result<(), Error> {
        match notification {
            Notification::Added { object, .. } if (self.keep)(object) => self.handler.handle(notification),
            Notification::Updated { old, new } => match ((self.keep)(old), (self.keep)(new)) {
                (true, true) => self.handler.handle(notification),
                (false, true) => self.handler.handle(&Notification::Added { object: Rc::clone(new), initial: false }),
                (true, false) => self.handler.handle(&Notification::Deleted(Tombstone::Deleted(Rc::clone(old)))),
                (false, false) => Ok(()),
            },
            // Without a last state the filter cannot decide, so the handler is notified.
            Notification::Deleted(tombstone) if tombstone.last().is_none_or(|last| (self.keep)(last)) => {
                self.handler.handle(notification)
            }
            _ => Ok(()),
        }
    }
}

impl<T, H: fmt::Debug> fmt::Debug for Filtered<T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filtered").field("handler", &self.handler).finish_non_exhaustive()
    }
}
