//! Keeps the model true: requests, timers, storage and the page's own events, written into signals that views read.

mod access;
mod address;
mod catalog;
mod clip;
mod clock;
mod demo;
mod export;
mod feed;
mod feeds;
mod frame;
pub(crate) mod keyboard;
mod listen;
mod memory;
mod object;
mod overlay;
mod palette;
mod place;
mod presence;
mod pulse;
mod save;
mod server;
mod session;
mod settings;
mod table;
pub(crate) mod theme;

pub(crate) use clip::Clip;
pub(crate) use feed::{Feed, Subject};
pub(crate) use object::{Contents, OpenObject};
pub(crate) use overlay::Overlay;
pub(crate) use palette::{Find, Found};
pub(crate) use session::Session;
pub(crate) use table::{Slot, TableView, Wanted};
