//! What can be queued.

use std::hash::Hash;

/// Something that can be queued: small, and equal to itself. Everything that can be cloned and hashed is.
///
/// Queue the name of what is to be worked on rather than the thing: by the time a worker has it, the thing may have changed.
pub trait Key: Clone + Eq + Hash + 'static {}

impl<T: Clone + Eq + Hash + 'static> Key for T {}
