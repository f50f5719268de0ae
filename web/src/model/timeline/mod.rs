//! The event timeline: what happened, when, to whom. Plain Rust; `view::timeline` only draws it.

pub mod axis;
pub mod calendar;
pub mod chronicle;
mod event;
pub mod filter;
#[cfg(test)]
mod fixture;
pub mod frame;
mod kinship;
pub mod lane;
pub mod lanes;
pub mod life;
pub mod marks;
mod moment;
pub mod name;
pub mod phase;
mod pod;
pub mod point;
pub mod record;
pub mod sample;
pub mod scale;
pub mod store;
pub mod strip;
pub mod subject;
#[expect(clippy::module_inception, reason = "the timeline is what the module is about")]
pub mod timeline;
pub mod track;
pub mod view_state;
pub mod window;
pub mod words;
mod workload;
