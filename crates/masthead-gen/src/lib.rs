//! client-gen, lister-gen and informer-gen for Rust types: typed clients, listers and informers of masthead.
//!
//! A [`Package`] is a file of types with client-go's tags in comments above them. What is generated from it are thin names
//! over masthead's generic client, lister and informer.

mod case;
mod comment;
mod kind;
mod method;
mod mistake;
mod package;
mod plural;
mod tag;
mod verb;

pub use kind::Kind;
pub use method::Method;
pub use mistake::{Mistake, Mistakes};
pub use package::Package;
pub use plural::Plurals;
pub use tag::{Generator, Tags, Verbs};
pub use verb::Verb;
