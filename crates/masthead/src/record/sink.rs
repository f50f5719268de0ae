//! Where events are written: the [`EventSink`] trait, its implementation over a [`RestClient`], and one write.

use std::{fmt, marker::PhantomData};

use futures::future::LocalBoxFuture;
use serde::de;
use serde_json::Value;

use super::EventKind;
use crate::{
    Error,
    cache::ObjectKey,
    rest::{Endpoint, PatchKind, Response, RestClient},
};

/// Stores events of kind `K`, each in its own namespace.
///
/// Each call is one request. A sink does not retry: the broadcaster decides by the error whether to write again.
/// Dropping the returned future cancels the request.
pub trait EventSink<K> {
    /// Creates an event.
    fn create<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>>;

    /// Replaces an event.
    fn update<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>>;

    /// Changes an event by a strategic merge patch; `event` is the event after the patch.
    fn patch<'a>(&'a self, event: &'a K, patch: Value) -> LocalBoxFuture<'a, Result<(), Error>>;
}

/// Writes events to an API server.
pub struct ClientSink<K> {
    client: RestClient,
    kind: PhantomData<K>,
}

impl<K: EventKind> ClientSink<K> {
    /// A sink that shares the rate limiter of `client`.
    pub fn new(client: &RestClient) -> ClientSink<K> {
        ClientSink { client: client.clone(), kind: PhantomData }
    }

    /// Returns the endpoint of the namespace that `event` has, and the event's name.
    fn endpoint<'a>(&self, verb: &str, event: &'a K) -> Result<(Endpoint, &'a str), Error> {
        let meta = event.meta();
        match meta.namespace.as_deref() {
            None | Some("") => {
                Err(Error::invalid(&format!("{verb} events"), format!("can't {verb} an event with empty namespace")))
            }
            Some(namespace) => {
                let client = self.client.group_version(&K::group(&()), &K::version(&()));
                let endpoint = Endpoint::within(&client, &K::plural(&())).namespace(namespace);
                Ok((endpoint, meta.name.as_deref().unwrap_or_default()))
            }
        }
    }
}

impl<K: EventKind> EventSink<K> for ClientSink<K> {
    fn create<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let (endpoint, _) = self.endpoint("create", event)?;
            check_object(&endpoint.create(&event.to_json(), &Default::default()).send().await?)
        })
    }

    fn update<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let (endpoint, name) = self.endpoint("update", event)?;
            check_object(&endpoint.update(name, &event.to_json(), &Default::default()).send().await?)
        })
    }

    fn patch<'a>(&'a self, event: &'a K, patch: Value) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let (endpoint, name) = self.endpoint("patch", event)?;
            let request = endpoint.patch(name, PatchKind::StrategicMerge, &patch, &Default::default());
            check_object(&request.send().await?)
        })
    }
}

impl<K> fmt::Debug for ClientSink<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClientSink").field(&self.client).finish()
    }
}

/// Fails unless the response is an object. Nothing else of it is used.
fn check_object(response: &Response) -> Result<(), Error> {
    let object: Value = response.decode()?;
    match &object["metadata"] {
        Value::Object(_) | Value::Null if object.is_object() => Ok(()),
        _ => Err(Error::undecodable(&response.operation, de::Error::custom("no object"))),
    }
}

/// One write to an [`EventSink`], with the event as it is afterwards.
#[derive(Clone, Debug, PartialEq)]
pub enum EventWrite<K> {
    /// Creates an event that the server does not have.
    Create(K),
    /// Patches an event that the server should have, with a smaller count.
    Patch(K),
}

impl<K> EventWrite<K> {
    /// The event.
    pub fn event(&self) -> &K {
        match self {
            EventWrite::Create(event) | EventWrite::Patch(event) => event,
        }
    }

    fn into_event(self) -> K {
        match self {
            EventWrite::Create(event) | EventWrite::Patch(event) => event,
        }
    }
}

impl<K: EventKind> EventWrite<K> {
    /// The strategic merge patch of [`Patch`](EventWrite::Patch); `None` for [`Create`](EventWrite::Create).
    pub fn patch(&self) -> Option<Value> {
        match self {
            EventWrite::Create(_) => None,
            EventWrite::Patch(event) => Some(event.patch()),
        }
    }

    /// Namespace and name of the event.
    pub fn key(&self) -> ObjectKey {
        event_object_key(self.event())
    }

    /// Takes over the count of `newer`, a later write of the same event that needs no request of its own then.
    pub(super) fn merge(&mut self, newer: EventWrite<K>) {
        match self {
            EventWrite::Create(event) | EventWrite::Patch(event) => event.merge(newer.into_event()),
        }
    }
}

/// Returns namespace and name of an event.
pub(super) fn event_object_key(event: &impl EventKind) -> ObjectKey {
    let meta = event.meta();
    ObjectKey::new(meta.namespace.as_deref().unwrap_or_default(), meta.name.as_deref().unwrap_or_default())
}
