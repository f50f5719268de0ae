//! A Kubernetes API server in memory, for tests, benchmarks and a cluster to explore.
//!
//! [`Sim`] answers requests at the wire: method, URL, headers and body in, status, headers and bytes out, in the words of
//! a real 1.36 server. Everything above the transport is the real library. It has no threads, no clock and no chance of
//! its own; what it keeps of the past is bounded.

mod accept;
mod access;
mod admission;
mod api_service;
mod body;
mod builtin;
mod caller;
mod cause;
mod churn;
mod component_status;
mod continue_token;
mod conversion;
mod custom;
mod defaults;
mod demo;
mod discovery;
mod ending;
mod expiry;
mod fake;
mod fault;
mod fleet;
mod health;
mod incoming;
mod json;
mod kind;
mod label_selector;
mod listing;
mod log;
mod managed;
mod object;
mod open_api;
mod patch;
mod protobuf;
mod query;
mod refusal;
mod registry;
mod reply;
mod route;
mod schema;
mod seat;
mod selection;
mod server;
mod sim;
mod storage_hash;
mod store;
mod strategy;
mod table;
mod telling;
mod tree;
mod validation;
mod version_rank;
mod view;
mod watching;
mod workloads;
mod world;
mod write;
mod write_options;

use masthead::{quantity, timestamp};

pub use churn::Churn;
pub use fake::FakeClientSet;
pub use fault::{Damage, Effect, Fault};
pub use sim::Sim;
pub use workloads::{Behaviour, Running, Workloads};

#[cfg(test)]
mod tests;
