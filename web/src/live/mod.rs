//! Keeps the model true: requests, timers, storage and the page's own events, written into signals that views read.

mod api;
mod clip;
mod clock;
mod follow;
mod listen;
mod memory;
mod place;
mod presence;
mod server;
mod session;
mod table;
pub(crate) mod theme;

pub(crate) use clip::Clip;
pub(crate) use session::Session;
pub(crate) use table::{Row, TableSignals, Unread};
