//! Who controls an object.

use std::any::TypeId;

use k8s_openapi::ClusterResourceScope;
use kube_core::{ObjectMeta, Resource};

use crate::cache::ObjectKey;

/// A kind of owners.
pub(super) struct Owner {
    group: String,
    kind: String,
    namespaced: bool,
}

impl Owner {
    pub(super) fn of<K: Resource<DynamicType = (), Scope: 'static>>() -> Owner {
        Owner {
            group: K::group(&()).into_owned(),
            kind: K::kind(&()).into_owned(),
            namespaced: TypeId::of::<K::Scope>() != TypeId::of::<ClusterResourceScope>(),
        }
    }

    /// The object of this kind that controls the object with this metadata. Versions do not matter: a group's kind is the
    /// same object in all of them.
    pub(super) fn key(&self, metadata: &ObjectMeta) -> Option<ObjectKey> {
        let references = metadata.owner_references.iter().flatten();
        let owner = references.into_iter().find(|reference| {
            let (group, _) = reference.api_version.split_once('/').unwrap_or(("", ""));
            reference.controller == Some(true) && reference.kind == self.kind && group == self.group
        })?;
        let namespace = metadata.namespace.as_deref().filter(|_| self.namespaced).unwrap_or_default();
        Some(ObjectKey::new(namespace, &owner.name))
    }
}
