//! The demo cluster: a simulated API server within the page.

use masthead::runtime::Runtime;
use masthead_sim::Sim;

/// A small company's cluster that lives for as long as the page.
pub(crate) fn transport(runtime: Runtime) -> Sim {
    Sim::demo(runtime)
}
