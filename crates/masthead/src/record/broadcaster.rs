//! From recorders to sinks, logs and watchers.

use std::{fmt, future::pending, rc::Rc, time::Duration};

use k8s_openapi::api::core::v1::{Event, EventSource};

use super::{
    CorrelatorOptions, EventCorrelator, EventRecorder, Recording, Sink,
    counts::{Intake, LossHandler},
    delivery::Delivery,
    hub::{Hub, Limits},
    log_line,
};
use crate::{
    Error,
    runtime::{Runtime, Task},
    watch::{Broadcaster, Watcher, WhenFull},
};

/// Takes the events of recorders and hands them to any number of sinks, logs and watchers, which begin with the next event.
///
/// Dropping it shuts it down.
///
/// ```
/// use std::rc::Rc;
/// use k8s_openapi::api::core::v1::{EventSource, Pod};
/// use masthead::{Error, record::{self, ClientSink, EventBroadcaster, EventType}, rest::RestClient};
///
/// async fn tell(client: &RestClient, pod: &Pod) -> Result<(), Error> {
///     let broadcaster = EventBroadcaster::new(&client.config().runtime, Default::default());
///     let recording = broadcaster.start_recording_to_sink(Rc::new(ClientSink::new(client)))?;
///     let source = EventSource { component: Some("dashboard".into()), ..Default::default() };
///     let recorder = broadcaster.new_recorder(source);
///     let pod = record::reference(pod, &());
///     recorder.eventf(&pod, EventType::Normal, "Looked", format_args!("looked {} times", 2));
///     recording.flushed().await;
///     Ok(())
/// }
/// ```
pub struct EventBroadcaster {
    hub: Rc<Hub<Event>>,
    correlator: CorrelatorOptions,
}

/// How much a broadcaster holds, and how it writes. The defaults are client-go's.
#[derive(Clone)]
pub struct BroadcasterOptions {
    /// How many events may wait: before all, and for each sink and watcher. 1000.
    pub queue: usize,
    /// What happens when one of them has as many: it misses the next, or all wait for it. Recorders never wait: with nowhere
    /// to put an event, they drop it.
    pub when_full: WhenFull,
    /// How long a sink rests after a failed write: ten seconds.
    pub pause: Duration,
    /// How sinks turn many events into few writes.
    pub correlator: CorrelatorOptions,
    /// Told of every event that is lost.
    pub on_loss: Option<LossHandler>,
}

impl Default for BroadcasterOptions {
    fn default() -> BroadcasterOptions {
        BroadcasterOptions {
            queue: 1000,
            when_full: WhenFull::Drop,
            pause: Duration::from_secs(10),
            correlator: CorrelatorOptions::default(),
            on_loss: None,
        }
    }
}

impl fmt::Debug for BroadcasterOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BroadcasterOptions { queue, when_full, pause, correlator, on_loss: _ } = self;
        f.debug_struct("BroadcasterOptions")
            .field("queue", queue)
            .field("when_full", when_full)
            .field("pause", pause)
            .field("correlator", correlator)
            .finish_non_exhaustive()
    }
}

impl EventBroadcaster {
    /// A broadcaster that nobody listens to yet.
    pub fn new(runtime: &Runtime, options: BroadcasterOptions) -> EventBroadcaster {
        let BroadcasterOptions { queue, when_full, pause, correlator, on_loss } = options;
        let fan = Broadcaster::long_queue(queue, when_full);
        EventBroadcaster { hub: Hub::new(runtime, fan, Limits { queue, when_full, pause }, on_loss), correlator }
    }

    /// A recorder whose events say that they come from `source`.
    pub fn new_recorder(&self, source: EventSource) -> EventRecorder {
        EventRecorder::new(Rc::clone(&self.hub), source)
    }

    /// Begins to write events to `sink`, with a correlator of its own.
    ///
    /// A write that fails is tried twelve times in all, with [`pause`](BroadcasterOptions::pause) in between; one that the
    /// server refuses is not tried again. A change of an event that is gone creates it. No event waits for another, except
    /// for an earlier write of the same event: four are written at a time, and one that rests after a failure lets others
    /// pass. Of up to [`queue`](BroadcasterOptions::queue) different events on their way all are kept, each with the latest
    /// count; of more, those that come last are dropped or waited with, as [`when_full`](BroadcasterOptions::when_full) says.
    ///
    /// Fails once the broadcaster is shut down, as the other methods that begin something do.
    pub fn start_recording_to_sink(&self, sink: Rc<dyn Sink<Event>>) -> Result<Recording, Error> {
        let (mut correlator, runtime) = (EventCorrelator::new(self.correlator), self.hub.runtime().clone());
        let feed = move |event: &Event, delivery: &Delivery<Event>| match correlator.correlate(event, runtime.now()) {
            Some(write) => delivery.push(write),
            None => delivery.filter(),
        };
        self.hub.deliver(sink, feed, |_| pending())
    }

    /// Begins to log events as one line each.
    pub fn start_logging(&self, log: impl Fn(&str) + 'static) -> Result<Task, Error> {
        self.hub.watch_by(move |event| log(&log_line::line(event)))
    }

    /// Begins to log events as a message with named values.
    pub fn start_structured_logging(&self, log: impl Fn(&str, &[(&str, &str)]) + 'static) -> Result<Task, Error> {
        self.hub.watch_by(move |event| log_line::with_values(event, &log))
    }

    /// Begins to hand events to `handler`, which may call anything. Each is as it was recorded, before any correlation.
    pub fn start_event_watcher(&self, handler: impl FnMut(&Event) + 'static) -> Result<Task, Error> {
        self.hub.watch_by(handler)
    }

    /// The events from now on.
    pub fn watch(&self) -> Result<Watcher<Rc<Event>>, Error> {
        self.hub.watch()
    }

    /// Takes nothing more. What was taken is still handed out; a sink tries once to write what it has, and gives up what it
    /// tried before. Any further call changes nothing.
    pub fn shutdown(&self) {
        self.hub.shutdown();
    }

    /// What became of the events that recorders were given.
    pub fn intake(&self) -> Intake {
        self.hub.intake()
    }
}

impl Drop for EventBroadcaster {
    fn drop(&mut self) {
        self.hub.shutdown();
    }
}

impl fmt::Debug for EventBroadcaster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventBroadcaster").field("intake", &self.intake()).finish_non_exhaustive()
    }
}
