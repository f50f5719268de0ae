//! Deltas: what happened to an object between the server and the store.
//!
//! A reflector produces deltas, a [`DeltaQueue`](super::DeltaQueue) orders them, and the informer applies them to its
//! store. Objects are behind an [`Rc`]: cloning a delta never copies an object.

use std::rc::Rc;

use super::{ListScope, Object, ObjectKey};
use crate::{Error, rest::UndecodableObject};

/// One change of an object, or of the whole collection, as client-go's `Delta`.
#[derive(Debug)]
pub enum Delta<T> {
    /// The watch reported the object as new. The store may know it already.
    Added(Rc<T>),
    /// The watch reported a new state of the object.
    Updated(Rc<T>),
    /// The object was deleted.
    Deleted(Tombstone<T>),
    /// The object exists, but its current state could not be decoded.
    Stale(Rc<StaleObject>),
    /// A relist contains the object; it may or may not have changed.
    Replaced(Rc<T>),
    /// A resync: handlers see the object again, unchanged.
    Sync(Rc<T>),
    /// A relist as one delta. Objects within `scope` that the list does not contain were deleted.
    ReplacedAll {
        /// The part of the collection that the list covers.
        scope: ListScope,
        /// Every object of that part.
        list: CompleteList<T>,
    },
    /// A resync of every object in the store.
    SyncAll,
    /// The collection did not change up to this resource version.
    Bookmark(String),
}

/// A deleted object, as client-go's `DeletedFinalStateUnknown` with the ordinary case included.
///
/// A deletion that happened while no watch was open is found by the next relist. The last state that the store saw is
/// then not necessarily the object's last state.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::cache::Tombstone;
///
/// fn describe(tombstone: &Tombstone<Pod>) -> String {
///     match tombstone {
///         Tombstone::Deleted(_) => format!("{} was deleted", tombstone.key()),
///         Tombstone::FinalStateUnknown { key, .. } => format!("{key} was deleted while no watch was open"),
///     }
/// }
/// ```
#[derive(Debug)]
pub enum Tombstone<T> {
    /// The watch reported the deletion; this is the object's last state.
    Deleted(Rc<T>),
    /// A relist did not contain the object, or the last state that came with its deletion could not be decoded.
    FinalStateUnknown {
        /// The key of the deleted object.
        key: ObjectKey,
        /// The last state that the store saw; `None` if it never saw one.
        last: Option<Rc<T>>,
    },
}

/// An object that exists on the server but whose current state could not be decoded.
///
/// The store marks it as stale and keeps the last state that it could decode, if there is one. A stale object is never
/// treated as deleted.
#[derive(Clone, Debug)]
pub struct StaleObject {
    /// The key of the object.
    pub key: ObjectKey,
    /// The uid of the object; empty if it could not be read.
    pub uid: String,
    /// The resource version of the state that could not be decoded; empty if it could not be read.
    pub resource_version: String,
    /// Why decoding failed. Names the object and, where known, the field.
    pub error: Error,
}

/// How the state in the store relates to one that could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CachedState {
    /// The store has an earlier state of the same object.
    Outdated,
    /// The store has the same state: nothing was missed.
    Current,
    /// The store has a deleted object whose name another object uses now.
    OtherObject,
}

impl StaleObject {
    /// Builds a stale object from the object that `error` names; returns the error if it names none.
    pub(crate) fn from_error(error: Error) -> Result<StaleObject, Error> {
        match error.undecodable_object().cloned() {
            Some(object) => {
                let (key, UndecodableObject { uid, resource_version, .. }) = (object.key(), object);
                Ok(StaleObject { key, uid, resource_version, error })
            }
            None => Err(error),
        }
    }

    /// Compares this state with the one in the store, by uid and then by resource version.
    pub(super) fn compare<T: Object>(&self, cached: &T) -> CachedState {
        let is_other_object = !self.uid.is_empty() && !cached.uid().is_empty() && self.uid != cached.uid();
        let is_same_version = !self.resource_version.is_empty() && self.resource_version == cached.resource_version();
        match (is_other_object, is_same_version) {
            (true, _) => CachedState::OtherObject,
            (false, true) => CachedState::Current,
            (false, false) => CachedState::Outdated,
        }
    }
}

/// A complete list of one collection, or of one namespace of it.
#[derive(Debug)]
pub struct CompleteList<T> {
    /// The resource version of the list.
    pub resource_version: String,
    /// The objects that could be decoded, in the server's order.
    pub objects: Vec<Rc<T>>,
    /// The objects that could not be decoded. They exist on the server.
    pub stale: Vec<Rc<StaleObject>>,
    /// Set if an item could not even be identified. Any known object that the list does not contain may be that item,
    /// so a list with this set deletes nothing: it marks those objects as stale.
    pub unidentified: Option<Error>,
}

impl<T> CompleteList<T> {
    /// A list without undecodable items.
    pub fn new(objects: Vec<Rc<T>>, resource_version: &str) -> CompleteList<T> {
        CompleteList { resource_version: resource_version.to_owned(), objects, stale: Vec::new(), unidentified: None }
    }
}

impl<T: Object> Delta<T> {
    /// The key of the object; `None` for a delta that concerns the whole collection.
    pub fn key(&self) -> Option<ObjectKey> {
        match self {
            Delta::Added(object) | Delta::Updated(object) | Delta::Replaced(object) | Delta::Sync(object) => {
                Some(object.key())
            }
            Delta::Deleted(tombstone) => Some(tombstone.key()),
            Delta::Stale(stale) => Some(stale.key.clone()),
            Delta::ReplacedAll { .. } | Delta::SyncAll | Delta::Bookmark(_) => None,
        }
    }
}

impl<T> Delta<T> {
    /// The state that the delta carries. `None` if it could not be decoded or the delta concerns the whole collection.
    pub fn object(&self) -> Option<&Rc<T>> {
        match self {
            Delta::Added(object) | Delta::Updated(object) | Delta::Replaced(object) | Delta::Sync(object) => {
                Some(object)
            }
            Delta::Deleted(tombstone) => tombstone.last(),
            Delta::Stale(_) | Delta::ReplacedAll { .. } | Delta::SyncAll | Delta::Bookmark(_) => None,
        }
    }
}

impl<T: Object> Tombstone<T> {
    /// The key of the deleted object.
    pub fn key(&self) -> ObjectKey {
        match self {
            Tombstone::Deleted(object) => object.key(),
            Tombstone::FinalStateUnknown { key, .. } => key.clone(),
        }
    }
}

impl<T> Tombstone<T> {
    /// The last known state; `None` if the store never saw one.
    pub fn last(&self) -> Option<&Rc<T>> {
        match self {
            Tombstone::Deleted(object) => Some(object),
            Tombstone::FinalStateUnknown { last, .. } => last.as_ref(),
        }
    }
}

// A derived `Clone` would require `T: Clone`, but objects are shared and never copied.
impl<T> Clone for Delta<T> {
    fn clone(&self) -> Delta<T> {
        match self {
            Delta::Added(object) => Delta::Added(Rc::clone(object)),
            Delta::Updated(object) => Delta::Updated(Rc::clone(object)),
            Delta::Deleted(tombstone) => Delta::Deleted(tombstone.clone()),
            Delta::Stale(stale) => Delta::Stale(Rc::clone(stale)),
            Delta::Replaced(object) => Delta::Replaced(Rc::clone(object)),
            Delta::Sync(object) => Delta::Sync(Rc::clone(object)),
            Delta::ReplacedAll { scope, list } => Delta::ReplacedAll { scope: scope.clone(), list: list.clone() },
            Delta::SyncAll => Delta::SyncAll,
            Delta::Bookmark(version) => Delta::Bookmark(version.clone()),
        }
    }
}

impl<T> Clone for CompleteList<T> {
    fn clone(&self) -> CompleteList<T> {
        CompleteList {
            resource_version: self.resource_version.clone(),
            objects: self.objects.clone(),
            stale: self.stale.clone(),
            unidentified: self.unidentified.clone(),
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
        fixture::{TestObject, test_object, tombstone},
    };

    #[test]
    fn df_26_every_delta_has_the_key_of_its_object() {
        let check = |delta: &Delta<TestObject>, expect: Option<&str>| {
            assert_eq!(delta.key(), expect.map(|name| ObjectKey::new("", name)));
        };
        check(&Delta::Added(test_object("a", 1)), Some("a"));
        check(&Delta::Deleted(tombstone("b", 1)), Some("b"));
        let unknown = |last| Delta::Deleted(Tombstone::FinalStateUnknown { key: ObjectKey::new("", "c"), last });
        check(&unknown(None), Some("c"));
        check(&unknown(Some(test_object("c", 1))), Some("c"));
        check(&Delta::SyncAll, None);
    }
}
