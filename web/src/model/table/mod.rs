//! Tables: what a cell shows, which columns there are, what a row is.

pub mod cell;
pub mod column;
pub mod row;
