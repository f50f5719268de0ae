//! The broadcaster of `events.k8s.io/v1` events, and an adapter for servers that may not have that API.

use std::{cell::RefCell, fmt, rc::Rc, time::Duration};

use k8s_openapi::{
    api::{
        core::v1::{EventSource, ObjectReference},
        events::v1::Event,
    },
    apimachinery::pkg::apis::meta::v1::MicroTime,
};
use kube_core::GroupVersion;

use super::{EventCache, EventRecorder};
use crate::{
    Error,
    cache::ObjectKey,
    discovery::DiscoveryClient,
    record::{
        self, BroadcasterCore, ClientSink, EventSink, EventType, LostEventHandler, RecorderCounts, RecordingHandle,
        SinkLimits, SinkWriter, text,
    },
    rest::RestClient,
    runtime::{Runtime, Task},
    watch::{Broadcaster, Watcher, WhenFull},
};

/// Takes the events of recorders and hands them to a sink, logs and watchers. Each of those starts with the next event.
///
/// Dropping the broadcaster shuts it down.
///
/// ```
/// use std::rc::Rc;
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{Error, events::EventBroadcaster, record::{self, ClientSink, EventType}, rest::RestClient};
///
/// async fn record_restart(client: &RestClient, pod: &Pod) -> Result<(), Error> {
///     let sink = Rc::new(ClientSink::new(client));
///     let broadcaster = EventBroadcaster::new(&client.config().runtime, sink, Default::default());
///     let recording = broadcaster.start_recording_to_sink()?;
///     let recorder = broadcaster.new_recorder("dashboard", "page");
///     let pod = record::reference(pod, &());
///     recorder.eventf(&pod, None, EventType::Normal, "Requested", "Restarting", format_args!("by a click"));
///     recording.flushed().await;
///     Ok(())
/// }
/// ```
pub struct EventBroadcaster {
    core: Rc<BroadcasterCore<Event>>,
    sink: Rc<dyn EventSink<Event>>,
}

/// The queue and retry settings of an [`EventBroadcaster`]. The defaults are client-go's.
#[derive(Clone)]
pub struct BroadcasterOptions {
    /// How many events may wait for each sink and watcher: 1000. The common queue before them holds 25 more.
    pub queue: usize,
    /// What happens when the queue of a sink or watcher is full: it misses the next event, or all wait for it.
    pub when_full: WhenFull,
    /// How long a failed write waits for its retry: ten seconds, and up to a quarter more.
    pub pause: Duration,
    /// Is called for every lost event.
    pub on_lost_event: Option<LostEventHandler>,
}

impl Default for BroadcasterOptions {
    fn default() -> BroadcasterOptions {
        let pause = Duration::from_secs(10);
        BroadcasterOptions { queue: 1000, when_full: WhenFull::Drop, pause, on_lost_event: None }
    }
}

impl fmt::Debug for BroadcasterOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BroadcasterOptions { queue, when_full, pause, on_lost_event: _ } = self;
        let mut shown = f.debug_struct("BroadcasterOptions");
        shown.field("queue", queue).field("when_full", when_full).field("pause", pause).finish_non_exhaustive()
    }
}

impl EventBroadcaster {
    /// A broadcaster for `sink`. It writes nothing before [`start_recording_to_sink`](Self::start_recording_to_sink).
    pub fn new(runtime: &Runtime, sink: Rc<dyn EventSink<Event>>, options: BroadcasterOptions) -> EventBroadcaster {
        let BroadcasterOptions { queue, when_full, pause, on_lost_event } = options;
        let broadcaster = Broadcaster::new(queue, when_full);
        let limits = SinkLimits { queue, when_full, pause };
        EventBroadcaster { core: BroadcasterCore::new(runtime, broadcaster, limits, on_lost_event), sink }
    }

    /// Returns a recorder of the events of `controller`, which runs on `host`.
    pub fn new_recorder(&self, controller: &str, host: &str) -> EventRecorder {
        EventRecorder::new(Rc::clone(&self.core), controller, &format!("{controller}-{host}"))
    }

    /// Starts to write events to the sink.
    ///
    /// The first of equal events is created at once, and the second turns it into a series. The count of a series is
    /// written every half hour and when it is finished. Writes are queued and retried as
    /// [in `record`](crate::record::EventBroadcaster::start_recording_to_sink).
    pub fn start_recording_to_sink(&self) -> Result<RecordingHandle, Error> {
        let cache = Rc::new(RefCell::new(EventCache::default()));
        let (core, observed) = (Rc::clone(&self.core), Rc::clone(&cache));
        let on_event = move |event: &Event, writer: &SinkWriter<Event>| {
            let (now, time) = (core.runtime().now(), MicroTime(core.timestamp()));
            let writes = observed.borrow_mut().observe(event, now, time);
            if writes.is_empty() {
                writer.count_merged();
            }
            writes.into_iter().for_each(|write| writer.push(write));
        };
        let runtime = self.core.runtime().clone();
        self.core.record_to_sink(Rc::clone(&self.sink), on_event, |writer| write_series(runtime, cache, writer))
    }

    /// Starts to log each event as a message with named values.
    pub fn start_structured_logging(&self, log: impl Fn(&str, &[(&str, &str)]) + 'static) -> Result<Task, Error> {
        self.core.start_event_watcher(move |event| log_values(event, &log))
    }

    /// Starts to call `handler` with each event as it was recorded, without a series. The handler may record events.
    pub fn start_event_watcher(&self, handler: impl FnMut(&Event) + 'static) -> Result<Task, Error> {
        self.core.start_event_watcher(handler)
    }

    /// Returns a stream of all events from now on.
    pub fn watch(&self) -> Result<Watcher<Rc<Event>>, Error> {
        self.core.watch()
    }

    /// Accepts no more events. Accepted events are still handed out, and written if the first attempt succeeds. Further
    /// calls do nothing.
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

/// Writes the counts of all series from time to time, and the last count of those that are finished. Never ends.
///
/// The next time is counted from the last write, so that a page that slept through several of them writes once.
async fn write_series(runtime: Runtime, cache: Rc<RefCell<EventCache>>, writer: Rc<SinkWriter<Event>>) {
    let start = runtime.now();
    let (mut refresh_at, mut finish_at) = (start + EventCache::REFRESH_TIME, start + EventCache::FINISH_TIME);
    loop {
        runtime.sleep(refresh_at.min(finish_at).since(runtime.now())).await;
        let now = runtime.now();
        if now >= refresh_at {
            let writes = cache.borrow().refresh_series();
            writes.into_iter().for_each(|write| writer.push(write));
            refresh_at = now + EventCache::REFRESH_TIME;
        }
        if now >= finish_at {
            let writes = cache.borrow_mut().finish_series(now);
            writes.into_iter().for_each(|write| writer.push(write));
            finish_at = now + EventCache::FINISH_TIME;
        }
    }
}

/// Logs an event as client-go's `StartStructuredLogging` does.
fn log_values(event: &Event, log: &impl Fn(&str, &[(&str, &str)])) {
    let none = ObjectReference::default();
    let object = event.regarding.as_ref().unwrap_or(&none);
    let key = ObjectKey::new(text(&object.namespace), text(&object.name));
    let values = [
        ("object", key.as_str()),
        ("kind", text(&object.kind)),
        ("apiVersion", text(&object.api_version)),
        ("type", text(&event.type_)),
        ("reason", text(&event.reason)),
        ("action", text(&event.action)),
        ("note", text(&event.note)),
    ];
    log("Event occurred", &values);
}

/// Broadcasts events of the newest event API that a server has.
#[derive(Debug)]
pub struct EventBroadcasterAdapter {
    client: RestClient,
    core: record::EventBroadcaster,
    /// `None` if the server does not have `events.k8s.io/v1`.
    events: Option<EventBroadcaster>,
}

/// A recorder of either event API.
#[derive(Clone, Debug)]
pub enum AnyRecorder {
    /// Records events of `events.k8s.io/v1`.
    Events(EventRecorder),
    /// Records events of `core/v1`, without action and related object.
    Core(record::EventRecorder),
}

/// The handles of an adapter's broadcasters. Dropping one stops writing the events of its API.
#[must_use = "stops writing when dropped"]
#[derive(Debug)]
pub struct RecordingHandles {
    /// Writes events of `core/v1`.
    pub core: RecordingHandle,
    /// Writes events of `events.k8s.io/v1`, if the server has them.
    pub events: Option<RecordingHandle>,
}

impl EventBroadcasterAdapter {
    /// Asks the server whether it has `events.k8s.io/v1`. If the request fails, the adapter uses `core/v1`.
    pub async fn new(client: &RestClient) -> EventBroadcasterAdapter {
        let runtime = &client.config().runtime;
        let version = GroupVersion::gv("events.k8s.io", "v1");
        let found = DiscoveryClient::over(client.clone()).server_resources_for_group_version(&version).await;
        let events = found.is_ok().then(|| {
            let sink = Rc::new(ClientSink::new(client));
            EventBroadcaster::new(runtime, sink, Default::default())
        });
        let core = record::EventBroadcaster::new(runtime, Default::default());
        EventBroadcasterAdapter { client: client.clone(), core, events }
    }

    /// Starts to write events to the server.
    pub fn start_recording_to_sink(&self) -> Result<RecordingHandles, Error> {
        let events = self.events.as_ref().map(EventBroadcaster::start_recording_to_sink).transpose()?;
        let core = self.core.start_recording_to_sink(Rc::new(ClientSink::new(&self.client)))?;
        Ok(RecordingHandles { core, events })
    }

    /// Returns a recorder of the events of `controller`, which runs on `host`.
    pub fn new_recorder(&self, controller: &str, host: &str) -> AnyRecorder {
        match &self.events {
            Some(events) => AnyRecorder::Events(events.new_recorder(controller, host)),
            None => AnyRecorder::Core(self.new_core_recorder(controller)),
        }
    }

    /// Returns a recorder of `core/v1` events, whatever the server has.
    pub fn new_core_recorder(&self, component: &str) -> record::EventRecorder {
        self.core.new_recorder(EventSource { component: Some(component.to_owned()), ..EventSource::default() })
    }

    /// Shuts down the broadcasters of both APIs.
    pub fn shutdown(&self) {
        self.core.shutdown();
        if let Some(events) = &self.events {
            events.shutdown();
        }
    }
}

impl AnyRecorder {
    /// Records an event like [`EventRecorder::eventf`]. `core/v1` leaves out `related` and `action`.
    #[expect(clippy::too_many_arguments, reason = "those of client-go")]
    pub fn eventf(
        &self,
        regarding: &ObjectReference,
        related: Option<&ObjectReference>,
        kind: EventType,
        reason: &str,
        action: &str,
        note: fmt::Arguments<'_>,
    ) {
        match self {
            AnyRecorder::Events(recorder) => recorder.eventf(regarding, related, kind, reason, action, note),
            AnyRecorder::Core(recorder) => recorder.eventf(regarding, kind, reason, note),
        }
    }
}
