//! A client of every kind, known or not: objects are JSON with typed metadata.
//!
//! ```
//! use kube_core::{DynamicObject, GroupVersionResource};
//! use masthead::{Error, dynamic::DynamicClient, rest::RestClient};
//!
//! async fn certificate(client: &RestClient, name: &str) -> Result<DynamicObject, Error> {
//!     let certificates = GroupVersionResource::gvr("cert-manager.io", "v1", "certificates");
//!     let client = DynamicClient::new(client).resource(&certificates).namespace("default");
//!     client.get(name, &Default::default()).await
//! }
//! ```

mod list;

use kube_core::{DynamicObject, GroupVersionResource};

use crate::{
    rest::{Endpoint, RestClient},
    typed::Client,
};

/// Gives clients by group, version and resource.
#[derive(Clone, Debug)]
pub struct DynamicClient {
    client: RestClient,
}

/// The objects of one resource.
pub type ResourceClient = Client<DynamicObject>;

impl DynamicClient {
    /// Kinds of the server that `client` talks to.
    pub fn new(client: &RestClient) -> DynamicClient {
        DynamicClient { client: client.clone() }
    }

    /// The objects of a resource without namespaces, or of all namespaces.
    pub fn resource(&self, resource: &GroupVersionResource) -> ResourceClient {
        Client::new(Endpoint::new(&self.client, resource), list::decode)
    }
}

impl ResourceClient {
    /// The objects of one namespace; an empty one is all of them.
    pub fn namespace(&self, namespace: &str) -> ResourceClient {
        Client::new(self.endpoint().in_namespace_or_all(namespace), list::decode)
    }
}
