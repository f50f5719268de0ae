//! What a cache asks of the objects it holds.

use kube_core::Resource;

use super::ObjectKey;

/// Something that a cache can hold: it knows where it lies and which state of the object it is.
///
/// Every typed object is one, and so are dynamic objects and metadata. A view that shows ten fields of a pod may hold just
/// those: a struct with these three and the ten.
pub trait Object: 'static {
    /// Namespace and name.
    fn key(&self) -> ObjectKey;

    /// The version of this state; empty where it has none. Opaque: equal or not, never more or less.
    fn resource_version(&self) -> &str;

    /// What tells the object from a later one of the same name.
    fn uid(&self) -> &str;
}

impl<K: Resource + 'static> Object for K {
    fn key(&self) -> ObjectKey {
        let metadata = self.meta();
        ObjectKey::new(metadata.namespace.as_deref().unwrap_or(""), metadata.name.as_deref().unwrap_or(""))
    }

    fn resource_version(&self) -> &str {
        self.meta().resource_version.as_deref().unwrap_or("")
    }

    fn uid(&self) -> &str {
        self.meta().uid.as_deref().unwrap_or("")
    }
}
