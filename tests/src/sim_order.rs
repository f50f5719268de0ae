//! What a simulator that is served over HTTP is told to be.

use serde::{Deserialize, Serialize};

/// The order that `cargo xtask sim` and the tests give to the program `sim-server`, as the JSON of its one argument.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SimOrder {
    /// The loopback port; 0 for a free one.
    pub port: u16,
    /// Decides every name, uid and accident.
    pub seed: u64,
    /// What is there when it starts.
    pub world: SimWorld,
    /// How many pods change in a second.
    pub churn: Option<f64>,
}

/// A cluster to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SimWorld {
    /// A company's, with a past and troubles.
    #[default]
    Demo,
    /// Controllers at work, and no node yet.
    Bare,
    /// So many pods, which nobody looks after.
    Pods(usize),
}
