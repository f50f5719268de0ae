//! Who acts: the parts of a control plane, and the nodes.

/// A component, as events and field owners name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Component {
    Deployments,
    Kubelet,
    ReplicaSets,
    Scheduler,
}

impl Component {
    /// The name in its events.
    pub(crate) fn source(self) -> &'static str {
        match self {
            Component::Deployments => "deployment-controller",
            Component::Kubelet => "kubelet",
            Component::ReplicaSets => "replicaset-controller",
            Component::Scheduler => "default-scheduler",
        }
    }

    /// The program it is part of, which owns the fields it writes.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Component::Kubelet => "kubelet",
            Component::Scheduler => "kube-scheduler",
            _ => "kube-controller-manager",
        }
    }
}
