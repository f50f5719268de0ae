//! Packed objects: lean fields to show, and the complete object, compressed, for who asks.
//!
//! A [`Packer`] keeps what a [`Projector`](crate::lean::Projector) keeps, and besides it the bytes of the object without its
//! managed fields, compressed by LZ4 against a sibling: pods of one owner are mostly equal, so that one of six kilobytes
//! takes half of one. It is decompressed in microseconds, when somebody asks, to whatever it is asked for.
//!
//! ```
//! use k8s_openapi::api::core::v1::Pod;
//! use masthead::{lean::{Interned, Lean}, packed::Packer, rest::{Decoder, MediaType}};
//!
//! #[derive(Lean)]
//! struct PodRow {
//!     #[lean("spec.nodeName")]
//!     node: Interned,
//! }
//!
//! let json = br#"{"metadata":{"name":"a","managedFields":[{}]},"spec":{"nodeName":"n","containers":[]}}"#;
//! let packed = Packer::<PodRow>::new().decode(MediaType::Json, json)?;
//! assert_eq!(packed.node, "n");
//! assert_eq!(packed.json()?, br#"{"metadata":{"name":"a"},"spec":{"nodeName":"n","containers":[]}}"#);
//! let pod: Pod = packed.read()?;
//! assert_eq!(pod.metadata.name.as_deref(), Some("a"));
//! # Ok::<(), masthead::Error>(())
//! ```

mod body;
mod keeper;
mod packer;
mod shelf;

use std::{fmt, ops::Deref};

use serde::de::DeserializeOwned;

use crate::{
    Error,
    cache::{Object, ObjectKey},
    lean::{Lean, Row},
};

use body::Body;
pub use keeper::Keeper;
pub use packer::Packer;

/// A lean object with the complete one inside. Reads as its [`Row`].
pub struct Packed<T> {
    row: Row<T>,
    body: Body,
}

impl<T> Packed<T> {
    /// The complete object as JSON, without its managed fields. Takes a few microseconds.
    pub fn json(&self) -> Result<Vec<u8>, Error> {
        self.body.json()
    }

    /// The complete object, without its managed fields: typed, dynamic or a `Value`.
    pub fn read<K: DeserializeOwned>(&self) -> Result<K, Error> {
        serde_json::from_slice(&self.json()?).map_err(|source| Error::undecodable("read packed object", source))
    }

    /// The same object with other fields, made of those that it has: what a view shows of them, say.
    pub fn map<U>(self, make: impl FnOnce(&Row<T>) -> U) -> Packed<U> {
        let fields = make(&self.row);
        Packed { row: self.row.with(fields), body: self.body }
    }
}

impl<T: Lean> Packed<T> {
    /// How many bytes of memory it takes, wherever they are. What objects share counts in [`Packer::bytes`].
    pub fn bytes(&self) -> usize {
        self.row.bytes() + size_of::<Body>() + self.body.heap()
    }
}

impl<T> Deref for Packed<T> {
    type Target = Row<T>;

    fn deref(&self) -> &Row<T> {
        &self.row
    }
}

impl<T: 'static> Object for Packed<T> {
    fn key(&self) -> ObjectKey {
        self.row.key()
    }

    fn resource_version(&self) -> &str {
        self.row.resource_version()
    }

    fn uid(&self) -> &str {
        self.row.uid()
    }
}

impl<T: fmt::Debug> fmt::Debug for Packed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packed").field("row", &self.row).field("body", &self.body).finish()
    }
}
