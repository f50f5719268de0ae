//! Where events are written.

use std::{fmt, marker::PhantomData};

use futures::future::LocalBoxFuture;
use serde_json::Value;

use super::EventKind;
use crate::{
    Error,
    rest::{PatchKind, RestClient},
    typed::Client,
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
    fn place<'a>(&self, verb: &str, event: &'a K) -> Result<(Client<K>, &'a str), Error> {
        let meta = event.meta();
        match meta.namespace.as_deref() {
            None | Some("") => {
                Err(Error::invalid(&format!("{verb} events"), format!("can't {verb} an event with empty namespace")))
            }
            Some(namespace) => {
                Ok((Client::namespaced(&self.client, namespace), meta.name.as_deref().unwrap_or_default()))
            }
        }
    }
}

impl<K: EventKind> Sink<K> for ClientSink<K> {
    fn create<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let (client, _) = self.place("create", event)?;
            client.create(event, &Default::default()).await.map(drop)
        })
    }

    fn update<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let (client, _) = self.place("update", event)?;
            client.update(event, &Default::default()).await.map(drop)
        })
    }

    fn patch<'a>(&'a self, event: &'a K, patch: Value) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let (client, name) = self.place("patch", event)?;
            client.patch(name, PatchKind::StrategicMerge, &patch, &Default::default()).await.map(drop)
        })
    }
}

impl<K> fmt::Debug for ClientSink<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClientSink").field(&self.client).finish()
    }
}
