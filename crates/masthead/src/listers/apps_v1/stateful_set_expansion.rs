//! Which stateful sets a pod may belong to.

use std::rc::Rc;

use k8s_openapi::api::{apps::v1::StatefulSet, core::v1::Pod};

use super::StatefulSetLister;

impl StatefulSetLister {
    /// The stateful sets whose selectors fit the pod; the one that its owner reference names controls it. One without a selector,
    /// or with an empty or invalid one, fits no pod.
    pub fn of_pod(&self, pod: &Pod) -> Vec<Rc<StatefulSet>> {
        let namespace = pod.metadata.namespace.as_deref().unwrap_or_default();
        self.lister.namespace(namespace).selecting(pod, |set| set.spec.as_ref().map(|spec| &spec.selector))
    }
}
