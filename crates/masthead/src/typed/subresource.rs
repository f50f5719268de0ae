//! The verbs of a subresource.

use std::{fmt, marker::PhantomData};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Error,
    rest::{ApplyOptions, CreateOptions, DeleteOptions, Endpoint, GetOptions, PatchKind, PatchOptions, UpdateOptions},
};

/// A part of the objects of a resource that is read and written as a `K`: `scale`, `status`, `ephemeralcontainers`.
///
/// Which verbs there are is the server's choice.
pub struct Subresource<K> {
    endpoint: Endpoint,
    kind: PhantomData<fn() -> K>,
}

impl<K: DeserializeOwned> Subresource<K> {
    pub(crate) fn new(endpoint: Endpoint) -> Subresource<K> {
        Subresource { endpoint, kind: PhantomData }
    }

    /// The part of the object of this name.
    pub async fn get(&self, name: &str, options: &GetOptions) -> Result<K, Error> {
        self.endpoint.get(name, options).send().await?.decode()
    }

    /// Creates it below the object of this name.
    pub async fn create(&self, name: &str, body: &K, options: &CreateOptions) -> Result<K, Error>
    where
        K: Serialize,
    {
        self.endpoint.create_for(name, body, options).send().await?.decode()
    }

    /// Replaces the part of the object of this name.
    pub async fn update(&self, name: &str, body: &K, options: &UpdateOptions) -> Result<K, Error>
    where
        K: Serialize,
    {
        self.endpoint.update(name, body, options).send().await?.decode()
    }

    /// Changes the part of the object of this name; `kind` says how `body` is meant.
    pub async fn patch(
        &self,
        name: &str,
        kind: PatchKind,
        body: &impl Serialize,
        options: &PatchOptions,
    ) -> Result<K, Error> {
        self.endpoint.patch(name, kind, body, options).send().await?.decode()
    }

    /// Makes the fields of `configuration` so in the object of this name, and the manager in `options` their owner.
    pub async fn apply(&self, name: &str, configuration: &impl Serialize, options: &ApplyOptions) -> Result<K, Error> {
        self.endpoint.apply_to(name, configuration, options)?.send().await?.decode()
    }

    /// Deletes the part of the object of this name.
    pub async fn delete(&self, name: &str, options: &DeleteOptions) -> Result<(), Error> {
        self.endpoint.delete(name, options).send().await.map(drop)
    }
}

impl<K> Clone for Subresource<K> {
    fn clone(&self) -> Subresource<K> {
        Subresource { endpoint: self.endpoint.clone(), kind: PhantomData }
    }
}

impl<K> fmt::Debug for Subresource<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Subresource").field(&self.endpoint).finish()
    }
}
