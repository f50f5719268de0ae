//! The ten fields of a pod that a table of pods shows.

use masthead::lean::{Interned, Lean, Sum, Timestamp};

/// A pod as a table shows it.
#[derive(Debug, Lean)]
pub(crate) struct PodRow {
    #[lean("spec.nodeName")]
    pub(crate) node: Interned,
    #[lean("status.phase")]
    pub(crate) phase: Interned,
    #[lean("status.reason")]
    pub(crate) reason: Interned,
    #[lean("status.podIP")]
    pub(crate) ip: Box<str>,
    #[lean("status.qosClass")]
    pub(crate) qos: Interned,
    #[lean("metadata.creationTimestamp")]
    pub(crate) created: Timestamp,
    #[lean("metadata.deletionTimestamp")]
    pub(crate) deleted: Timestamp,
    #[lean("metadata.labels.app")]
    pub(crate) app: Interned,
    #[lean("status.containerStatuses[*].restartCount")]
    pub(crate) restarts: Sum,
    #[lean("status.containerStatuses[*].ready")]
    pub(crate) ready: Sum,
}
