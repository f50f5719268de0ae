//! Recorders of `core/v1` events: the one that components hold, and a fake for their tests.

use std::{cell::RefCell, collections::BTreeMap, fmt, rc::Rc, str::FromStr};

use futures::{FutureExt, StreamExt};
use k8s_openapi::{
    api::core::v1::{Event, EventSource, ObjectReference},
    apimachinery::pkg::apis::meta::v1::Time,
};
use kube_core::Resource;

use super::{BroadcasterOptions, EventBroadcaster, broadcaster_core::BroadcasterCore, correlator::text};
use crate::{Error, runtime::VirtualTime, watch::Watcher};

/// Records events of one source. Cheap to clone.
///
/// Recording never waits and never fails: an event that finds the queue full is dropped, counted, and reported to
/// [`on_lost_event`](super::BroadcasterOptions::on_lost_event). An event is created in the namespace of its object, or in
/// `default`.
///
/// A reason is short, unique and in UpperCamelCase, for programs to match; the message is for people.
#[derive(Clone)]
pub struct EventRecorder {
    core: Rc<BroadcasterCore<Event>>,
    source: EventSource,
}

impl EventRecorder {
    pub(super) fn new(core: Rc<BroadcasterCore<Event>>, source: EventSource) -> EventRecorder {
        EventRecorder { core, source }
    }

    /// Records an event about `object` that happened now; [`reference`](fn@super::reference) makes the reference.
    pub fn event(&self, object: &ObjectReference, kind: EventType, reason: &str, message: &str) {
        self.core.record(self.make_event(object, kind, reason, message.to_owned()));
    }

    /// Records an event like [`event`](Self::event), with a message of [`format_args!`].
    pub fn eventf(&self, object: &ObjectReference, kind: EventType, reason: &str, message: fmt::Arguments<'_>) {
        self.core.record(self.make_event(object, kind, reason, message.to_string()));
    }

    /// Records an event like [`eventf`](Self::eventf), with annotations.
    #[expect(clippy::too_many_arguments, reason = "those of client-go")]
    pub fn annotated_eventf(
        &self,
        object: &ObjectReference,
        annotations: BTreeMap<String, String>,
        kind: EventType,
        reason: &str,
        message: fmt::Arguments<'_>,
    ) {
        let mut event = self.make_event(object, kind, reason, message.to_string());
        event.metadata.annotations = Some(annotations).filter(|annotations| !annotations.is_empty());
        self.core.record(event);
    }

    /// Records an event like [`eventf`](Self::eventf) that happened at `time`.
    #[expect(clippy::too_many_arguments, reason = "those of client-go")]
    pub fn past_eventf(
        &self,
        object: &ObjectReference,
        time: Time,
        kind: EventType,
        reason: &str,
        message: fmt::Arguments<'_>,
    ) {
        let mut event = self.make_event(object, kind, reason, message.to_string());
        (event.first_timestamp, event.last_timestamp) = (Some(time.clone()), Some(time));
        self.core.record(event);
    }

    fn make_event(&self, object: &ObjectReference, kind: EventType, reason: &str, message: String) -> Event {
        let now = Some(Time(self.core.timestamp()));
        Event {
            metadata: self.core.event_metadata(object),
            involved_object: object.clone(),
            reason: Some(reason.to_owned()),
            message: Some(message),
            first_timestamp: now.clone(),
            last_timestamp: now,
            count: Some(1),
            type_: Some(kind.to_string()),
            source: Some(self.source.clone()),
            reporting_component: self.source.component.clone(),
            reporting_instance: self.source.host.clone(),
            ..Event::default()
        }
    }
}

impl fmt::Debug for EventRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRecorder").field("source", &self.source).finish_non_exhaustive()
    }
}

/// The type of an event. The API has these two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventType {
    /// Information that needs no action.
    Normal,
    /// Something that may need attention.
    Warning,
}

impl EventType {
    /// The type as the API spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            EventType::Normal => "Normal",
            EventType::Warning => "Warning",
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for EventType {
    type Err = Error;

    fn from_str(text: &str) -> Result<EventType, Error> {
        match text {
            "Normal" => Ok(EventType::Normal),
            "Warning" => Ok(EventType::Warning),
            other => Err(Error::invalid("parse event type", format!("Unsupported event type: {other:?}"))),
        }
    }
}

/// Returns the reference to `object` for events about it: kind, name, UID and resource version.
///
/// `kind` is `&()` for objects whose kind is a Rust type.
pub fn reference<K: Resource>(object: &K, kind: &K::DynamicType) -> ObjectReference {
    ObjectReference { resource_version: object.meta().resource_version.clone(), ..object.object_ref(kind) }
}

/// Keeps the events of its recorders as lines: `Normal Started pulled the image`.
///
/// ```
/// use masthead::record::{EventType, FakeRecorder};
///
/// let fake = FakeRecorder::new(10);
/// fake.recorder().event(&Default::default(), EventType::Warning, "Failed", "no such image");
/// assert_eq!(fake.lines(), ["Warning Failed no such image"]);
/// ```
pub struct FakeRecorder {
    broadcaster: EventBroadcaster,
    watcher: RefCell<Watcher<Rc<Event>>>,
    /// Whether a line also names kind and API version of the event's object.
    pub include_object: bool,
}

impl FakeRecorder {
    /// A fake that holds up to `size` events; it drops and counts further ones.
    pub fn new(size: usize) -> FakeRecorder {
        let options = BroadcasterOptions { queue: size, ..BroadcasterOptions::default() };
        let broadcaster = EventBroadcaster::new(&VirtualTime::new().runtime(), options);
        let watcher = broadcaster.watch().expect("a new broadcaster is not shut down");
        FakeRecorder { broadcaster, watcher: RefCell::new(watcher), include_object: false }
    }

    /// Returns a recorder for the code under test.
    pub fn recorder(&self) -> EventRecorder {
        self.broadcaster.new_recorder(EventSource::default())
    }

    /// Returns the events since the last call.
    pub fn events(&self) -> Vec<Rc<Event>> {
        let mut watcher = self.watcher.borrow_mut();
        std::iter::from_fn(|| watcher.next().now_or_never().flatten()).collect()
    }

    /// Returns the events since the last call as lines.
    pub fn lines(&self) -> Vec<String> {
        self.events().iter().map(|event| self.line(event)).collect()
    }

    /// Returns how many events were dropped.
    pub fn dropped(&self) -> u64 {
        self.watcher.borrow().dropped()
    }

    fn line(&self, event: &Event) -> String {
        let mut line = format!("{} {} {}", text(&event.type_), text(&event.reason), text(&event.message));
        let object = &event.involved_object;
        if self.include_object {
            let (kind, version) = (text(&object.kind), text(&object.api_version));
            line += &format!(" involvedObject{{kind={kind},apiVersion={version}}}");
        }
        if let Some(annotations) = event.metadata.annotations.as_ref() {
            let pairs: Vec<String> = annotations.iter().map(|(key, value)| format!("{key}:{value}")).collect();
            line += &format!(" map[{}]", pairs.join(" "));
        }
        line
    }
}

impl fmt::Debug for FakeRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeRecorder").field("recorded", &self.broadcaster.recorder_counts()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use k8s_openapi::api::core::v1::ObjectReference;

    use super::{EventType, FakeRecorder};

    #[test]
    fn there_are_two() {
        for known in [EventType::Normal, EventType::Warning] {
            assert_eq!(known.to_string().parse::<EventType>().unwrap(), known);
        }
        for wrong in ["normal", "", "Error"] {
            let error = wrong.parse::<EventType>().unwrap_err();
            assert_eq!(error.to_string(), format!("parse event type: Unsupported event type: {wrong:?}"));
        }
    }

    #[test]
    fn keeps_what_was_recorded_and_drops_what_is_too_much() {
        let mut fake = FakeRecorder::new(3);
        fake.include_object = true;
        let recorder = fake.recorder();
        let pod =
            ObjectReference { kind: Some("Pod".into()), api_version: Some("v1".into()), ..ObjectReference::default() };
        let annotations = BTreeMap::from([("a".into(), "1".into()), ("b".into(), "2".into())]);
        recorder.event(&pod, EventType::Normal, "Started", "100% done");
        recorder.annotated_eventf(&pod, annotations, EventType::Warning, "Failed", format_args!("{} times", 2));
        assert_eq!(
            fake.lines(),
            [
                "Normal Started 100% done involvedObject{kind=Pod,apiVersion=v1}",
                "Warning Failed 2 times involvedObject{kind=Pod,apiVersion=v1} map[a:1 b:2]",
            ]
        );
        for _ in 0..5 {
            recorder.event(&pod, EventType::Normal, "Again", "");
        }
        assert_eq!((fake.lines().len(), fake.dropped()), (3, 2));
    }
}
