//! Events of `events.k8s.io/v1`: what a component did to which object, with repetitions as a series.
//!
//! As in [`record`](crate::record), recorders make events and a broadcaster hands them out. Here equal events are one with a
//! [series](EventSeries), written when it begins, from time to time while it goes on, and when it ends.

mod adapter;
mod broadcaster;
mod fake_recorder;
mod recorder;
mod series;

pub use adapter::{AnyRecorder, EventBroadcasterAdapter, Recordings};
pub use broadcaster::{BroadcasterOptions, EventBroadcaster};
pub use fake_recorder::FakeRecorder;
pub use recorder::EventRecorder;
pub use series::EventSeries;
