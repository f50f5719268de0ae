//! The verbs of one kind.

use std::fmt;

use k8s_openapi::{ClusterResourceScope, api::autoscaling::v1::Scale};
use kube_core::{GroupVersionResource, NamespaceScope, Resource};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Error,
    pager::Pager,
    rest::{
        ApplyOptions, CreateOptions, DeleteOptions, Endpoint, GetOptions, List, ListOptions, PatchKind, PatchOptions,
        Response, RestClient, UpdateOptions, Watch,
    },
    typed::{Extension, Subresource},
    watch::Source,
};

/// Reads and changes the objects of kind `K`, in one namespace, in all, or where there are none. Cheap to clone.
///
/// A client of all namespaces lists and watches; a verb on one object is then a mistake that is never sent.
pub struct Client<K> {
    pub(super) endpoint: Endpoint,
    /// Objects whose kind is known to the program and those whose is not come in different lists.
    decode: fn(&Response) -> Result<List<K>, Error>,
}

impl<K: Resource<DynamicType = ()> + DeserializeOwned> Client<K> {
    /// The objects of one namespace.
    pub fn namespaced(client: &RestClient, namespace: &str) -> Client<K>
    where
        K::Scope: NamespaceScope,
    {
        Client::new(endpoint::<K>(client).namespace(namespace), List::decode)
    }

    /// The objects of all namespaces.
    pub fn all_namespaces(client: &RestClient) -> Client<K>
    where
        K::Scope: NamespaceScope,
    {
        Client::namespaced(client, "")
    }

    /// The objects of a kind that has no namespaces.
    pub fn cluster(client: &RestClient) -> Client<K>
    where
        K: Resource<Scope = ClusterResourceScope>,
    {
        Client::new(endpoint::<K>(client), List::decode)
    }

    /// The objects of `resource` in one namespace, by the client of its [group-version](RestClient::group_version). An
    /// empty namespace is all. Generated clients are made so, since tags say where a kind lives.
    pub fn namespaced_resource(group: &RestClient, resource: &str, namespace: &str) -> Client<K>
    where
        K::Scope: NamespaceScope,
    {
        Client::new(Endpoint::within(group, resource).namespace(namespace), List::decode)
    }

    /// The objects of `resource`, which has no namespaces, by the client of its [group-version](RestClient::group_version).
    pub fn cluster_resource(group: &RestClient, resource: &str) -> Client<K>
    where
        K: Resource<Scope = ClusterResourceScope>,
    {
        Client::new(Endpoint::within(group, resource), List::decode)
    }
}

impl<K: DeserializeOwned> Client<K> {
    pub(crate) fn new(endpoint: Endpoint, decode: fn(&Response) -> Result<List<K>, Error>) -> Client<K> {
        Client { endpoint, decode }
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The object of this name.
    pub async fn get(&self, name: &str, options: &GetOptions) -> Result<K, Error> {
        self.endpoint.get(name, options).send().await?.decode()
    }

    /// The object of this name, or `None` if there is none.
    ///
    /// That the server does not have the resource at all stays an error.
    pub async fn get_opt(&self, name: &str, options: &GetOptions) -> Result<Option<K>, Error> {
        match self.get(name, options).await {
            Ok(object) => Ok(Some(object)),
            Err(error) if error.is_not_found() && names_an_object(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// One page of the objects; all of them without a `limit`.
    pub async fn list(&self, options: &ListOptions) -> Result<List<K>, Error> {
        (self.decode)(&self.endpoint.list(options).send().await?)
    }

    /// The changes from `options.resource_version` on.
    pub async fn watch(&self, options: &ListOptions) -> Result<Watch<K>, Error>
    where
        K: 'static,
    {
        self.endpoint.watch(options).watch().await
    }

    /// What `options` select, for a watch that outlives its connections: see [`RetryWatcher`](crate::watch::RetryWatcher)
    /// and [`until`](crate::watch::until). It takes care of versions and pages itself.
    pub fn source(&self, options: &ListOptions) -> Source<K>
    where
        K: 'static,
    {
        Source::new(self.endpoint.list(options))
    }

    /// Lists in pages.
    pub fn pager(&self) -> Pager<K>
    where
        K: 'static,
    {
        let client = self.clone();
        Pager::new(move |options| {
            let client = client.clone();
            async move { client.list(&options).await }
        })
    }

    /// Changes the object of this name; `kind` says how `body` is meant.
    pub async fn patch(
        &self,
        name: &str,
        kind: PatchKind,
        body: &impl Serialize,
        options: &PatchOptions,
    ) -> Result<K, Error> {
        self.endpoint.patch(name, kind, body, options).send().await?.decode()
    }

    /// Makes the fields of `configuration` so, and the manager in `options` their owner.
    ///
    /// The configuration is what it would be in a file: `apiVersion`, `kind`, a name, and the fields to own. An object as
    /// the server sent it has managed fields and is refused.
    pub async fn apply(&self, configuration: &impl Serialize, options: &ApplyOptions) -> Result<K, Error> {
        self.endpoint.apply(configuration, options)?.send().await?.decode()
    }

    /// As [`apply`](Self::apply), for the object's status.
    pub async fn apply_status(&self, configuration: &impl Serialize, options: &ApplyOptions) -> Result<K, Error> {
        self.endpoint.subresource("status").apply(configuration, options)?.send().await?.decode()
    }

    /// Deletes the object of this name. It may live on until its finalizers are done.
    pub async fn delete(&self, name: &str, options: &DeleteOptions) -> Result<(), Error> {
        self.endpoint.delete(name, options).send().await.map(drop)
    }

    /// Deletes every object that `which` selects.
    pub async fn delete_collection(&self, options: &DeleteOptions, which: &ListOptions) -> Result<(), Error> {
        self.endpoint.delete_collection(options, which).send().await.map(drop)
    }

    /// A part of the objects that has verbs of its own and is a `T`, as in `pods/ephemeralcontainers`.
    pub fn subresource<T: DeserializeOwned>(&self, subresource: &str) -> Subresource<T> {
        Subresource::new(self.endpoint.subresource(subresource))
    }

    /// What the server can do with a subresource where bodies and answers are of different types; with the objects
    /// themselves if `subresource` is empty.
    pub fn extension<R: DeserializeOwned>(&self, subresource: &str) -> Extension<R> {
        Extension::new(self.endpoint.subresource(subresource))
    }

    /// How many replicas the objects have and should have, for kinds that scale.
    pub fn scale(&self) -> Subresource<Scale> {
        self.subresource("scale")
    }
}

impl<K: Resource + Serialize + DeserializeOwned> Client<K> {
    /// Creates the object; gives it as the server stored it.
    pub async fn create(&self, object: &K, options: &CreateOptions) -> Result<K, Error> {
        self.endpoint.create(object, options).send().await?.decode()
    }

    /// Replaces the object of the same name, if it has not changed since its `resourceVersion`.
    pub async fn update(&self, object: &K, options: &UpdateOptions) -> Result<K, Error> {
        self.endpoint.update(name_of(object), object, options).send().await?.decode()
    }

    /// As [`update`](Self::update), for the object's status alone.
    pub async fn update_status(&self, object: &K, options: &UpdateOptions) -> Result<K, Error> {
        self.endpoint.subresource("status").update(name_of(object), object, options).send().await?.decode()
    }
}

impl<K> Clone for Client<K> {
    fn clone(&self) -> Client<K> {
        Client { endpoint: self.endpoint.clone(), decode: self.decode }
    }
}

impl<K> fmt::Debug for Client<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Client").field(&self.endpoint).finish()
    }
}

/// The object's name; empty, and refused by the request, when it has none.
pub(super) fn name_of(object: &impl Resource) -> &str {
    object.meta().name.as_deref().unwrap_or_default()
}

fn endpoint<K: Resource<DynamicType = ()>>(client: &RestClient) -> Endpoint {
    let resource = GroupVersionResource::gvr(&K::group(&()), &K::version(&()), &K::plural(&()));
    Endpoint::new(client, &resource)
}

/// Whether a 404 is about an object: that of an unknown resource or path names none.
fn names_an_object(error: &Error) -> bool {
    let details = error.status().and_then(|status| status.details.as_ref());
    details.is_some_and(|details| !details.name.is_empty())
}
