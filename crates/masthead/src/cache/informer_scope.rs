//! The part of a cluster that a factory's informers see.

use std::rc::Rc;

use k8s_openapi::ClusterResourceScope;
use kube_core::{NamespaceScope, Resource};
use serde::de::DeserializeOwned;

use super::{InformerFactory, SharedInformer};
use crate::{
    rest::{ListOptions, RestClient},
    typed::Client,
};

/// The part of a cluster that a factory's informers see: through one client, one namespace or all, with the same selectors.
///
/// The factories that `masthead-gen` writes are names over this. Clones share the factory.
#[derive(Clone, Debug)]
pub struct InformerScope {
    factory: InformerFactory,
    client: RestClient,
    /// Empty for all.
    namespace: Rc<str>,
    which: Rc<ListOptions>,
}

impl InformerScope {
    /// Everything that `client` can see.
    pub fn new(client: &RestClient, factory: &InformerFactory) -> InformerScope {
        let which = Rc::new(ListOptions::default());
        InformerScope { factory: factory.clone(), client: client.clone(), namespace: "".into(), which }
    }

    /// Only one namespace, for kinds that have them; an empty one is all.
    #[must_use]
    pub fn namespace(&self, namespace: &str) -> InformerScope {
        InformerScope { namespace: namespace.into(), ..self.clone() }
    }

    /// Only what these options select.
    #[must_use]
    pub fn selecting(&self, which: ListOptions) -> InformerScope {
        InformerScope { which: Rc::new(which), ..self.clone() }
    }

    /// The factory that keeps the informers.
    pub fn factory(&self) -> &InformerFactory {
        &self.factory
    }

    /// The informer of a resource of a group-version that has namespaces.
    pub fn namespaced<K>(&self, group: &str, version: &str, resource: &str) -> SharedInformer<K>
    where
        K: Resource<DynamicType = (), Scope: NamespaceScope> + DeserializeOwned + 'static,
    {
        let client = Client::namespaced_resource(&self.client.group_version(group, version), resource, &self.namespace);
        self.factory.informer(&client, &self.which)
    }

    /// The informer of a resource of a group-version that has no namespaces.
    pub fn cluster<K>(&self, group: &str, version: &str, resource: &str) -> SharedInformer<K>
    where
        K: Resource<DynamicType = (), Scope = ClusterResourceScope> + DeserializeOwned + 'static,
    {
        let client = Client::cluster_resource(&self.client.group_version(group, version), resource);
        self.factory.informer(&client, &self.which)
    }
}
