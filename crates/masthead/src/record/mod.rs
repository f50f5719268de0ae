//! Events of `core/v1`: what a component did, told to whoever looks at the object it did it to.
//!
//! An [`EventRecorder`] makes events, an [`EventBroadcaster`] hands them to sinks, logs and watchers. On the way to a
//! [`Sink`] an [`EventCorrelator`] turns many events into few writes, and those are carried out beside one another.

mod broadcaster;
mod correlator;
mod counts;
mod delivery;
mod event_name;
mod event_type;
mod fake_recorder;
mod hub;
mod log_line;
mod outbox;
mod recorder;
mod recording;
mod reference;
mod sink;
mod write;
mod written;

pub use broadcaster::{BroadcasterOptions, EventBroadcaster};
pub use correlator::{CorrelatorOptions, EventCorrelator};
pub use counts::{Cause, Counts, Intake, Loss, LossHandler};
pub use event_type::EventType;
pub use fake_recorder::FakeRecorder;
pub use recorder::EventRecorder;
pub use recording::Recording;
pub use reference::reference;
pub use sink::{ClientSink, Sink};
pub use write::{EventKind, Write};

pub(crate) use correlator::text;
pub(crate) use delivery::Delivery;
pub(crate) use hub::{Hub, Limits};
