//! Which jobs a pod may belong to.

use std::rc::Rc;

use k8s_openapi::api::{batch::v1::Job, core::v1::Pod};

use super::JobLister;

impl JobLister {
    /// The jobs whose selectors fit the pod; the one that its owner reference names controls it. One without a selector,
    /// or with an empty or invalid one, fits no pod.
    pub fn of_pod(&self, pod: &Pod) -> Vec<Rc<Job>> {
        let namespace = pod.metadata.namespace.as_deref().unwrap_or_default();
        self.lister.namespace(namespace).selecting(pod, |job| job.spec.as_ref()?.selector.as_ref())
    }
}
