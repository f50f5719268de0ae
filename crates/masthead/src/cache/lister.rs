//! client-go's listers: objects of a store by name, namespace and label selector.

use std::{fmt, rc::Rc};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kube_core::Resource;

use super::{NAMESPACE_INDEX, Object, ObjectKey, Store};
use crate::{Error, labels::Selector, rest::Status};

/// An object with labels. Implemented for every Kubernetes type; lean objects implement it themselves.
pub trait Labelled: Object {
    /// The value of a label; `None` if the object does not have it.
    fn label(&self, key: &str) -> Option<&str>;
}

impl<K: Resource + 'static> Labelled for K {
    fn label(&self, key: &str) -> Option<&str> {
        self.meta().labels.as_ref()?.get(key).map(String::as_str)
    }
}

/// Reads a store the way a client reads the server, but without requests.
///
/// A missing object is the error that the server would return ([`Error::is_not_found`]). Objects are shared, not
/// copied. Clones read the same store.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{cache::{Lister, SharedInformer}, labels::{ParseError, Selector}};
///
/// fn frontends(pods: &SharedInformer<Pod>) -> Result<usize, ParseError> {
///     let (lister, selector) = (Lister::new(pods.store(), "pods"), "app=frontend".parse::<Selector>()?);
///     Ok(lister.namespace("shop").list(&selector).len())
/// }
/// ```
pub struct Lister<T> {
    store: Store<T>,
    /// The resource as the server names it in errors: `pods`, `deployments.apps`.
    resource: Rc<str>,
}

/// A [`Lister`] for one namespace.
pub struct NamespaceLister<T> {
    lister: Lister<T>,
    namespace: Rc<str>,
}

impl<T: Object> Lister<T> {
    /// Creates a lister of `store`, which holds objects of `resource` (`pods`, `deployments.apps`).
    pub fn new(store: Store<T>, resource: &str) -> Lister<T> {
        Lister { store, resource: resource.into() }
    }

    /// Returns the object with this name, for cluster-scoped kinds. Fails with "not found" if there is none.
    pub fn get(&self, name: &str) -> Result<Rc<T>, Error> {
        self.get_key(&ObjectKey::new("", name))
    }

    /// Returns a lister for one namespace.
    pub fn namespace(&self, namespace: &str) -> NamespaceLister<T> {
        NamespaceLister { lister: self.clone(), namespace: namespace.into() }
    }

    fn get_key(&self, key: &ObjectKey) -> Result<Rc<T>, Error> {
        self.store.get(key).ok_or_else(|| {
            let message = format!("{} {:?} not found", self.resource, key.name());
            let status = Status { code: 404, reason: "NotFound".to_owned(), message, details: None };
            Error::refused(&format!("get {}", self.resource), status)
        })
    }
}

impl<T: Labelled> Lister<T> {
    /// All objects that match `selector`, in no order. O(n).
    pub fn list(&self, selector: &Selector) -> Vec<Rc<T>> {
        let mut matching = Vec::new();
        self.store.for_each(|object| {
            if selector.matches(|key| object.label(key)) {
                matching.push(Rc::clone(object));
            }
        });
        matching
    }
}

impl<T: Object> NamespaceLister<T> {
    /// Returns the object with this name. Fails with "not found" if there is none.
    pub fn get(&self, name: &str) -> Result<Rc<T>, Error> {
        self.lister.get_key(&ObjectKey::new(&self.namespace, name))
    }
}

impl<T: Labelled> NamespaceLister<T> {
    /// The objects of the namespace that match `selector`, in no order. O(objects in the namespace).
    pub fn list(&self, selector: &Selector) -> Vec<Rc<T>> {
        let in_namespace = self.lister.store.by_index(NAMESPACE_INDEX, &self.namespace).unwrap_or_default();
        in_namespace.into_iter().filter(|object| selector.matches(|key| object.label(key))).collect()
    }

    /// The objects of the namespace that select `object`: those whose own label selector, as `selector` returns it,
    /// matches it.
    ///
    /// This finds, for example, the Services or ReplicaSets of a pod. An object without a selector, or with an empty or
    /// invalid one, selects nothing. The result has no order.
    pub fn selecting(&self, object: &impl Labelled, selector: impl Fn(&T) -> Option<&LabelSelector>) -> Vec<Rc<T>> {
        let selects = |candidate: &Rc<T>| {
            let selector = selector(candidate).and_then(|selector| Selector::try_from(selector).ok());
            selector.is_some_and(|selector| !selector.is_empty() && selector.matches(|key| object.label(key)))
        };
        self.list(&Selector::everything()).into_iter().filter(selects).collect()
    }
}

impl<T> Clone for Lister<T> {
    fn clone(&self) -> Lister<T> {
        Lister { store: self.store.clone(), resource: Rc::clone(&self.resource) }
    }
}

impl<T> Clone for NamespaceLister<T> {
    fn clone(&self) -> NamespaceLister<T> {
        NamespaceLister { lister: self.lister.clone(), namespace: Rc::clone(&self.namespace) }
    }
}

impl<T> fmt::Debug for Lister<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lister").field("resource", &self.resource).field("store", &self.store).finish()
    }
}

impl<T> fmt::Debug for NamespaceLister<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamespaceLister").field("namespace", &self.namespace).field("lister", &self.lister).finish()
    }
}
