//! Records events of `core/v1`, like client-go's `tools/record`.
//!
//! An [`EventRecorder`] makes events, and an [`EventBroadcaster`] hands them to sinks, logs and watchers. For each
//! [`EventSink`] an [`EventCorrelator`] turns many events into few writes, which are queued, sent and retried so that no
//! event waits for another. Recording never waits and never fails; [`EventCounts`] says what became of the events.
//!
//! ```
//! use k8s_openapi::api::core::v1::{EventSource, ObjectReference};
//! use masthead::{record::{EventBroadcaster, EventType}, runtime::VirtualTime};
//!
//! let time = VirtualTime::new();
//! let broadcaster = EventBroadcaster::new(&time.runtime(), Default::default());
//! let _logging = broadcaster.start_logging(|line| assert!(line.ends_with("reason: 'Started' the image is there")))?;
//! let recorder = broadcaster.new_recorder(EventSource::default());
//! recorder.event(&ObjectReference::default(), EventType::Normal, "Started", "the image is there");
//! time.settle();
//! assert_eq!(broadcaster.recorder_counts().accepted, 1);
//! # Ok::<(), masthead::Error>(())
//! ```

mod broadcaster;
mod broadcaster_core;
mod correlator;
mod event_counts;
mod event_kind;
mod recorder;
mod sink;
mod sink_queue;
mod sink_writer;

pub use broadcaster::{BroadcasterOptions, EventBroadcaster};
pub use correlator::{CorrelatorOptions, EventCorrelator};
pub use event_counts::{EventCounts, LossCause, LostEvent, LostEventHandler, RecorderCounts, RecordingHandle};
pub use event_kind::EventKind;
pub use recorder::{EventRecorder, EventType, FakeRecorder, reference};
pub use sink::{ClientSink, EventSink, EventWrite};

pub(crate) use broadcaster_core::{BroadcasterCore, SinkLimits};
pub(crate) use correlator::text;
pub(crate) use sink_writer::SinkWriter;
