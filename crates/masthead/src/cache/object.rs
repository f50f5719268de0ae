//! The objects that a store can hold, and their keys.

use std::{cmp::Ordering, fmt, rc::Rc, str::FromStr};

use kube_core::Resource;

use crate::Error;

/// An object that a store can hold: it has a key, a resource version and a uid.
///
/// Implemented for every Kubernetes type, for dynamic objects and for metadata. A view that shows ten fields of a pod
/// can store just those in a struct of its own:
///
/// ```
/// use masthead::cache::{Object, ObjectKey};
///
/// struct PodRow {
///     key: ObjectKey,
///     resource_version: String,
///     uid: String,
///     phase: String,
/// }
///
/// impl Object for PodRow {
///     fn key(&self) -> ObjectKey {
///         self.key.clone()
///     }
///
///     fn resource_version(&self) -> &str {
///         &self.resource_version
///     }
///
///     fn uid(&self) -> &str {
///         &self.uid
///     }
/// }
/// ```
pub trait Object: 'static {
    /// Namespace and name.
    fn key(&self) -> ObjectKey;

    /// The resource version of this state; empty if it has none. Opaque: versions are equal or different, never
    /// ordered.
    fn resource_version(&self) -> &str;

    /// The uid, which differs between two objects that had the same name one after the other. Empty if it has none.
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

/// The namespace and name of an object: `namespace/name`, or `name` for a cluster-scoped object.
///
/// The same text as client-go's `MetaNamespaceKeyFunc` returns. Cheap to clone. Sorts by namespace, then by name.
///
/// ```
/// use masthead::cache::ObjectKey;
///
/// let key: ObjectKey = "shop/frontend".parse()?;
/// assert_eq!((key.namespace(), key.name()), ("shop", "frontend"));
/// assert_eq!(key, ObjectKey::new("shop", "frontend"));
/// # Ok::<(), masthead::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ObjectKey(Rc<str>);

impl ObjectKey {
    /// Creates a key. An empty namespace means a cluster-scoped object.
    pub fn new(namespace: &str, name: &str) -> ObjectKey {
        if namespace.is_empty() {
            return ObjectKey(name.into());
        }
        let mut key = String::with_capacity(namespace.len() + 1 + name.len());
        key.push_str(namespace);
        key.push('/');
        key.push_str(name);
        ObjectKey(key.into())
    }

    /// The namespace; empty for a cluster-scoped object.
    pub fn namespace(&self) -> &str {
        self.parts().0
    }

    /// The name.
    pub fn name(&self) -> &str {
        self.parts().1
    }

    /// The key as text: `namespace/name` or `name`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn parts(&self) -> (&str, &str) {
        self.0.split_once('/').unwrap_or(("", &self.0))
    }
}

impl FromStr for ObjectKey {
    type Err = Error;

    fn from_str(text: &str) -> Result<ObjectKey, Error> {
        if text.matches('/').count() > 1 {
            return Err(Error::invalid("parse object key", format!("unexpected key format: {text:?}")));
        }
        Ok(ObjectKey(text.into()))
    }
}

impl Ord for ObjectKey {
    fn cmp(&self, other: &ObjectKey) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl PartialOrd for ObjectKey {
    fn partial_cmp(&self, other: &ObjectKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::ObjectKey;

    #[test]
    fn keys_have_the_format_of_client_go() {
        let check = |text: &str, namespace: &str, name: &str| {
            let key: ObjectKey = text.parse().expect("a key");
            assert_eq!((key.namespace(), key.name()), (namespace, name), "{text}");
            assert_eq!(ObjectKey::new(namespace, name), key);
            assert_eq!(key.to_string(), text);
        };
        check("ns/name", "ns", "name");
        check("name", "", "name");
        let wrong = "a/b/c".parse::<ObjectKey>().expect_err("three parts");
        assert!(wrong.to_string().ends_with("unexpected key format: \"a/b/c\""), "{wrong}");
    }

    #[test]
    fn namespaces_sort_before_names() {
        let mut keys = ["a-b/x", "a/z", "a/y", "z"].map(|text| text.parse::<ObjectKey>().expect("a key"));
        keys.sort();
        assert_eq!(format!("{keys:?}"), "[z, a/y, a/z, a-b/x]");
    }
}
