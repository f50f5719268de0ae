//! What an event is about.

use k8s_openapi::api::core::v1::ObjectReference;
use kube_core::Resource;

/// The reference to `object` that events about it carry: kind, name, uid and the version it has. `kind` is `&()` for objects
/// whose kind is a Rust type.
pub fn reference<K: Resource>(object: &K, kind: &K::DynamicType) -> ObjectReference {
    ObjectReference { resource_version: object.meta().resource_version.clone(), ..object.object_ref(kind) }
}
