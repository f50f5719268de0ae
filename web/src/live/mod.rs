//! Keeps the model true: requests, timers, storage and the page's own events, written into signals that views read.

mod api;
mod clip;
pub(crate) mod clock;
mod follow;
pub(crate) mod frame;
mod history;
mod listen;
mod memory;
pub(crate) mod place;
mod presence;
mod server;
mod session;
mod table;
pub(crate) mod theme;
mod timeline;

pub(crate) use clip::Clip;
pub(crate) use history::History;
pub(crate) use session::Session;
pub(crate) use table::{Row, TableSignals, Unread};
pub(crate) use timeline::TimelineLive;
