//! What only events can do: be found by what they are about, and go to the namespace they name.

use k8s_openapi::api::core::v1::{Event, ObjectReference};
use serde::Serialize;

use crate::{
    Error,
    fields::{Operator, Requirement, Selector},
    rest::{CreateOptions, List, ListOptions, PatchKind, PatchOptions, UpdateOptions},
    typed::Client,
};

impl Client<Event> {
    /// All events about an object; `kube_core::Resource::object_ref` makes a reference of one.
    ///
    /// The reference's name and namespace must fit; its kind and uid only where it has them. A client of one namespace
    /// finds nothing about objects of another, and says so.
    pub async fn search(&self, object: &ObjectReference) -> Result<List<Event>, Error> {
        let namespace = object.namespace.as_deref().unwrap_or_default();
        self.check_namespace("search events", namespace)?;
        let field_selector = Client::<Event>::field_selector(object).to_string();
        self.list(&ListOptions { field_selector, ..ListOptions::default() }).await
    }

    /// What selects the events about an object, for lists and watches of one's own. What the reference lacks is not asked.
    pub fn field_selector(object: &ObjectReference) -> Selector {
        let parts = [
            ("involvedObject.name", &object.name),
            ("involvedObject.namespace", &object.namespace),
            ("involvedObject.kind", &object.kind),
            ("involvedObject.uid", &object.uid),
        ];
        let asked = parts.into_iter().filter_map(|(field, value)| Some((field, value.as_deref()?)));
        let equal = |(field, value): (&str, &str)| Requirement {
            field: field.to_owned(),
            operator: Operator::Equals,
            value: value.to_owned(),
        };
        Selector::new(asked.map(equal))
    }

    /// Creates the event in the namespace that it names itself.
    pub async fn create_with_event_namespace(&self, event: &Event) -> Result<Event, Error> {
        self.beside("create events", event)?.create(event, &CreateOptions::default()).await
    }

    /// Replaces the event in the namespace that it names itself.
    pub async fn update_with_event_namespace(&self, event: &Event) -> Result<Event, Error> {
        self.beside("update events", event)?.update(event, &UpdateOptions::default()).await
    }

    /// Changes the event by a strategic merge, in the namespace that it names itself.
    pub async fn patch_with_event_namespace(&self, event: &Event, body: &impl Serialize) -> Result<Event, Error> {
        let name = event.metadata.name.as_deref().unwrap_or_default();
        let client = self.beside("patch events", event)?;
        client.patch(name, PatchKind::StrategicMerge, body, &PatchOptions::default()).await
    }

    /// The client of the event's own namespace.
    fn beside(&self, operation: &str, event: &Event) -> Result<Client<Event>, Error> {
        let namespace = event.metadata.namespace.as_deref().unwrap_or_default();
        self.check_namespace(operation, namespace)?;
        Ok(Client::namespaced_resource(self.endpoint.client(), "events", namespace))
    }

    /// A client of all namespaces goes wherever an event does; one of a namespace stays there.
    fn check_namespace(&self, operation: &str, namespace: &str) -> Result<(), Error> {
        match self.endpoint.home() {
            Some(home) if !home.is_empty() && home != namespace => Err(Error::invalid(
                operation,
                format!("namespace {namespace:?} is not {home:?}, which this client is of"),
            )),
            _ => Ok(()),
        }
    }
}
