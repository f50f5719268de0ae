//! What informers commonly leave out of objects.

use std::rc::Rc;

use kube_core::Resource;

use super::Transform;

/// Leaves out who owns which field: a third to a half of an object, that hardly anybody reads.
pub fn without_managed_fields<K: Resource + 'static>() -> Transform<K> {
    Rc::new(|mut object: K| {
        object.meta_mut().managed_fields = None;
        Ok(object)
    })
}

/// Leaves only the metadata, without who owns which field; the rest is as if it were empty.
///
/// The bytes come over the wire all the same: see [`MetadataClient`](crate::metadata::MetadataClient) for less.
pub fn metadata_only<K: Resource + Default + 'static>() -> Transform<K> {
    Rc::new(|mut object: K| {
        let mut bare = K::default();
        std::mem::swap(bare.meta_mut(), object.meta_mut());
        bare.meta_mut().managed_fields = None;
        Ok(bare)
    })
}
