//! client-gen, lister-gen and informer-gen for Rust types: typed clients, listers and informers of masthead.
//!
//! A [`Package`] is a file of types with client-go's tags in comments above them. What is generated from it are thin names
//! over masthead's generic client, lister and informer. [`crd_types`] writes such files from definitions of custom resources.

mod build_script;
mod case;
mod client_gen;
mod comment;
mod config;
mod crd;
mod derived;
mod fake_gen;
mod generation;
mod imports;
mod informer_gen;
mod kind;
mod lister_gen;
mod method;
mod mistake;
mod naming;
mod output;
mod package;
mod plural;
mod rustfmt;
mod tag;
mod verb;

pub use build_script::build;
pub use config::Config;
pub use crd::crd_types;
pub use generation::Generation;
pub use kind::Kind;
pub use method::Method;
pub use mistake::{Mistake, Mistakes};
pub use output::{Output, Written};
pub use package::Package;
pub use plural::Plurals;
pub use tag::{Generator, Tags, Verbs};
pub use verb::Verb;

/// The example of this crate's README, which must compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
