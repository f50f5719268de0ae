//! What components hold to tell of what they do.

use std::{fmt, rc::Rc};

use k8s_openapi::{
    api::{core::v1::ObjectReference, events::v1::Event},
    apimachinery::pkg::apis::meta::v1::MicroTime,
};
use kube_core::ObjectMeta;

use crate::record::{EventType, Hub};

/// Records events of one controller. Cheap to clone. Recording never waits and never fails, as in
/// [`record`](crate::record::EventRecorder).
#[derive(Clone)]
pub struct EventRecorder {
    hub: Rc<Hub<Event>>,
    controller: String,
    instance: String,
}

impl EventRecorder {
    pub(super) fn new(hub: Rc<Hub<Event>>, controller: &str, instance: &str) -> EventRecorder {
        EventRecorder { hub, controller: controller.to_owned(), instance: instance.to_owned() }
    }

    /// Records that `action` was taken on `regarding`, for `reason`; `related` is another object that had a part in it. See
    /// [`reference`](fn@crate::record::reference).
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
        let namespace = regarding.namespace.as_deref().filter(|namespace| !namespace.is_empty());
        self.hub.record(Event {
            metadata: ObjectMeta {
                name: Some(self.hub.name(regarding.name.as_deref().unwrap_or_default())),
                namespace: Some(namespace.unwrap_or("default").to_owned()),
                ..ObjectMeta::default()
            },
            event_time: Some(MicroTime(self.hub.timestamp())),
            reporting_controller: Some(self.controller.clone()),
            reporting_instance: Some(self.instance.clone()),
            action: Some(action.to_owned()),
            reason: Some(reason.to_owned()),
            regarding: Some(regarding.clone()),
            related: related.cloned(),
            note: Some(note.to_string()),
            type_: Some(kind.to_string()),
            ..Event::default()
        });
    }
}

impl fmt::Debug for EventRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRecorder").field("controller", &self.controller).finish_non_exhaustive()
    }
}
