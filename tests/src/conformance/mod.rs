//! One set of scripts that every server we test against must answer alike.
//!
//! A [`Script`] is a series of requests. A [`Run`] sends them over any [`Transport`](masthead::rest::Transport), masks what
//! no two servers can have in common and writes a transcript, which a [`Golden`] file holds for comparison. The files were
//! recorded from the real API server, so whatever else answers the same scripts is held to it.

mod clock;
mod golden;
mod layout;
mod loopback;
mod mask;
mod numbering;
mod run;
mod script;
mod step;
mod stream;
pub(crate) mod token;
mod variables;

pub use clock::WallClock;
pub use golden::Golden;
pub use loopback::Loopback;
pub use run::Run;
pub use script::Script;
