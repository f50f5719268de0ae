//! The broadcaster of `core/v1` events: from recorders to sinks, logs and watchers.

use std::{fmt, future::pending, rc::Rc, time::Duration};

use k8s_openapi::api::core::v1::{Event, EventSource};

use super::{
    CorrelatorOptions, EventCorrelator, EventRecorder, EventSink, LostEventHandler, RecorderCounts, RecordingHandle,
    broadcaster_core::{BroadcasterCore, SinkLimits},
    correlator::text,
    sink_writer::SinkWriter,
};
use crate::{
    Error,
    cache::ObjectKey,
    runtime::{Runtime, Task},
    watch::{Broadcaster, Watcher, WhenFull},
};

/// Takes the events of recorders and hands them to any number of sinks, logs and watchers. Each of those starts with the
/// next event.
///
/// Dropping the broadcaster shuts it down.
///
/// ```
/// use std::rc::Rc;
/// use k8s_openapi::api::core::v1::{EventSource, Pod};
/// use masthead::{Error, record::{self, ClientSink, EventBroadcaster, EventType}, rest::RestClient};
///
/// async fn record_view(client: &RestClient, pod: &Pod) -> Result<(), Error> {
///     let broadcaster = EventBroadcaster::new(&client.config().runtime, Default::default());
///     let recording = broadcaster.start_recording_to_sink(Rc::new(ClientSink::new(client)))?;
///     let source = EventSource { component: Some("dashboard".into()), ..Default::default() };
///     let recorder = broadcaster.new_recorder(source);
///     let pod = record::reference(pod, &());
///     recorder.eventf(&pod, EventType::Normal, "Viewed", format_args!("viewed {} times", 2));
///     recording.flushed().await;
///     Ok(())
/// }
/// ```
pub struct EventBroadcaster {
    core: Rc<BroadcasterCore<Event>>,
    correlator: CorrelatorOptions,
}

/// The queue and retry settings of an [`EventBroadcaster`]. The defaults are client-go's.
#[derive(Clone)]
pub struct BroadcasterOptions {
    /// How many events may wait in each queue: the common one, and that of each sink and watcher. 1000.
    pub queue: usize,
    /// What happens when the queue of a sink or watcher is full: it misses the next event, or all wait for it. Recorders
    /// never wait: they drop an event when the common queue is full.
    pub when_full: WhenFull,
    /// How long a failed write waits for its retry: ten seconds.
    pub pause: Duration,
    /// The options of each sink's correlator.
    pub correlator: CorrelatorOptions,
    /// Is called for every lost event.
    pub on_lost_event: Option<LostEventHandler>,
}

impl Default for BroadcasterOptions {
    fn default() -> BroadcasterOptions {
        BroadcasterOptions {
            queue: 1000,
            when_full: WhenFull::Drop,
            pause: Duration::from_secs(10),
            correlator: CorrelatorOptions::default(),
            on_lost_event: None,
        }
    }
}

impl fmt::Debug for BroadcasterOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BroadcasterOptions { queue, when_full, pause, correlator, on_lost_event: _ } = self;
        f.debug_struct("BroadcasterOptions")
            .field("queue", queue)
            .field("when_full", when_full)
            .field("pause", pause)
            .field("correlator", correlator)
            .finish_non_exhaustive()
    }
}

impl EventBroadcaster {
    /// A broadcaster without sinks and watchers.
    pub fn new(runtime: &Runtime, options: BroadcasterOptions) -> EventBroadcaster {
        let BroadcasterOptions { queue, when_full, pause, correlator, on_lost_event } = options;
        let broadcaster = Broadcaster::long_queue(queue, when_full);
        let limits = SinkLimits { queue, when_full, pause };
        EventBroadcaster { core: BroadcasterCore::new(runtime, broadcaster, limits, on_lost_event), correlator }
    }

    /// Returns a recorder of events with this source.
    pub fn new_recorder(&self, source: EventSource) -> EventRecorder {
        EventRecorder::new(Rc::clone(&self.core), source)
    }

    /// Starts to write events to `sink`, with a correlator of its own.
    ///
    /// A failed write is tried twelve times in all, with [`pause`](BroadcasterOptions::pause) in between. A write that the
    /// server refuses is not retried. A patch of an event that does not exist creates it.
    ///
    /// Up to four events are written at a time. The writes of one event stay in order, and an event that waits for a
    /// retry lets the others pass. At most [`queue`](BroadcasterOptions::queue) different events are queued, each with its
    /// latest count; [`when_full`](BroadcasterOptions::when_full) says whether further events are dropped or wait.
    ///
    /// Fails after a shutdown, like all other methods that start something.
    pub fn start_recording_to_sink(&self, sink: Rc<dyn EventSink<Event>>) -> Result<RecordingHandle, Error> {
        let (mut correlator, runtime) = (EventCorrelator::new(self.correlator), self.core.runtime().clone());
        let on_event = move |event: &Event, writer: &SinkWriter<Event>| match correlator.correlate(event, runtime.now())
        {
            Some(write) => writer.push(write),
            None => writer.count_filtered(),
        };
        self.core.record_to_sink(sink, on_event, |_| pending())
    }

    /// Starts to log each event as one line, in client-go's format.
    pub fn start_logging(&self, log: impl Fn(&str) + 'static) -> Result<Task, Error> {
        self.core.start_event_watcher(move |event| log(&log_line(event)))
    }

    /// Starts to log each event as a message with named values.
    pub fn start_structured_logging(&self, log: impl Fn(&str, &[(&str, &str)]) + 'static) -> Result<Task, Error> {
        self.core.start_event_watcher(move |event| log_values(event, &log))
    }

    /// Starts to call `handler` with each event as it was recorded, before correlation. The handler may record events.
    pub fn start_event_watcher(&self, handler: impl FnMut(&Event) + 'static) -> Result<Task, Error> {
        self.core.start_event_watcher(handler)
    }

    /// Returns a stream of all events from now on.
    pub fn watch(&self) -> Result<Watcher<Rc<Event>>, Error> {
        self.core.watch()
    }

    /// Accepts no more events. Accepted events are still handed out; sinks try to write each queued event once, and give
    /// up those that wait for a retry. Further calls do nothing.
    pub fn shutdown(&self) {
        self.core.shutdown();
    }

    /// Returns how many events the recorders recorded and lost.
    pub fn recorder_counts(&self) -> RecorderCounts {
        self.core.recorder_counts()
    }
}

impl Drop for EventBroadcaster {
    fn drop(&mut self) {
        self.core.shutdown();
    }
}

impl fmt::Debug for EventBroadcaster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventBroadcaster").field("recorded", &self.recorder_counts()).finish_non_exhaustive()
    }
}

/// Formats an event as client-go's `StartLogging` does.
fn log_line(event: &Event) -> String {
    let object = &event.involved_object;
    format!(
        "Event(v1.ObjectReference{{Kind:{:?}, Namespace:{:?}, Name:{:?}, UID:{:?}, APIVersion:{:?}, ResourceVersion:{:?}, \
         FieldPath:{:?}}}): type: '{}' reason: '{}' {}",
        text(&object.kind),
        text(&object.namespace),
        text(&object.name),
        text(&object.uid),
        text(&object.api_version),
        text(&object.resource_version),
        text(&object.field_path),
        text(&event.type_),
        text(&event.reason),
        text(&event.message),
    )
}

/// Logs an event as client-go's `StartStructuredLogging` does.
fn log_values(event: &Event, log: &impl Fn(&str, &[(&str, &str)])) {
    let object = &event.involved_object;
    let key = ObjectKey::new(text(&object.namespace), text(&object.name));
    let values = [
        ("object", key.as_str()),
        ("fieldPath", text(&object.field_path)),
        ("kind", text(&object.kind)),
        ("apiVersion", text(&object.api_version)),
        ("type", text(&event.type_)),
        ("reason", text(&event.reason)),
        ("message", text(&event.message)),
    ];
    log("Event occurred", &values);
}
