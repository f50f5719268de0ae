//! Tables: what a cell shows, which columns there are, what a row is, and the order of rows while they change.

pub mod cell;
pub mod column;
#[cfg(test)]
pub(crate) mod fixture;
pub mod grid;
pub mod layout;
pub mod load;
pub mod pace;
pub mod row;
pub mod selection;
pub mod server;
pub mod slots;
pub mod sort;
pub mod tally;
pub mod window;
