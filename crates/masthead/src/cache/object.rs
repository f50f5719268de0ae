//! What a cache asks of the objects it holds: a key, a version and a uid.

use std::{cmp::Ordering, fmt, rc::Rc, str::FromStr};

use kube_core::Resource;

use crate::Error;

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

/// Namespace and name of an object in one shared string: `namespace/name`, or `name` where there is no namespace.
///
/// Cheap to clone. Ordered by namespace, then by name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ObjectKey(Rc<str>);

impl ObjectKey {
    /// The key of this name; an empty namespace is none.
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

    /// The namespace; empty where there is none.
    pub fn namespace(&self) -> &str {
        self.parts().0
    }

    /// The name.
    pub fn name(&self) -> &str {
        self.parts().1
    }

    /// The key as it is written.
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
    fn keys_are_written_and_read_as_client_go_does() {
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
