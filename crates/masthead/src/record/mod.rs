//! Events of `core/v1`: what a component did, told to whoever looks at the object it did it to.

mod aggregator;
mod correlator;
mod lru;
mod observations;
mod spam_filter;
mod write;

pub use correlator::{CorrelatorOptions, EventCorrelator};
pub use write::{EventKind, Write};
