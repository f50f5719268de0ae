//! A client of the metadata of every kind: labels, annotations, owners and versions, and nothing else over the wire.
//!
//! ```
//! use kube_core::GroupVersionResource;
//! use masthead::{Error, metadata::MetadataClient, rest::RestClient};
//!
//! async fn owners(client: &RestClient, pod: &str) -> Result<usize, Error> {
//!     let pods = MetadataClient::new(client).resource(&GroupVersionResource::gvr("", "v1", "pods")).namespace("default");
//!     Ok(pods.get(pod, &Default::default()).await?.metadata.owner_references.iter().flatten().count())
//! }
//! ```

use kube_core::{GroupVersionResource, ObjectMeta, PartialObjectMeta};
use serde::Serialize;

use crate::{
    Error,
    cache::ListWatch,
    pager::Pager,
    rest::{
        DeleteOptions, Endpoint, GetOptions, List, ListOptions, PatchKind, PatchOptions, Response, RestClient, Watch,
        WatchEvent,
    },
};

/// Gives metadata clients by group, version and resource.
#[derive(Clone, Debug)]
pub struct MetadataClient {
    client: RestClient,
}

impl MetadataClient {
    /// Kinds of the server that `client` talks to.
    pub fn new(client: &RestClient) -> MetadataClient {
        MetadataClient { client: client.clone() }
    }

    /// The objects of a resource without namespaces, or of all namespaces.
    pub fn resource(&self, resource: &GroupVersionResource) -> ResourceClient {
        ResourceClient { endpoint: Endpoint::new(&self.client, resource) }
    }
}

/// The metadata of the objects of one resource.
///
/// A server that does not know how to leave out the rest sends whole objects; their metadata is kept.
#[derive(Clone, Debug)]
pub struct ResourceClient {
    endpoint: Endpoint,
}

impl ResourceClient {
    /// The objects of one namespace; an empty one is all of them.
    pub fn namespace(&self, namespace: &str) -> ResourceClient {
        ResourceClient { endpoint: self.endpoint.in_namespace_or_all(namespace) }
    }

    /// The metadata of the object of this name.
    pub async fn get(&self, name: &str, options: &GetOptions) -> Result<PartialObjectMeta, Error> {
        one(&self.endpoint.get(name, options).set_header("Accept", [OBJECT]).send().await?)
    }

    /// One page of the objects; all of them without a `limit`.
    pub async fn list(&self, options: &ListOptions) -> Result<List<PartialObjectMeta>, Error> {
        let mut list = List::decode(&self.endpoint.list(options).set_header("Accept", [LIST]).send().await?)?;
        list.items = list.items.into_iter().map(stripped).collect();
        Ok(list)
    }

    /// The changes from `options.resource_version` on.
    pub async fn watch(&self, options: &ListOptions) -> Result<Watch<PartialObjectMeta>, Error> {
        let request = self.endpoint.watch(options).set_header("Accept", [OBJECT]);
        request.watch_with(Box::new(|frame| WatchEvent::decode(frame)?.try_map(|object| Ok(stripped(object))))).await
    }

    /// Lists in pages.
    pub fn pager(&self) -> Pager<PartialObjectMeta> {
        let client = self.clone();
        Pager::new(move |options| {
            let client = client.clone();
            async move { client.list(&options).await }
        })
    }

    /// What tells the objects that `which` selects from any others: the address of their list.
    pub(crate) fn address(&self, which: &ListOptions) -> String {
        self.endpoint.list(which).url()
    }

    /// What `which` selects, for an informer.
    pub fn list_watch(&self, which: &ListOptions) -> ListWatch<PartialObjectMeta> {
        let (lister, watcher) = ((self.clone(), which.clone()), (self.clone(), which.clone()));
        let description = format!("metadata of {}", self.endpoint.resource());
        ListWatch::new(
            self.endpoint.client().config().runtime.clone(),
            description,
            move |options| {
                let (client, options) = (lister.0.clone(), options.of(&lister.1));
                async move { client.list(&options).await }
            },
            move |options| {
                let (client, options) = (watcher.0.clone(), options.of(&watcher.1));
                async move { client.watch(&options).await }
            },
        )
    }

    /// Changes the object of this name; `kind` says how `body` is meant.
    pub async fn patch(
        &self,
        name: &str,
        kind: PatchKind,
        body: &impl Serialize,
        options: &PatchOptions,
    ) -> Result<PartialObjectMeta, Error> {
        one(&self.endpoint.patch(name, kind, body, options).set_header("Accept", [OBJECT]).send().await?)
    }

    /// Deletes the object of this name. It may live on until its finalizers are done.
    pub async fn delete(&self, name: &str, options: &DeleteOptions) -> Result<(), Error> {
        self.endpoint.delete(name, options).send().await.map(drop)
    }

    /// Deletes every object that `which` selects.
    pub async fn delete_collection(&self, options: &DeleteOptions, which: &ListOptions) -> Result<(), Error> {
        self.endpoint.delete_collection(options, which).send().await.map(drop)
    }
}

/// Reads one object's metadata; an answer that has none is no object.
fn one(response: &Response) -> Result<PartialObjectMeta, Error> {
    let object: PartialObjectMeta = response.decode()?;
    if !is_likely(&object.metadata) {
        let why = serde::de::Error::custom("object does not appear to match the ObjectMeta schema");
        return Err(Error::undecodable(&response.operation, why));
    }
    Ok(stripped(object))
}

/// The metadata of a whole object must not pass for the object, so it loses its kind.
fn stripped(object: PartialObjectMeta) -> PartialObjectMeta {
    let types = object.types.filter(|types| types.kind == "PartialObjectMetadata");
    PartialObjectMeta { types, ..object }
}

/// Whether this is the metadata of some object at all.
fn is_likely(metadata: &ObjectMeta) -> bool {
    let named = |name: &Option<String>| name.as_deref().is_some_and(|name| !name.is_empty());
    named(&metadata.uid)
        || metadata.creation_timestamp.is_some()
        || named(&metadata.name)
        || named(&metadata.generate_name)
}

/// The metadata of one object, or of each event of a watch: a list's form there ends the watch without a word.
const OBJECT: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

/// The metadata of many objects: that of one is refused for a list.
const LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
