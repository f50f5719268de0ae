//! Who acts: the parts of a control plane, and the nodes.

/// A component, as events and field owners name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Component {
    Autoscaling,
    CronJobs,
    DaemonSets,
    Deployments,
    Disruptions,
    Endpoints,
    EndpointSlices,
    Jobs,
    Kubelet,
    NodeLifecycle,
    /// Whoever sits at a keyboard.
    People,
    PodCollection,
    ReplicaSets,
    Scheduler,
    StatefulSets,
    TaintEviction,
    TimeToLive,
    Volumes,
}

impl Component {
    /// The name in its events.
    pub(crate) fn source(self) -> &'static str {
        match self {
            Component::Autoscaling => "horizontal-pod-autoscaler",
            Component::CronJobs => "cronjob-controller",
            Component::DaemonSets => "daemonset-controller",
            Component::Deployments => "deployment-controller",
            Component::Disruptions => "controllermanager",
            Component::Endpoints => "endpoint-controller",
            Component::EndpointSlices => "endpoint-slice-controller",
            Component::Jobs => "job-controller",
            Component::Kubelet => "kubelet",
            Component::NodeLifecycle => "node-controller",
            Component::People => "kubectl",
            Component::PodCollection => "pod-garbage-collector",
            Component::ReplicaSets => "replicaset-controller",
            Component::Scheduler => "default-scheduler",
            Component::StatefulSets => "statefulset-controller",
            Component::TaintEviction => "taint-eviction-controller",
            Component::TimeToLive => "ttl-after-finished-controller",
            Component::Volumes => "persistentvolume-controller",
        }
    }

    /// The program it is part of, which owns the fields it writes.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Component::Kubelet => "kubelet",
            Component::People => "kubectl",
            Component::Scheduler => "kube-scheduler",
            _ => "kube-controller-manager",
        }
    }
}
