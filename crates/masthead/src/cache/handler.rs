//! Who is told of changes.

use std::{fmt, rc::Rc};

use super::{Object, Tombstone};
use crate::Error;

/// What happened to an object of a cache. By the time it is told the cache has it.
#[derive(Debug)]
pub enum Notification<T> {
    /// The object came.
    Added {
        /// Its state.
        object: Rc<T>,
        /// Whether it is part of what was there at the beginning.
        initial: bool,
    },
    /// The object has another state, or the same one that is told again.
    Updated {
        /// The state before.
        old: Rc<T>,
        /// The state now.
        new: Rc<T>,
    },
    /// The object went.
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
    /// Whether nothing changed and a handler is told all the same, since it asked for that from time to time.
    pub fn is_sync(&self) -> bool {
        matches!(self, Notification::Updated { old, new } if old.resource_version() == new.resource_version())
    }

    /// Whether it tells of what was there at the beginning.
    pub fn is_initial(&self) -> bool {
        matches!(self, Notification::Added { initial: true, .. })
    }
}

/// Is told of every change, in the order of the changes of each object.
///
/// A handler runs on the one thread there is, between two others: it is to be quick, and may call anything, even what it is
/// told by. An error is reported and counted, and the next change is told all the same.
pub trait EventHandler<T> {
    /// Is told of one change.
    fn handle(&self, notification: &Notification<T>) -> Result<(), Error>;
}

/// A closure that is told everything.
impl<T, F: Fn(&Notification<T>) -> Result<(), Error>> EventHandler<T> for F {
    fn handle(&self, notification: &Notification<T>) -> Result<(), Error> {
        self(notification)
    }
}

/// A handler of closures; what has none is not told.
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
    /// A handler that is told nothing yet.
    pub fn new() -> Handlers<T> {
        Handlers { added: None, updated: None, deleted: None }
    }

    /// Is told what came, and whether it was there at the beginning.
    #[must_use]
    pub fn added(mut self, added: impl Fn(&Rc<T>, bool) -> Result<(), Error> + 'static) -> Handlers<T> {
        self.added = Some(Box::new(added));
        self
    }

    /// Is told the state before and the state now.
    #[must_use]
    pub fn updated(mut self, updated: impl Fn(&Rc<T>, &Rc<T>) -> Result<(), Error> + 'static) -> Handlers<T> {
        self.updated = Some(Box::new(updated));
        self
    }

    /// Is told what went.
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

/// Tells a handler only of objects that `keep` chooses: one that begins to be chosen comes, and one that ends to be goes.
pub struct Filtered<T, H> {
    keep: Box<dyn Fn(&T) -> bool>,
    handler: H,
}

impl<T, H> Filtered<T, H> {
    /// `handler`, for the objects that `keep` chooses.
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
            // Of what nobody saw nobody can say whether it was chosen.
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
