//! Which disruption budgets protect a pod.

use std::rc::Rc;

use k8s_openapi::{
    api::{core::v1::Pod, policy::v1::PodDisruptionBudget},
    apimachinery::pkg::apis::meta::v1::LabelSelector,
};

use super::PodDisruptionBudgetLister;

impl PodDisruptionBudgetLister {
    /// The budgets that protect the pod. One with an empty selector protects every pod of its namespace, one without a
    /// selector none.
    pub fn of_pod(&self, pod: &Pod) -> Vec<Rc<PodDisruptionBudget>> {
        let namespace = pod.metadata.namespace.as_deref().unwrap_or_default();
        let within = self.lister.namespace(namespace);
        let mut found = within.selecting(pod, |budget| budget.spec.as_ref()?.selector.as_ref());
        found.extend(within.list(&Default::default()).into_iter().filter(|budget| {
            let selector = budget.spec.as_ref().and_then(|spec| spec.selector.as_ref());
            selector.is_some_and(|selector| *selector == LabelSelector::default())
        }));
        found
    }
}
