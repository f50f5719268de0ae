//! client-go's `SharedInformerFactory`: one informer per collection, shared by everyone who needs it.

use std::{any::TypeId, cell::RefCell, collections::BTreeMap, fmt, rc::Rc, time::Duration};

use k8s_openapi::ClusterResourceScope;
use kube_core::{NamespaceScope, PartialObjectMeta, Resource};
use serde::de::DeserializeOwned;

use super::{GenericInformer, InformerOptions, ListerWatcher, Object, ReflectorOptions, SharedInformer};
use crate::{
    Error, metadata,
    rest::{ListOptions, RestClient},
    typed::Client,
};

/// Creates informers and shares them: the same collection with the same selectors always gives the same informer.
///
/// Clones share the informers. An informer lives as long as the factory or any clone of the informer.
/// [`forget`](Self::forget) removes one from the factory; the next request creates a new one.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{Error, cache::InformerFactory, rest::RestClient, typed::Client};
///
/// async fn count(client: &RestClient) -> Result<usize, Error> {
///     let factory = InformerFactory::default();
///     let pods = factory.informer(&Client::<Pod>::all_namespaces(client), &Default::default());
///     factory.start();
///     factory.synced().await?;
///     Ok(pods.store().len())
/// }
/// ```
#[derive(Clone, Default)]
pub struct InformerFactory {
    /// How the informers list and watch.
    pub reflector: ReflectorOptions,
    /// How often handlers receive a resync, unless they ask for another period. Zero, the default, is never.
    pub resync: Duration,
    informers: Rc<RefCell<BTreeMap<(String, TypeId), GenericInformer>>>,
}

impl InformerFactory {
    /// Returns the informer for the objects of `client` that `options` selects. Works with typed and dynamic clients.
    pub fn informer<K>(&self, client: &Client<K>, options: &ListOptions) -> SharedInformer<K>
    where
        K: Object + DeserializeOwned,
    {
        let source = client.source(options);
        self.share(&source.address(), || self.new_informer(Rc::new(source)))
    }

    /// Returns the informer for the metadata of the objects that `options` selects.
    pub fn metadata(
        &self,
        client: &metadata::ResourceClient,
        options: &ListOptions,
    ) -> SharedInformer<PartialObjectMeta> {
        self.share(&client.address(options), || self.new_informer(Rc::new(client.list_watch(options))))
    }

    /// Returns the informer registered as `name` with this object type; creates it with `make` if there is none.
    pub fn share<T: Object>(&self, name: &str, make: impl FnOnce() -> SharedInformer<T>) -> SharedInformer<T> {
        let key = (name.to_owned(), TypeId::of::<T>());
        let known = || self.informers.borrow().get(&key).and_then(GenericInformer::downcast);
        if let Some(known) = known() {
            return known;
        }
        let made = make();
        // `make` may have registered the same informer.
        known().unwrap_or_else(|| {
            self.informers.borrow_mut().insert(key.clone(), GenericInformer::new(&made));
            made
        })
    }

    /// Removes an informer from the factory, so that the next request creates a new one. Existing clones keep it
    /// running.
    pub fn forget<T: Object>(&self, informer: &SharedInformer<T>) {
        let is_same = |entry: &GenericInformer| entry.downcast::<T>().is_some_and(|known| known.is_same(informer));
        let removed: Vec<GenericInformer> =
            self.informers.borrow_mut().extract_if(.., |_, entry| is_same(entry)).map(|(_, entry)| entry).collect();
        // Drop only after the borrow ends: a dropped handler may ask this factory for an informer.
        drop(removed);
    }

    /// Starts every informer that is not running. Call it again after creating further informers.
    pub fn start(&self) {
        self.informers().iter().for_each(|informer| informer.start());
    }

    /// Stops every informer. They can be started again.
    pub fn stop(&self) {
        self.informers().iter().for_each(|informer| informer.stop());
    }

    /// Waits until every informer has synced, as client-go's `WaitForCacheSync`.
    ///
    /// Fails with the first error of [`SharedInformer::synced`].
    pub async fn synced(&self) -> Result<(), Error> {
        let informers = self.informers();
        futures::future::try_join_all(informers.iter().map(|informer| informer.synced())).await.map(drop)
    }

    /// The number of informers.
    pub fn len(&self) -> usize {
        self.informers.borrow().len()
    }

    /// Whether the factory has no informer.
    pub fn is_empty(&self) -> bool {
        self.informers.borrow().is_empty()
    }

    fn new_informer<T: Object>(&self, lister_watcher: Rc<dyn ListerWatcher<T>>) -> SharedInformer<T> {
        let informer_options =
            InformerOptions { reflector: self.reflector.clone(), resync: self.resync, ..InformerOptions::default() };
        SharedInformer::new(lister_watcher, informer_options)
    }

    fn informers(&self) -> Vec<GenericInformer> {
        self.informers.borrow().values().cloned().collect()
    }
}

impl fmt::Debug for InformerFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let informers: Vec<String> = self.informers.borrow().keys().map(|(name, _)| name.clone()).collect();
        f.debug_struct("InformerFactory").field("informers", &informers).finish_non_exhaustive()
    }
}

/// A factory narrowed to one client, one namespace or all, and one set of selectors.
///
/// The typed factories that `masthead-gen` generates wrap this type. Clones share the factory.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{
///     cache::{InformerFactory, InformerScope, SharedInformer},
///     rest::RestClient,
/// };
///
/// fn pods_of_shop(client: &RestClient, factory: &InformerFactory) -> SharedInformer<Pod> {
///     InformerScope::new(client, factory).namespace("shop").namespaced("", "v1", "pods")
/// }
/// ```
#[derive(Clone, Debug)]
pub struct InformerScope {
    factory: InformerFactory,
    client: RestClient,
    /// Empty for all namespaces.
    namespace: Rc<str>,
    options: Rc<ListOptions>,
}

impl InformerScope {
    /// Covers everything that `client` can read.
    pub fn new(client: &RestClient, factory: &InformerFactory) -> InformerScope {
        let options = Rc::new(ListOptions::default());
        InformerScope { factory: factory.clone(), client: client.clone(), namespace: "".into(), options }
    }

    /// Narrows to one namespace, for namespaced kinds. An empty name means all namespaces.
    #[must_use]
    pub fn namespace(&self, namespace: &str) -> InformerScope {
        InformerScope { namespace: namespace.into(), ..self.clone() }
    }

    /// Narrows to the objects that `options` selects.
    #[must_use]
    pub fn selecting(&self, options: ListOptions) -> InformerScope {
        InformerScope { options: Rc::new(options), ..self.clone() }
    }

    /// The factory that holds the informers.
    pub fn factory(&self) -> &InformerFactory {
        &self.factory
    }

    /// Returns the informer for a namespaced resource of a group-version.
    pub fn namespaced<K>(&self, group: &str, version: &str, resource: &str) -> SharedInformer<K>
    where
        K: Resource<DynamicType = (), Scope: NamespaceScope> + DeserializeOwned + 'static,
    {
        let client = Client::namespaced_resource(&self.client.group_version(group, version), resource, &self.namespace);
        self.factory.informer(&client, &self.options)
    }

    /// Returns the informer for a cluster-scoped resource of a group-version.
    pub fn cluster<K>(&self, group: &str, version: &str, resource: &str) -> SharedInformer<K>
    where
        K: Resource<DynamicType = (), Scope = ClusterResourceScope> + DeserializeOwned + 'static,
    {
        let client = Client::cluster_resource(&self.client.group_version(group, version), resource);
        self.factory.informer(&client, &self.options)
    }
}
