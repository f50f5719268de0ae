//! The log of a container: its lines, their times and colours, and where a text is in them.

mod ansi;
mod line;
mod ring;
mod search;

pub use ansi::{Colour, Look, Span};
pub use line::Line;
pub use ring::Ring;
pub use search::{Piece, Search};

#[cfg(test)]
mod tests;
