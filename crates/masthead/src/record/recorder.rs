//! What components hold to tell of what they do.

use std::{collections::BTreeMap, fmt, rc::Rc};

use k8s_openapi::{
    api::core::v1::{Event, EventSource, ObjectReference},
    apimachinery::pkg::apis::meta::v1::Time,
};
use kube_core::ObjectMeta;

use super::{EventType, hub::Hub};

/// Records events of one source. Cheap to clone.
///
/// Recording never waits and never fails: an event for which there is no room is dropped, counted, and told to
/// [`on_loss`](super::BroadcasterOptions::on_loss). An event lies in the namespace of its object, or in `default`.
///
/// A reason is short, unique and written in UpperCamelCase, so that a program can read it; the message is for people.
#[derive(Clone)]
pub struct EventRecorder {
    hub: Rc<Hub<Event>>,
    source: EventSource,
}

impl EventRecorder {
    pub(super) fn new(hub: Rc<Hub<Event>>, source: EventSource) -> EventRecorder {
        EventRecorder { hub, source }
    }

    /// Records that something happened to `object` now; see [`reference`](fn@super::reference).
    pub fn event(&self, object: &ObjectReference, kind: EventType, reason: &str, message: &str) {
        self.hub.record(self.made(object, kind, reason, message.to_owned()));
    }

    /// As [`event`](Self::event), with a message of [`format_args!`].
    pub fn eventf(&self, object: &ObjectReference, kind: EventType, reason: &str, message: fmt::Arguments<'_>) {
        self.hub.record(self.made(object, kind, reason, message.to_string()));
    }

    /// As [`eventf`](Self::eventf), with annotations on the event.
    #[expect(clippy::too_many_arguments, reason = "those of client-go")]
    pub fn annotated_eventf(
        &self,
        object: &ObjectReference,
        annotations: BTreeMap<String, String>,
        kind: EventType,
        reason: &str,
        message: fmt::Arguments<'_>,
    ) {
        let mut event = self.made(object, kind, reason, message.to_string());
        event.metadata.annotations = Some(annotations).filter(|annotations| !annotations.is_empty());
        self.hub.record(event);
    }

    /// As [`eventf`](Self::eventf), for something that happened at `time`.
    #[expect(clippy::too_many_arguments, reason = "those of client-go")]
    pub fn past_eventf(
        &self,
        object: &ObjectReference,
        time: Time,
        kind: EventType,
        reason: &str,
        message: fmt::Arguments<'_>,
    ) {
        let mut event = self.made(object, kind, reason, message.to_string());
        (event.first_timestamp, event.last_timestamp) = (Some(time.clone()), Some(time));
        self.hub.record(event);
    }

    fn made(&self, object: &ObjectReference, kind: EventType, reason: &str, message: String) -> Event {
        let now = Some(Time(self.hub.timestamp()));
        let namespace = object.namespace.as_deref().filter(|namespace| !namespace.is_empty());
        Event {
            metadata: ObjectMeta {
                name: Some(self.hub.name(object.name.as_deref().unwrap_or_default())),
                namespace: Some(namespace.unwrap_or("default").to_owned()),
                ..ObjectMeta::default()
            },
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
