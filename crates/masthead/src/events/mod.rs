//! Records events of `events.k8s.io/v1`, like client-go's `tools/events`.
//!
//! As in [`record`](crate::record), an [`EventRecorder`] makes events and an [`EventBroadcaster`] hands them to a sink, logs
//! and watchers. Here equal events become one event with a series: an [`EventCache`] decides when the series is written.
//! Sinks, counts and retries are those of `record`. [`EventBroadcasterAdapter`] chooses the API that a server has.
//!
//! ```
//! use masthead::{events::FakeRecorder, record::EventType};
//!
//! let fake = FakeRecorder::new(10);
//! let note = format_args!("pulled {} images", 2);
//! fake.recorder().eventf(&Default::default(), None, EventType::Normal, "Pulled", "Pulling", note);
//! let event = &fake.events()[0];
//! assert_eq!((event.action.as_deref(), event.note.as_deref()), (Some("Pulling"), Some("pulled 2 images")));
//! ```

mod broadcaster;
mod event_cache;
mod recorder;

pub use broadcaster::{AnyRecorder, BroadcasterOptions, EventBroadcaster, EventBroadcasterAdapter, RecordingHandles};
pub use event_cache::EventCache;
pub use recorder::{EventRecorder, FakeRecorder};
