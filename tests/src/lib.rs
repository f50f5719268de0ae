//! The real cluster Masthead's tests run on, and what those tests share.
//!
//! [`Cluster`] starts and stops a control plane built from `tests/cluster`; [`Load`] fills it with realistic pods;
//! [`Testbed`] gives one test its own namespace and its own `kubectl proxy`, and lets it break things on purpose; [`Remote`]
//! does the latter for tests in a browser. `conformance` holds servers to recorded answers.

#![allow(clippy::disallowed_methods, reason = "real processes run on the real clock; nothing of this crate ships")]

mod api;
mod cache_dir;
mod cluster;
#[cfg(feature = "conformance")]
pub mod conformance;
#[cfg(feature = "sim")]
pub mod http;
mod interrupt;
#[cfg(feature = "cluster")]
pub mod kubectl;
mod load;
mod peer;
mod proxy;
mod remote;
mod sim_order;
mod testbed;
mod unique_name;
mod wait;

pub use api::{Answer, Api, Verb};
pub use cache_dir::cache_dir;
pub use cluster::{Cluster, ComponentStatus, Health, Origin, User, create_nodes, reader_grants};
pub use interrupt::Interrupt;
pub use load::{Churn, Load, LoadOptions};
pub use peer::compile_client_go;
pub use proxy::Proxy;
pub use remote::Remote;
pub use sim_order::{SimOrder, SimWorld};
pub use testbed::Testbed;
