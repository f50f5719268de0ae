//! The shared half of the event broadcasters of `record` and `events`.
//!
//! [`BroadcasterCore`] takes events from recorders, hands them to watchers, and starts the writers of sinks. What is
//! written for an event is left to the two broadcasters: a correlator decides it in `record`, a series in `events`.

use std::{cell::Cell, pin::pin, rc::Rc, time::Duration};

use futures::{
    StreamExt,
    future::{join3, select},
};
use k8s_openapi::{api::core::v1::ObjectReference, jiff::Timestamp};
use kube_core::ObjectMeta;

use super::{
    EventKind, EventSink, LossCause, LostEvent, LostEventHandler, RecorderCounts, RecordingHandle,
    event_counts::EventCounter, sink::event_object_key, sink_writer::SinkWriter,
};
use crate::{
    Error,
    cache::notify::Notify,
    labels::is_subdomain,
    runtime::{Runtime, Task},
    watch::{Broadcaster, Watcher, WhenFull},
};

/// Takes events from recorders and hands them to watchers and sinks. Recorders and broadcaster share it.
pub(crate) struct BroadcasterCore<K> {
    broadcaster: Broadcaster<Rc<K>>,
    names: EventNames,
    runtime: Runtime,
    recorded: Rc<Cell<RecorderCounts>>,
    limits: SinkLimits,
    on_lost_event: Option<LostEventHandler>,
    is_shut_down: Cell<bool>,
    /// Wakes the sinks when `is_shut_down` becomes true.
    shut_down: Notify,
}

/// The bounds of each sink.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SinkLimits {
    /// How many events may wait.
    pub(crate) queue: usize,
    pub(crate) when_full: WhenFull,
    /// How long a failed write waits for its retry.
    pub(crate) pause: Duration,
}

impl<K: EventKind> BroadcasterCore<K> {
    pub(crate) fn new(
        runtime: &Runtime,
        broadcaster: Broadcaster<Rc<K>>,
        limits: SinkLimits,
        on_lost_event: Option<LostEventHandler>,
    ) -> Rc<BroadcasterCore<K>> {
        Rc::new(BroadcasterCore {
            broadcaster,
            names: EventNames::new(runtime),
            runtime: runtime.clone(),
            recorded: Rc::default(),
            limits,
            on_lost_event,
            is_shut_down: Cell::new(false),
            shut_down: Notify::default(),
        })
    }

    /// Queues an event, or drops, counts and reports it if the queue is full. Never waits.
    pub(crate) fn record(&self, event: K) {
        let (event, dropped_before) = (Rc::new(event), self.broadcaster.dropped());
        let queued = self.broadcaster.action_or_drop(Rc::clone(&event));
        let mut recorded = self.recorded.get();
        *(if matches!(queued, Ok(true)) { &mut recorded.accepted } else { &mut recorded.refused }) += 1;
        self.recorded.set(recorded);
        let cause = match queued {
            Err(_) => Some(LossCause::Stopped),
            // Either the common queue is full, or that of a watcher, which then missed this event.
            Ok(_) => (self.broadcaster.dropped() > dropped_before).then_some(LossCause::QueueFull),
        };
        if let (Some(cause), Some(handler)) = (cause, &self.on_lost_event) {
            handler(&LostEvent { event: event_object_key(&*event), cause });
        }
    }

    /// Returns metadata for a new event about `object`: a new name, and the object's namespace or `default`.
    pub(crate) fn event_metadata(&self, object: &ObjectReference) -> ObjectMeta {
        let namespace = object.namespace.as_deref().filter(|namespace| !namespace.is_empty());
        ObjectMeta {
            name: Some(self.names.generate(object.name.as_deref().unwrap_or_default())),
            namespace: Some(namespace.unwrap_or("default").to_owned()),
            ..ObjectMeta::default()
        }
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// Returns the wall-clock time, or 1970 if a timestamp cannot hold it.
    pub(crate) fn timestamp(&self) -> Timestamp {
        let nanoseconds = i128::try_from(self.runtime.wall().as_nanos()).ok();
        nanoseconds.and_then(|wall| Timestamp::from_nanosecond(wall).ok()).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    pub(crate) fn recorder_counts(&self) -> RecorderCounts {
        self.recorded.get()
    }

    pub(crate) fn watch(&self) -> Result<Watcher<Rc<K>>, Error> {
        self.broadcaster.watch()
    }

    /// Calls `handler` with every event, until the broadcaster is shut down or the task is dropped.
    pub(crate) fn start_event_watcher(&self, mut handler: impl FnMut(&K) + 'static) -> Result<Task, Error> {
        let mut watcher = self.watch()?;
        Ok(self.runtime.spawn(async move {
            while let Some(event) = watcher.next().await {
                handler(&event);
            }
        }))
    }

    /// Starts to write events to `sink`. `on_event` pushes the writes of each event; the future of `background`
    /// pushes further writes and is dropped after the last event.
    pub(crate) fn record_to_sink<R: Future<Output = ()> + 'static>(
        self: &Rc<Self>,
        sink: Rc<dyn EventSink<K>>,
        mut on_event: impl FnMut(&K, &SinkWriter<K>) + 'static,
        background: impl FnOnce(Rc<SinkWriter<K>>) -> R,
    ) -> Result<RecordingHandle, Error> {
        let mut watcher = self.watch()?;
        let SinkLimits { queue, when_full, pause } = self.limits;
        let counter = Rc::new(EventCounter::new(self.on_lost_event.clone()));
        let writer = Rc::new(SinkWriter::new(sink, &self.runtime, pause, queue, Rc::clone(&counter)));
        let background = background(Rc::clone(&writer));
        let (core, received) = (Rc::clone(self), Rc::clone(&counter));
        let task = self.runtime.spawn(async move {
            let mut missed = 0;
            let receive = async {
                loop {
                    if when_full == WhenFull::Wait {
                        writer.wait_for_room().await;
                    }
                    let Some(event) = watcher.next().await else { break };
                    let missed_before = std::mem::replace(&mut missed, watcher.dropped());
                    received.count_received(missed - missed_before);
                    on_event(&event, &writer);
                    received.changed.notify_all();
                }
            };
            let receive_then_drain = async {
                select(pin!(receive), pin!(background)).await;
                writer.drain();
            };
            let stop_retries_on_shutdown = async {
                core.shut_down.until(|| core.is_shut_down.get()).await;
                writer.shut_down();
            };
            join3(receive_then_drain, writer.run(), stop_retries_on_shutdown).await;
        });
        let accepted_before = self.recorder_counts().accepted;
        Ok(RecordingHandle { counter, recorded: Rc::clone(&self.recorded), accepted_before, task })
    }

    /// Accepts no more events. Accepted events are still handed out, and written if the first attempt succeeds.
    pub(crate) fn shutdown(&self) {
        self.broadcaster.shutdown();
        self.is_shut_down.set(true);
        self.shut_down.notify_all();
    }
}

/// Generates event names: no two events of a program share one.
#[derive(Debug)]
struct EventNames {
    runtime: Runtime,
    /// Is added to the time. A page's clock shows whole milliseconds, and another page may record at the same one: a random
    /// part of a millisecond keeps their names apart.
    offset: Duration,
    /// The time in the last name. Times in names rise, whatever the clock shows.
    last: Cell<u64>,
}

impl EventNames {
    fn new(runtime: &Runtime) -> EventNames {
        let offset = Duration::from_millis(1).mul_f64(runtime.random());
        EventNames { runtime: runtime.clone(), offset, last: Cell::new(0) }
    }

    fn generate(&self, object: &str) -> String {
        let wall = u64::try_from((self.runtime.wall() + self.offset).as_nanos()).unwrap_or(u64::MAX);
        let time = wall.max(self.last.get().saturating_add(1));
        self.last.set(time);
        event_name(object, time, || uuid(&self.runtime))
    }
}

/// Joins an object's name and a time to the name of an event; `uuid` replaces it where that is no valid name.
fn event_name(object: &str, nanoseconds: u64, uuid: impl FnOnce() -> String) -> String {
    let name = format!("{object}.{nanoseconds:x}");
    if is_subdomain(&name) { name } else { uuid() }
}

/// Returns a random UUID (version 4).
fn uuid(runtime: &Runtime) -> String {
    let mut bytes = [0u8; 16];
    bytes.fill_with(|| (runtime.random() * 256.0) as u8);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = |range: std::ops::Range<usize>| bytes[range].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    [hex(0..4), hex(4..6), hex(6..8), hex(8..10), hex(10..16)].join("-")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::runtime::VirtualTime;

    #[test]
    fn es_09_a_name_is_the_objects_and_the_time_or_a_uuid() {
        let never = || unreachable!("the name is valid");
        assert_eq!(event_name("test-pod", 105_999_103_295_324_396, never), "test-pod.178959f726d80ec");
        let names = EventNames::new(&VirtualTime::new().runtime());
        for invalid in ["Test_Pod", "a b", "", &"x".repeat(250)] {
            let name = names.generate(invalid);
            let parts: Vec<usize> = name.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{name}");
            assert!(name.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit()), "{name}");
            assert_eq!((name.as_bytes()[14], names.generate(invalid) == name), (b'4', false));
        }
    }

    #[test]
    fn names_differ_within_a_tick_of_the_clock_and_between_pages() {
        let pages = [1, 2].map(|seed| EventNames::new(&VirtualTime::seeded(seed).runtime()));
        let names: HashSet<String> = (0..200).map(|turn| pages[turn % 2].generate("pod")).collect();
        assert_eq!(names.len(), 200);
    }
}
