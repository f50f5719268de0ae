//! A series of kubectl commands that two servers must answer alike.
//!
//! A [`Series`] is a script. [`Series::run`] gives what kubectl printed for each command, without what no two clusters have
//! in common.

mod mask;
mod series;
mod step;

pub use series::{Printed, Series};
