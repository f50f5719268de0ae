//! Serves Masthead's page and a Kubernetes API on one loopback address.
//!
//! [`Front::bind`] takes a port, [`Front::serve`] starts to answer. The page's files are for every program of this machine; the
//! API lies below a prefix of 128 random bits, which only this process knows. A browser learns it by exchanging the one-time
//! code of [`Server::one_time_address`], so that no history and no command line holds what opens the API. Every
//! request is checked by itself: its Host must be this address, and below the prefix its Origin must be this page or absent.
//!
//! Answers of the API pass through as they come, WebSockets too. What is between two hops (RFC 9110, 7.6.1) stays there,
//! redirects lead below the prefix or nowhere, and cookies pass in neither direction: a browser sends those of this address to
//! every port of the machine.
//!
//! [`Listener`] is what lies below: the accept loop with its [`Limits`], also for servers of another kind.

mod backend;
mod codes;
mod files;
mod forward;
mod front;
mod header;
mod listener;
mod site;
mod write_timeout;

pub use backend::{Backend, InvalidAddress};
pub use codes::{CODE_PATH, Session};
pub use front::{Front, Server};
pub use header::{is_websocket, names_loopback};
pub use listener::{Body, Limits, Listener, Permit, Serving};
