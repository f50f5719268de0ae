//! What events can do beyond their verbs: be found by what they are about, and go to the namespace they name.

use k8s_openapi::api::core::v1::{Event, ObjectReference};
use serde::Serialize;

use super::EventClient;
use crate::{Error, fields::Selector, rest::List, typed::Client};

impl EventClient {
    /// All events about an object; `kube_core::Resource::object_ref` makes a reference of one.
    #[inline]
    pub fn search(&self, object: &ObjectReference) -> impl Future<Output = Result<List<Event>, Error>> {
        self.client.search(object)
    }

    /// What selects the events about an object, for lists and watches of one's own.
    #[inline]
    pub fn field_selector(object: &ObjectReference) -> Selector {
        Client::<Event>::field_selector(object)
    }

    /// Creates the event in the namespace that it names itself.
    #[inline]
    pub fn create_with_event_namespace(&self, event: &Event) -> impl Future<Output = Result<Event, Error>> {
        self.client.create_with_event_namespace(event)
    }

    /// Replaces the event in the namespace that it names itself.
    #[inline]
    pub fn update_with_event_namespace(&self, event: &Event) -> impl Future<Output = Result<Event, Error>> {
        self.client.update_with_event_namespace(event)
    }

    /// Changes the event by a strategic merge, in the namespace that it names itself.
    #[inline]
    pub fn patch_with_event_namespace(
        &self,
        event: &Event,
        body: &impl Serialize,
    ) -> impl Future<Output = Result<Event, Error>> {
        self.client.patch_with_event_namespace(event, body)
    }
}
