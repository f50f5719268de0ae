//! Where in its life a pod is, as the row of a table tells.

use super::phase::Phase;

/// What a pod's row knows of its life. Small, as there is one for each pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// Where it is.
    pub phase: Phase,
    /// When that began; [`UNKNOWN`] where the pod does not tell.
    since: i64,
}

impl Life {
    /// A pod in this phase, and since when, in milliseconds since 1970, as far as it tells.
    pub fn new(phase: Phase, since: Option<i64>) -> Life {
        Life { phase, since: since.unwrap_or(UNKNOWN) }
    }

    /// When the phase began, in milliseconds since 1970, as far as the pod itself tells.
    pub fn since(self) -> Option<i64> {
        (self.since != UNKNOWN).then_some(self.since)
    }
}

const UNKNOWN: i64 = i64::MIN;
