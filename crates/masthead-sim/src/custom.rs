//! Kinds that are defined at run time, by CustomResourceDefinitions.
//!
//! A definition is an object like any other. What follows from it follows at once, where the real server takes a moment:
//! its names are accepted or not, its kinds are served, its end waits for that of its objects. CEL rules
//! (`x-kubernetes-validations`) are kept and not evaluated, and conversion webhooks are not called.

mod completion;
mod definition;
mod lifecycle;
mod names;

use serde_json::Value;

pub(crate) use completion::{complete, keep_stored_versions};
pub(crate) use lifecycle::{CLEANUP, DELETION_PENDING, set_condition};

/// What a definition says of one version beyond its names.
#[derive(Debug, PartialEq)]
pub(crate) struct Custom {
    pub(crate) list_kind: String,
    /// The `openAPIV3Schema`.
    pub(crate) schema: Value,
    pub(crate) scale: Option<ScalePaths>,
    /// What every request is warned of.
    pub(crate) deprecation: Option<String>,
    /// The version of the store since which its changes are known.
    pub(crate) since: u64,
    pub(crate) phase: Phase,
}

/// Whether new objects may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Established,
    /// The definition was deleted and its objects are yet to go.
    Terminating,
}

/// Where an object has what its scale shows, as JSON pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScalePaths {
    pub(crate) spec_replicas: String,
    pub(crate) status_replicas: String,
    pub(crate) selector: Option<String>,
}
