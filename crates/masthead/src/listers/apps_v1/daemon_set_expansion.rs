//! Which daemon sets a pod or a revision may belong to.

use std::rc::Rc;

use k8s_openapi::api::{
    apps::v1::{ControllerRevision, DaemonSet},
    core::v1::Pod,
};

use super::DaemonSetLister;
use crate::cache::Labelled;

impl DaemonSetLister {
    /// The daemon sets whose selectors fit the pod; the one that its owner reference names controls it. One without a
    /// selector, or with an empty or invalid one, fits no pod.
    pub fn of_pod(&self, pod: &Pod) -> Vec<Rc<DaemonSet>> {
        self.fitting(pod, pod.metadata.namespace.as_deref())
    }

    /// The same for a revision in the history of a daemon set.
    pub fn of_history(&self, history: &ControllerRevision) -> Vec<Rc<DaemonSet>> {
        self.fitting(history, history.metadata.namespace.as_deref())
    }

    fn fitting(&self, object: &impl Labelled, namespace: Option<&str>) -> Vec<Rc<DaemonSet>> {
        let within = self.lister.namespace(namespace.unwrap_or_default());
        within.selecting(object, |set| set.spec.as_ref().map(|spec| &spec.selector))
    }
}
