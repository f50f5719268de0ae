//! What a simulator that is served over HTTP is told to be.

use serde::{Deserialize, Serialize};

/// The order that `cargo xtask sim` and the tests give to the program `sim-server`, as the JSON of its one argument.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SimOrder {
    /// The loopback port; 0 for a free one.
    pub port: u16,
    /// Decides every name, uid and accident.
    pub seed: u64,
}
