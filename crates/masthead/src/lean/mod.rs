//! Lean objects: a few fields of each, read straight from the bytes.
//!
//! A view of pods shows ten fields of a hundred. Declare those ten, by a derive or, where a person chooses the columns, by a
//! table of paths, and a [`Projector`] reads them in one pass over the bytes and skips the rest: several times as fast as
//! `JSON.parse`, in a twentieth of its memory. What is read is a [`Row`]: the fields, and the key, version and uid that a
//! cache needs of every object.
//!
//! ```
//! use std::{collections::BTreeMap, rc::Rc};
//! use masthead::{lean::{Interned, Lean, Projector, Row, Sum, Timestamp}, rest::RestClient, watch::Source};
//!
//! #[derive(Lean)]
//! struct PodRow {
//!     #[lean("spec.nodeName")]
//!     node: Option<Interned>,
//!     #[lean("status.phase")]
//!     phase: Interned,
//!     #[lean("status.containerStatuses[*].restartCount")]
//!     restarts: Sum,
//!     #[lean("spec.containers[*].image")]
//!     images: Vec<Interned>,
//!     #[lean("metadata.creationTimestamp")]
//!     created: Timestamp,
//!     #[lean("metadata.labels")]
//!     labels: BTreeMap<Interned, Interned>,
//! }
//!
//! fn rows(client: &RestClient) -> Source<Row<PodRow>> {
//!     let pods = client.group_version("", "v1").get().resource("pods");
//!     Source::read_by(Rc::new(Projector::<PodRow>::new()), pods)
//! }
//! ```
//!
//! A path is names with dots between, as in `kubectl -o custom-columns`: `\.` is a dot within a name, `[*]` each element of
//! an array. A field that an object does not have stays at its default, as the server leaves out what is empty; one of
//! another type makes the object undecodable.

mod cells;
mod field;
mod part;
mod path;
mod projector;
mod row;
mod sum;
mod timestamp;

pub use cells::{Cell, Cells};
pub use field::Field;
pub use masthead_derive::Lean;
pub use masthead_scan::{Found, Interned, Mismatch, Strings, elements, members};
pub use part::Part;
pub use projector::Projector;
pub(crate) use projector::{Projected, Scan, Set, Unread};
pub use row::Row;
pub use sum::Sum;
pub use timestamp::Timestamp;

/// Fields that are read out of an object. Derived, not written by hand.
pub trait Lean: Sized + 'static {
    /// Where the fields lie; the place in this list is their slot.
    const PATHS: &'static [&'static str];

    /// With no field found yet; `slots` is the number of paths.
    fn blank(slots: usize) -> Self;

    /// Takes what was found at the path of `slot`.
    fn set(&mut self, slot: usize, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch>;

    /// How many bytes the fields hold elsewhere in memory; what is shared counts for nothing.
    fn heap(&self) -> usize;
}
