//! The kinds of a shop, in two versions.

pub mod v1;
pub mod v1beta1;
