//! A lean object, with what a cache needs of it.

use std::{fmt, ops::Deref};

use super::Lean;
use crate::cache::{Object, ObjectKey};

/// Fields of an object, with its key, version and uid. Reads as the fields.
#[derive(Clone)]
pub struct Row<T> {
    key: ObjectKey,
    /// The uid, then the version: one piece of memory for both.
    ids: Box<str>,
    uid_length: u16,
    fields: T,
}

impl Row<()> {
    /// A row without fields; `None` where the uid is longer than any that a server gives.
    pub(super) fn bare(key: ObjectKey, uid: &str, version: &str) -> Option<Row<()>> {
        let uid_length = u16::try_from(uid.len()).ok()?;
        let mut ids = String::with_capacity(uid.len() + version.len());
        ids.push_str(uid);
        ids.push_str(version);
        Some(Row { key, ids: ids.into(), uid_length, fields: () })
    }
}

impl<T> Row<T> {
    /// The fields.
    pub fn fields(&self) -> &T {
        &self.fields
    }

    /// The same object with other fields.
    pub(crate) fn with<U>(self, fields: U) -> Row<U> {
        Row { key: self.key, ids: self.ids, uid_length: self.uid_length, fields }
    }
}

impl<T: Lean> Row<T> {
    /// How many bytes of memory it takes, wherever they are; what is shared between rows counts for nothing.
    pub fn bytes(&self) -> usize {
        let key = 2 * size_of::<usize>() + self.key.as_str().len();
        size_of::<Row<T>>() + key + self.ids.len() + self.fields.heap()
    }
}

impl<T> Deref for Row<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.fields
    }
}

impl<T: 'static> Object for Row<T> {
    fn key(&self) -> ObjectKey {
        self.key.clone()
    }

    fn resource_version(&self) -> &str {
        &self.ids[usize::from(self.uid_length)..]
    }

    fn uid(&self) -> &str {
        &self.ids[..usize::from(self.uid_length)]
    }
}

impl<T: fmt::Debug> fmt::Debug for Row<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row").field("key", &self.key).field("fields", &self.fields).finish_non_exhaustive()
    }
}
