//! What happened to an object, on its way to a store.

use std::rc::Rc;

use super::{ListScope, Object, ObjectKey};
use crate::{Error, rest::UndecodableObject};

/// One step of a history.
#[derive(Debug)]
pub enum Delta<T> {
    /// The object came.
    Added(Rc<T>),
    /// The object changed.
    Updated(Rc<T>),
    /// The object went.
    Deleted(Tombstone<T>),
    /// The object exists, and its present state could not be decoded.
    Stale(Rc<StaleObject>),
    /// A list has the object; whether it changed is not known.
    Replaced(Rc<T>),
    /// The object is told again, unchanged.
    Sync(Rc<T>),
    /// A list in one piece: what is within its scope and not in it is gone.
    ReplacedAll {
        /// What the list is complete for.
        scope: ListScope,
        /// Everything there is.
        list: CompleteList<T>,
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
    /// The object is missing from a list, or the last state that came with its deletion could not be decoded.
    FinalStateUnknown {
        /// What was deleted.
        key: ObjectKey,
        /// The last state that was seen, if any was.
        last: Option<Rc<T>>,
    },
}

/// An object that exists and whose present state could not be decoded.
///
/// The store keeps the last state that could, if there was one: marked as stale, not taken for deleted.
#[derive(Clone, Debug)]
pub struct StaleObject {
    /// Which object it is.
    pub key: ObjectKey,
    /// Its uid; empty where it could not be read.
    pub uid: String,
    /// The version of the state that could not be decoded; empty where it could not be read.
    pub resource_version: String,
    /// Why; names the object and, where it is known, the field.
    pub error: Error,
}

/// What a state that could not be decoded says of the one that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CachedState {
    /// It is an earlier state of the same object.
    Outdated,
    /// It is the same state: whatever went wrong, nothing is missed.
    Current,
    /// It is of an object that is gone: another one has its name now.
    OtherObject,
}

impl StaleObject {
    /// The object that `error` names; gives the error back where it names none.
    pub(crate) fn from_error(error: Error) -> Result<StaleObject, Error> {
        match error.undecodable_object().cloned() {
            Some(object) => {
                let (key, UndecodableObject { uid, resource_version, .. }) = (object.key(), object);
                Ok(StaleObject { key, uid, resource_version, error })
            }
            None => Err(error),
        }
    }

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

/// A complete list, as it was read.
#[derive(Debug)]
pub struct CompleteList<T> {
    /// The version of the list.
    pub resource_version: String,
    /// The objects that could be decoded.
    pub objects: Vec<Rc<T>>,
    /// The objects that could not; the server has them all the same.
    pub stale: Vec<Rc<StaleObject>>,
    /// Why an item could not even be identified, if there is one. Any known object that is missing from the list may be that
    /// item, so that none is taken for deleted.
    pub unidentified: Option<Error>,
}

impl<T> CompleteList<T> {
    /// A list of which everything could be decoded.
    pub fn new(objects: Vec<Rc<T>>, resource_version: &str) -> CompleteList<T> {
        CompleteList { resource_version: resource_version.to_owned(), objects, stale: Vec::new(), unidentified: None }
    }
}

impl<T: Object> Delta<T> {
    /// The object it is about; `None` for those about all.
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
    /// The state it tells of, if it is about one object and that could be decoded.
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
