//! Which replication controllers a pod may belong to.

use std::rc::Rc;

use k8s_openapi::api::core::v1::{Pod, ReplicationController};

use super::ReplicationControllerLister;
use crate::{cache::Labelled, labels::Selector};

impl ReplicationControllerLister {
    /// The controllers whose selectors fit the pod; the one that its owner reference names controls it. One without a
    /// selector, or with an empty one, fits no pod.
    pub fn of_pod(&self, pod: &Pod) -> Vec<Rc<ReplicationController>> {
        let namespace = pod.metadata.namespace.as_deref().unwrap_or_default();
        let all = self.lister.namespace(namespace).list(&Selector::everything());
        let fits = |controller: &Rc<ReplicationController>| {
            let selector = controller.spec.as_ref().and_then(|spec| spec.selector.as_ref());
            selector.is_some_and(|selector| {
                !selector.is_empty() && selector.iter().all(|(key, value)| pod.label(key) == Some(value.as_str()))
            })
        };
        all.into_iter().filter(fits).collect()
    }
}
