//! What happened to an object, on its way to a store.

use std::rc::Rc;

use super::{Object, ObjectKey, Scope};

/// One step of a history.
#[derive(Debug)]
pub enum Delta<T> {
    /// The object came.
    Added(Rc<T>),
    /// The object changed.
    Updated(Rc<T>),
    /// The object went.
    Deleted(Tombstone<T>),
    /// A list has the object; whether it changed is not known.
    Replaced(Rc<T>),
    /// The object is told again, unchanged.
    Sync(Rc<T>),
    /// A list in one piece: what is within its scope and not in it is gone.
    ReplacedAll {
        /// What the list is complete for.
        scope: Scope,
        /// The version of the list.
        resource_version: String,
        /// Everything there is.
        objects: Vec<Rc<T>>,
    },
    /// Everything is told again, unchanged.
    SyncAll,
    /// Nothing happened up to this version.
    Bookmark(String),
}

/// An object that is gone.
///
/// Who missed the deletion, since a watch was not open at that time, still learns of it: then the last state that was seen
/// is not the last that was.
#[derive(Debug)]
pub enum Tombstone<T> {
    /// The deletion was seen; this is the last state.
    Deleted(Rc<T>),
    /// The object is missing from a list.
    FinalStateUnknown {
        /// What was deleted.
        key: ObjectKey,
        /// The last state that was seen, if any was.
        last: Option<Rc<T>>,
    },
}

impl<T: Object> Delta<T> {
    /// The object it is about; `None` for those about all.
    pub fn key(&self) -> Option<ObjectKey> {
        match self {
            Delta::Added(object) | Delta::Updated(object) | Delta::Replaced(object) | Delta::Sync(object) => {
                Some(object.key())
            }
            Delta::Deleted(tombstone) => Some(tombstone.key()),
            Delta::ReplacedAll { .. } | Delta::SyncAll | Delta::Bookmark(_) => None,
        }
    }
}

impl<T> Delta<T> {
    /// The state it tells of, if it is about one object.
    pub fn object(&self) -> Option<&Rc<T>> {
        match self {
            Delta::Added(object) | Delta::Updated(object) | Delta::Replaced(object) | Delta::Sync(object) => {
                Some(object)
            }
            Delta::Deleted(tombstone) => tombstone.last(),
            Delta::ReplacedAll { .. } | Delta::SyncAll | Delta::Bookmark(_) => None,
        }
    }
}

impl<T: Object> Tombstone<T> {
    /// What was deleted.
    pub fn key(&self) -> ObjectKey {
        match self {
            Tombstone::Deleted(object) => object.key(),
            Tombstone::FinalStateUnknown { key, .. } => key.clone(),
        }
    }
}

impl<T> Tombstone<T> {
    /// The last state that was seen.
    pub fn last(&self) -> Option<&Rc<T>> {
        match self {
            Tombstone::Deleted(object) => Some(object),
            Tombstone::FinalStateUnknown { last, .. } => last.as_ref(),
        }
    }
}

// Derived ones would ask the same of the object, which is shared and never copied.
impl<T> Clone for Delta<T> {
    fn clone(&self) -> Delta<T> {
        match self {
            Delta::Added(object) => Delta::Added(Rc::clone(object)),
            Delta::Updated(object) => Delta::Updated(Rc::clone(object)),
            Delta::Deleted(tombstone) => Delta::Deleted(tombstone.clone()),
            Delta::Replaced(object) => Delta::Replaced(Rc::clone(object)),
            Delta::Sync(object) => Delta::Sync(Rc::clone(object)),
            Delta::ReplacedAll { scope, resource_version, objects } => Delta::ReplacedAll {
                scope: scope.clone(),
                resource_version: resource_version.clone(),
                objects: objects.clone(),
            },
            Delta::SyncAll => Delta::SyncAll,
            Delta::Bookmark(version) => Delta::Bookmark(version.clone()),
        }
    }
}

impl<T> Clone for Tombstone<T> {
    fn clone(&self) -> Tombstone<T> {
        match self {
            Tombstone::Deleted(object) => Tombstone::Deleted(Rc::clone(object)),
            Tombstone::FinalStateUnknown { key, last } => {
                Tombstone::FinalStateUnknown { key: key.clone(), last: last.clone() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Delta, Tombstone};
    use crate::cache::{
        ObjectKey,
        fixture::{Thing, gone, thing},
    };

    #[test]
    fn df_26_every_delta_knows_whom_it_is_about() {
        let check = |delta: &Delta<Thing>, expect: Option<&str>| {
            assert_eq!(delta.key(), expect.map(|name| ObjectKey::new("", name)));
        };
        check(&Delta::Added(thing("a", 1)), Some("a"));
        check(&Delta::Deleted(gone("b", 1)), Some("b"));
        let unknown = |last| Delta::Deleted(Tombstone::FinalStateUnknown { key: ObjectKey::new("", "c"), last });
        check(&unknown(None), Some("c"));
        check(&unknown(Some(thing("c", 1))), Some("c"));
        check(&Delta::SyncAll, None);
    }
}
