//! The server as its clients meet it.

mod deletion;
mod discovery;
mod expiry;
mod faults;
mod lists;
mod objects;
mod watches;
pub(crate) mod wire;
mod wording;
mod workloads;
