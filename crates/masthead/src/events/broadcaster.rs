//! From recorders to a sink, logs and watchers.

use std::{cell::RefCell, fmt, rc::Rc, time::Duration};

use k8s_openapi::{
    api::{core::v1::ObjectReference, events::v1::Event},
    apimachinery::pkg::apis::meta::v1::MicroTime,
};

use super::{EventRecorder, EventSeries};
use crate::{
    Error,
    cache::ObjectKey,
    record::{Delivery, Hub, Intake, Limits, LossHandler, Recording, Sink, text},
    runtime::{Instant, Runtime, Task},
    watch::{Broadcaster, Watcher, WhenFull},
};

/// Takes the events of recorders and hands them to a sink, logs and watchers, which begin with the next event.
///
/// Dropping it shuts it down.
pub struct EventBroadcaster {
    hub: Rc<Hub<Event>>,
    sink: Rc<dyn Sink<Event>>,
}

/// How much a broadcaster holds, and how it writes. The defaults are client-go's.
#[derive(Clone)]
pub struct BroadcasterOptions {
    /// How many events may wait for each sink and watcher: 1000. 25 more may wait before them.
    pub queue: usize,
    /// What happens when one of them has as many: it misses the next, or all wait for it.
    pub when_full: WhenFull,
    /// How long a sink rests after a failed write: ten seconds, and up to a quarter more.
    pub pause: Duration,
    /// Told of every event that is lost.
    pub on_loss: Option<LossHandler>,
}

impl Default for BroadcasterOptions {
    fn default() -> BroadcasterOptions {
        BroadcasterOptions { queue: 1000, when_full: WhenFull::Drop, pause: Duration::from_secs(10), on_loss: None }
    }
}

impl fmt::Debug for BroadcasterOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BroadcasterOptions { queue, when_full, pause, on_loss: _ } = self;
        let mut shown = f.debug_struct("BroadcasterOptions");
        shown.field("queue", queue).field("when_full", when_full).field("pause", pause).finish_non_exhaustive()
    }
}

impl EventBroadcaster {
    /// A broadcaster for `sink`, which it does not write to yet.
    pub fn new(runtime: &Runtime, sink: Rc<dyn Sink<Event>>, options: BroadcasterOptions) -> EventBroadcaster {
        let BroadcasterOptions { queue, when_full, pause, on_loss } = options;
        let fan = Broadcaster::new(queue, when_full);
        EventBroadcaster { hub: Hub::new(runtime, fan, Limits { queue, when_full, pause }, on_loss), sink }
    }

    /// A recorder of the events of `controller`, which runs on `host`.
    pub fn new_recorder(&self, controller: &str, host: &str) -> EventRecorder {
        EventRecorder::new(Rc::clone(&self.hub), controller, &format!("{controller}-{host}"))
    }

    /// Begins to write events to the sink: the first of equal ones as it comes, the second as the beginning of a series,
    /// and the count of a series every half hour and when it is over.
    ///
    /// Writes are tried, and wait for nothing, as in
    /// [`record`](crate::record::EventBroadcaster::start_recording_to_sink).
    pub fn start_recording_to_sink(&self) -> Result<Recording, Error> {
        let series = Rc::new(RefCell::new(EventSeries::default()));
        let (hub, observed) = (Rc::clone(&self.hub), Rc::clone(&series));
        let feed = move |event: &Event, delivery: &Delivery<Event>| {
            let (now, time) = (hub.runtime().now(), MicroTime(hub.timestamp()));
            let writes = observed.borrow_mut().observe(event, now, time);
            if writes.is_empty() {
                delivery.merge();
            }
            writes.into_iter().for_each(|write| delivery.push(write));
        };
        let runtime = self.hub.runtime().clone();
        self.hub.deliver(Rc::clone(&self.sink), feed, |delivery| rounds(runtime, series, delivery))
    }

    /// Begins to log events as a message with named values.
    pub fn start_structured_logging(&self, log: impl Fn(&str, &[(&str, &str)]) + 'static) -> Result<Task, Error> {
        self.hub.watch_by(move |event| log_values(event, &log))
    }

    /// Begins to hand events to `handler`, which may call anything. Each is as it was recorded, without a series.
    pub fn start_event_watcher(&self, handler: impl FnMut(&Event) + 'static) -> Result<Task, Error> {
        self.hub.watch_by(handler)
    }

    /// The events from now on.
    pub fn watch(&self) -> Result<Watcher<Rc<Event>>, Error> {
        self.hub.watch()
    }

    /// Takes nothing more. What was taken is still handed out, and written if the first attempt succeeds. Any further call
    /// changes nothing.
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

/// Writes the counts of series from time to time, and for the last time. By the clock: a page that slept does it once.
async fn rounds(runtime: Runtime, series: Rc<RefCell<EventSeries>>, delivery: Rc<Delivery<Event>>) {
    let began = runtime.now();
    let (mut refresh, mut finish) = (began + EventSeries::REFRESH, began + EventSeries::FINISH);
    loop {
        let next: Instant = refresh.min(finish);
        runtime.sleep(next.since(runtime.now())).await;
        let now = runtime.now();
        if now >= refresh {
            let writes = series.borrow().refresh();
            writes.into_iter().for_each(|write| delivery.push(write));
            refresh = now + EventSeries::REFRESH;
        }
        if now >= finish {
            let writes = series.borrow_mut().finish(now);
            writes.into_iter().for_each(|write| delivery.push(write));
            finish = now + EventSeries::FINISH;
        }
    }
}

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
