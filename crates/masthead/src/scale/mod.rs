//! A client of the `scale` subresource of every kind that has one.
//!
//! ```
//! use kube_core::GroupVersionResource;
//! use masthead::{Error, rest::RestClient, scale::ScaleClient};
//!
//! async fn double(client: &RestClient) -> Result<(), Error> {
//!     let deployments = GroupVersionResource::gvr("apps", "v1", "deployments");
//!     let scales = ScaleClient::new(client).namespace("default");
//!     let mut scale = scales.get(&deployments, "web", &Default::default()).await?;
//!     let spec = scale.spec.get_or_insert_default();
//!     spec.replicas = spec.replicas.map(|replicas| replicas * 2);
//!     scales.update(&deployments, &scale, &Default::default()).await.map(drop)
//! }
//! ```

mod version;

use k8s_openapi::api::autoscaling::v1::Scale;
use kube_core::GroupVersionResource;
use serde::Serialize;

use crate::{
    Error,
    rest::{Endpoint, GetOptions, PatchKind, PatchOptions, RestClient, UpdateOptions},
};

/// Reads and sets how many replicas an object has.
#[derive(Clone, Debug)]
pub struct ScaleClient {
    client: RestClient,
}

impl ScaleClient {
    /// Kinds of the server that `client` talks to.
    pub fn new(client: &RestClient) -> ScaleClient {
        ScaleClient { client: client.clone() }
    }

    /// The objects of one namespace; an empty one is for kinds without namespaces.
    pub fn namespace(&self, namespace: &str) -> Scales {
        Scales { client: self.client.clone(), namespace: namespace.to_owned() }
    }
}

/// The scales of the objects of one namespace. Whatever version a server has, they are `autoscaling/v1` here.
#[derive(Clone, Debug)]
pub struct Scales {
    client: RestClient,
    namespace: String,
}

impl Scales {
    /// The scale of an object.
    pub async fn get(&self, resource: &GroupVersionResource, name: &str, options: &GetOptions) -> Result<Scale, Error> {
        version::decode(&self.endpoint(resource).get(name, options).send().await?)
    }

    /// Sets the scale of the object that `scale` names, if neither has changed since.
    pub async fn update(
        &self,
        resource: &GroupVersionResource,
        scale: &Scale,
        options: &UpdateOptions,
    ) -> Result<Scale, Error> {
        let name = scale.metadata.name.as_deref().unwrap_or_default();
        version::decode(&self.endpoint(resource).update(name, scale, options).send().await?)
    }

    /// Changes the scale of an object by a merge or a JSON patch.
    pub async fn patch(
        &self,
        (resource, name): (&GroupVersionResource, &str),
        kind: PatchKind,
        body: &impl Serialize,
        options: &PatchOptions,
    ) -> Result<Scale, Error> {
        version::decode(&self.endpoint(resource).patch(name, kind, body, options).send().await?)
    }

    fn endpoint(&self, resource: &GroupVersionResource) -> Endpoint {
        Endpoint::new(&self.client, resource).in_namespace_or_all(&self.namespace).subresource("scale")
    }
}
