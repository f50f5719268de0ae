//! One informer for everyone who asks for the same.

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

/// Gives out informers, the same one to everyone who asks for the same collection with the same selectors.
///
/// Clones are the same factory. Informers live as long as the factory or whoever holds one; [`forget`](Self::forget) takes
/// one out, and the next to ask gets a new one.
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
    /// How the informers read.
    pub reflector: ReflectorOptions,
    /// How often handlers are told everything again, unless they ask for something else; never by default.
    pub resync: Duration,
    informers: Rc<RefCell<BTreeMap<(String, TypeId), GenericInformer>>>,
}

impl InformerFactory {
    /// The informer of the objects that `options` selects among those of `client`: typed or dynamic ones.
    pub fn informer<K>(&self, client: &Client<K>, options: &ListOptions) -> SharedInformer<K>
    where
        K: Object + DeserializeOwned,
    {
        let source = client.source(options);
        self.share(&source.address(), || self.new_informer(Rc::new(source)))
    }

    /// The informer of the metadata of the objects that `options` selects.
    pub fn metadata(
        &self,
        client: &metadata::ResourceClient,
        options: &ListOptions,
    ) -> SharedInformer<PartialObjectMeta> {
        self.share(&client.address(options), || self.new_informer(Rc::new(client.list_watch(options))))
    }

    /// The informer known by `name` that holds objects of this type; `make` makes it where there is none.
    pub fn share<T: Object>(&self, name: &str, make: impl FnOnce() -> SharedInformer<T>) -> SharedInformer<T> {
        let key = (name.to_owned(), TypeId::of::<T>());
        let known = || self.informers.borrow().get(&key).and_then(GenericInformer::downcast);
        if let Some(known) = known() {
            return known;
        }
        let made = make();
        // `make` may have asked for the same one.
        known().unwrap_or_else(|| {
            self.informers.borrow_mut().insert(key.clone(), GenericInformer::new(&made));
            made
        })
    }

    /// Takes an informer out: the next to ask gets another one. Whoever holds it keeps it running.
    pub fn forget<T: Object>(&self, informer: &SharedInformer<T>) {
        let is_same = |entry: &GenericInformer| entry.downcast::<T>().is_some_and(|known| known.is_same(informer));
        let removed: Vec<GenericInformer> =
            self.informers.borrow_mut().extract_if(.., |_, entry| is_same(entry)).map(|(_, entry)| entry).collect();
        // They are dropped after the borrow has ended: what they drop in turn may ask for informers.
        drop(removed);
    }

    /// Starts every informer that does not run.
    pub fn start(&self) {
        self.informers().iter().for_each(|informer| informer.start());
    }

    /// Stops every informer. They can be started again.
    pub fn stop(&self) {
        self.informers().iter().for_each(|informer| informer.stop());
    }

    /// Completes once every informer is complete; fails with the first that will not be by itself.
    pub async fn synced(&self) -> Result<(), Error> {
        let informers = self.informers();
        futures::future::try_join_all(informers.iter().map(|informer| informer.synced())).await.map(drop)
    }

    /// How many informers there are.
    pub fn len(&self) -> usize {
        self.informers.borrow().len()
    }

    /// Whether there is none.
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

/// The part of a cluster that a factory's informers see: through one client, one namespace or all, with the same selectors.
///
/// The factories that `masthead-gen` writes are names over this. Clones share the factory.
#[derive(Clone, Debug)]
pub struct InformerScope {
    factory: InformerFactory,
    client: RestClient,
    /// Empty for all.
    namespace: Rc<str>,
    options: Rc<ListOptions>,
}

impl InformerScope {
    /// Everything that `client` can see.
    pub fn new(client: &RestClient, factory: &InformerFactory) -> InformerScope {
        let options = Rc::new(ListOptions::default());
        InformerScope { factory: factory.clone(), client: client.clone(), namespace: "".into(), options }
    }

    /// Only one namespace, for kinds that have them; an empty one is all.
    #[must_use]
    pub fn namespace(&self, namespace: &str) -> InformerScope {
        InformerScope { namespace: namespace.into(), ..self.clone() }
    }

    /// Only what these options select.
    #[must_use]
    pub fn selecting(&self, options: ListOptions) -> InformerScope {
        InformerScope { options: Rc::new(options), ..self.clone() }
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
        self.factory.informer(&client, &self.options)
    }

    /// The informer of a resource of a group-version that has no namespaces.
    pub fn cluster<K>(&self, group: &str, version: &str, resource: &str) -> SharedInformer<K>
    where
        K: Resource<DynamicType = (), Scope = ClusterResourceScope> + DeserializeOwned + 'static,
    {
        let client = Client::cluster_resource(&self.client.group_version(group, version), resource);
        self.factory.informer(&client, &self.options)
    }
}
