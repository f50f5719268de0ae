//! One request about an event: its creation or its change.

use std::time::Duration;

use k8s_openapi::api::{core, events};
use kube_core::{NamespaceScope, Resource};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::written;
use crate::{cache::ObjectKey, runtime::scaled};

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

    /// Which event it writes.
    pub fn key(&self) -> ObjectKey {
        key_of(self.event())
    }

    /// Becomes what is to be written when `newer`, of the same event, need not be written apart.
    pub(super) fn absorb(&mut self, newer: Write<K>) {
        match self {
            Write::Create(event) | Write::Patch(event) => event.absorb(newer.into_event()),
        }
    }

    fn into_event(self) -> K {
        match self {
            Write::Create(event) | Write::Patch(event) => event,
        }
    }
}

/// Namespace and name of an event.
pub(super) fn key_of(event: &impl EventKind) -> ObjectKey {
    let meta = event.meta();
    ObjectKey::new(meta.namespace.as_deref().unwrap_or_default(), meta.name.as_deref().unwrap_or_default())
}

/// An API that has events: those of `core/v1` and of `events.k8s.io/v1`.
pub trait EventKind:
    Clone + Serialize + DeserializeOwned + Resource<DynamicType = (), Scope: NamespaceScope> + 'static
{
    /// The event as a server takes it.
    fn written(&self) -> Value;

    /// What changes in an event when it happens again.
    fn patch(&self) -> Value;

    /// Takes over from `newer` what changes in an event when it happens again.
    fn absorb(&mut self, newer: Self);

    /// How long to wait after `failures` failed attempts to write one, if waits are `pause` long; `chance` is in 0..1.
    fn wait(pause: Duration, failures: u32, chance: f64) -> Duration;

    /// Whether to go on when an event that was to be changed is not there, and then is there when it is created.
    const PATCHES_EXISTING: bool;
}

impl EventKind for core::v1::Event {
    fn written(&self) -> Value {
        written::core_event(self)
    }

    fn patch(&self) -> Value {
        let mut patch = Map::new();
        patch.insert("count".into(), self.count.into());
        patch.insert("lastTimestamp".into(), self.last_timestamp.as_ref().map(written::time).into());
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

    /// The first is as long as chance wills, so that many clients do not come back at once.
    fn wait(pause: Duration, failures: u32, chance: f64) -> Duration {
        if failures <= 1 { scaled(pause, chance) } else { pause }
    }

    const PATCHES_EXISTING: bool = false;
}

impl EventKind for events::v1::Event {
    fn written(&self) -> Value {
        written::events_event(self)
    }

    fn patch(&self) -> Value {
        Map::from_iter([("series".into(), self.series.as_ref().map(written::series).into())]).into()
    }

    fn absorb(&mut self, newer: Self) {
        self.series = newer.series;
    }

    /// Each is up to a quarter longer.
    fn wait(pause: Duration, _failures: u32, chance: f64) -> Duration {
        scaled(pause, 1.0 + chance / 4.0)
    }

    /// An event that happens twice in a moment is created and changed at once.
    const PATCHES_EXISTING: bool = true;
}
