//! Where events are written.

use std::{fmt, marker::PhantomData};

use futures::future::LocalBoxFuture;
use serde::de;
use serde_json::Value;

use super::EventKind;
use crate::{
    Error,
    rest::{Endpoint, PatchKind, Response, RestClient},
};

/// Stores events of kind `K`, each in its own namespace. One request for each call: the caller repeats what should be.
pub trait Sink<K> {
    /// Stores an event that is new.
    fn create<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>>;

    /// Replaces an event.
    fn update<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>>;

    /// Changes an event by a strategic merge patch; `event` is what it will be then.
    fn patch<'a>(&'a self, event: &'a K, patch: Value) -> LocalBoxFuture<'a, Result<(), Error>>;
}

/// Writes events to a server.
pub struct ClientSink<K> {
    client: RestClient,
    kind: PhantomData<K>,
}

impl<K: EventKind> ClientSink<K> {
    /// A sink that shares the limits of `client`.
    pub fn new(client: &RestClient) -> ClientSink<K> {
        ClientSink { client: client.clone(), kind: PhantomData }
    }

    /// The events of the namespace that `event` has, and its name.
    fn place<'a>(&self, verb: &str, event: &'a K) -> Result<(Endpoint, &'a str), Error> {
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

impl<K: EventKind> Sink<K> for ClientSink<K> {
    fn create<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let (events, _) = self.place("create", event)?;
            events.create(&event.written(), &Default::default()).send().await.and_then(|answer| stored(&answer))
        })
    }

    fn update<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let (events, name) = self.place("update", event)?;
            events.update(name, &event.written(), &Default::default()).send().await.and_then(|answer| stored(&answer))
        })
    }

    fn patch<'a>(&'a self, event: &'a K, patch: Value) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let (events, name) = self.place("patch", event)?;
            events
                .patch(name, PatchKind::StrategicMerge, &patch, &Default::default())
                .send()
                .await
                .and_then(|answer| stored(&answer))
        })
    }
}

impl<K> fmt::Debug for ClientSink<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClientSink").field(&self.client).finish()
    }
}

/// Fails unless what the server answered is an object: nobody looks at the rest.
fn stored(answer: &Response) -> Result<(), Error> {
    let stored: Value = answer.decode()?;
    match &stored["metadata"] {
        Value::Object(_) | Value::Null if stored.is_object() => Ok(()),
        _ => Err(Error::undecodable(&answer.operation, de::Error::custom("no object"))),
    }
}
