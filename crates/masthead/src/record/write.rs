//! One request about an event: its creation or its change.

use k8s_openapi::api::{core, events};
use kube_core::{NamespaceScope, Resource};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

/// An event to write, as it should be afterwards.
#[derive(Clone, Debug, PartialEq)]
pub enum Write<K> {
    /// The server does not have it.
    Create(K),
    /// The server should have it, with a smaller count.
    Patch(K),
}

impl<K> Write<K> {
    /// The event.
    pub fn event(&self) -> &K {
        match self {
            Write::Create(event) | Write::Patch(event) => event,
        }
    }
}

impl<K: EventKind> Write<K> {
    /// The strategic merge patch, for a write that is one.
    pub fn patch(&self) -> Option<Value> {
        match self {
            Write::Create(_) => None,
            Write::Patch(event) => Some(event.patch()),
        }
    }
}

/// An API that has events: those of `core/v1` and of `events.k8s.io/v1`.
pub trait EventKind:
    Clone + Serialize + DeserializeOwned + Resource<DynamicType = (), Scope: NamespaceScope> + 'static
{
    /// What changes in an event when it happens again.
    fn patch(&self) -> Value;

    /// Takes over from `newer` what changes in an event when it happens again.
    fn absorb(&mut self, newer: Self);
}

impl EventKind for core::v1::Event {
    fn patch(&self) -> Value {
        let mut patch = Map::new();
        patch.insert("count".into(), self.count.into());
        patch.insert("lastTimestamp".into(), serde_json::to_value(&self.last_timestamp).unwrap_or_default());
        if let Some(message) = self.message.as_ref().filter(|message| !message.is_empty()) {
            patch.insert("message".into(), message.as_str().into());
        }
        patch.into()
    }

    fn absorb(&mut self, newer: Self) {
        self.count = newer.count;
        self.last_timestamp = newer.last_timestamp;
        self.message = newer.message;
    }
}

impl EventKind for events::v1::Event {
    fn patch(&self) -> Value {
        let series = serde_json::to_value(&self.series).unwrap_or_default();
        Map::from_iter([("series".into(), series)]).into()
    }

    fn absorb(&mut self, newer: Self) {
        self.series = newer.series;
    }
}
