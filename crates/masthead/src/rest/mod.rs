//! The REST layer: what the bytes of a Kubernetes answer mean.
//!
//! Nothing here does I/O: [`Framer`] cuts a streamed body into values, [`WatchEvent`] and [`List`] read them, [`Response`]
//! judges a complete answer and [`Status`] is the server's own word on what failed.

mod frame;
mod list;
mod response;
mod status;
mod watch;

pub use frame::{FrameError, Framer};
pub use list::List;
pub use response::Response;
pub use status::{Status, StatusDetails};
pub use watch::{Bookmark, WatchEvent};
