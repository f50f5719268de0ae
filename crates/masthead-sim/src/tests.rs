//! The server as its clients meet it.

mod access;
mod custom;
mod deletion;
mod demo;
mod discovery;
mod events;
mod expiry;
mod faults;
mod fleet;
mod lists;
mod logs;
mod objects;
mod open_api;
mod parts;
mod versions;
mod watches;
pub(crate) mod wire;
mod wording;
mod workloads;
