//! One of many leads: whoever renews a Lease in time.
//!
//! [`Election`] decides, given the time and what was read; [`Elector`] does what it decides, on a [`LeaseLock`]. Only the
//! time between two looks at the record counts, by the own clock: what other clocks wrote into it is never compared.

mod config;
mod election;
mod elector;
mod lease_lock;
mod record;

pub use config::Config;
pub use election::{Decision, Election};
pub use elector::{Change, Elector};
pub use lease_lock::LeaseLock;
pub use record::Record;
