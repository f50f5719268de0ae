//! A method beyond the verbs.

use std::{fmt, marker::PhantomData};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Error,
    rest::{
        ApplyOptions, CreateOptions, Endpoint, GetOptions, List, ListOptions, PatchKind, PatchOptions, UpdateOptions,
    },
};

/// What a server can do with a resource beside its verbs, where the body is any type and the answer an `R`.
///
/// The methods that `+genclient:method=` declares are made of it; [`Subresource`](super::Subresource) is for parts that are
/// read and written as one type.
pub struct Extension<R> {
    endpoint: Endpoint,
    answer: PhantomData<fn() -> R>,
}

impl<R: DeserializeOwned> Extension<R> {
    pub(super) fn new(endpoint: Endpoint) -> Extension<R> {
        Extension { endpoint, answer: PhantomData }
    }

    /// Reads it of the object of this name.
    pub async fn get(&self, name: &str, options: &GetOptions) -> Result<R, Error> {
        self.endpoint.get(name, options).send().await?.decode()
    }

    /// One page of it, of all objects.
    pub async fn list(&self, options: &ListOptions) -> Result<List<R>, Error> {
        List::decode(&self.endpoint.list(options).send().await?)
    }

    /// One page of it, below the object of this name.
    pub async fn list_of(&self, name: &str, options: &ListOptions) -> Result<List<R>, Error> {
        List::decode(&self.endpoint.get(name, &GetOptions::default()).params(options).send().await?)
    }

    /// Creates it.
    pub async fn create(&self, body: &impl Serialize, options: &CreateOptions) -> Result<R, Error> {
        self.endpoint.create(body, options).send().await?.decode()
    }

    /// Creates it below the object of this name.
    pub async fn create_for(&self, name: &str, body: &impl Serialize, options: &CreateOptions) -> Result<R, Error> {
        self.endpoint.create_for(name, body, options).send().await?.decode()
    }

    /// Replaces it in the object of this name.
    pub async fn update(&self, name: &str, body: &impl Serialize, options: &UpdateOptions) -> Result<R, Error> {
        self.endpoint.update(name, body, options).send().await?.decode()
    }

    /// Changes it in the object of this name; `kind` says how `body` is meant.
    pub async fn patch(
        &self,
        name: &str,
        kind: PatchKind,
        body: &impl Serialize,
        options: &PatchOptions,
    ) -> Result<R, Error> {
        self.endpoint.patch(name, kind, body, options).send().await?.decode()
    }

    /// Makes the fields of `configuration` so in the object of this name, and the manager in `options` their owner.
    pub async fn apply(&self, name: &str, configuration: &impl Serialize, options: &ApplyOptions) -> Result<R, Error> {
        self.endpoint.apply_to(name, configuration, options)?.send().await?.decode()
    }
}

impl<R> fmt::Debug for Extension<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Extension").field(&self.endpoint).finish()
    }
}
