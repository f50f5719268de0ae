//! The kinds that the workloads engine reads and writes.

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Resource {
    Autoscaler,
    Claim,
    ConfigMap,
    CronJob,
    DaemonSet,
    Deployment,
    DisruptionBudget,
    Endpoints,
    EndpointSlice,
    Event,
    Job,
    Lease,
    Node,
    Pod,
    ReplicaSet,
    Revision,
    Service,
    StatefulSet,
    StorageClass,
    Volume,
}

impl Resource {
    const ALL: [Resource; 20] = [
        Resource::Autoscaler,
        Resource::Claim,
        Resource::ConfigMap,
        Resource::CronJob,
        Resource::DaemonSet,
        Resource::Deployment,
        Resource::DisruptionBudget,
        Resource::Endpoints,
        Resource::EndpointSlice,
        Resource::Event,
        Resource::Job,
        Resource::Lease,
        Resource::Node,
        Resource::Pod,
        Resource::ReplicaSet,
        Resource::Revision,
        Resource::Service,
        Resource::StatefulSet,
        Resource::StorageClass,
        Resource::Volume,
    ];

    /// The resource of a group and plural, if it is one of these.
    pub(crate) fn find(group: &str, plural: &str) -> Option<Resource> {
        Resource::ALL.into_iter().find(|resource| {
            let (known, _, name) = resource.names();
            known == group && name == plural
        })
    }

    /// The resource of a kind, as owner references name it.
    pub(crate) fn of_kind(kind: &str) -> Option<Resource> {
        Some(match kind {
            "CronJob" => Resource::CronJob,
            "DaemonSet" => Resource::DaemonSet,
            "Deployment" => Resource::Deployment,
            "Job" => Resource::Job,
            "ReplicaSet" => Resource::ReplicaSet,
            "StatefulSet" => Resource::StatefulSet,
            _ => return None,
        })
    }

    /// Group, version and plural.
    pub(crate) fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Resource::Autoscaler => ("autoscaling", "v2", "horizontalpodautoscalers"),
            Resource::Claim => ("", "v1", "persistentvolumeclaims"),
            Resource::ConfigMap => ("", "v1", "configmaps"),
            Resource::CronJob => ("batch", "v1", "cronjobs"),
            Resource::DaemonSet => ("apps", "v1", "daemonsets"),
            Resource::Deployment => ("apps", "v1", "deployments"),
            Resource::DisruptionBudget => ("policy", "v1", "poddisruptionbudgets"),
            Resource::Endpoints => ("", "v1", "endpoints"),
            Resource::EndpointSlice => ("discovery.k8s.io", "v1", "endpointslices"),
            Resource::Event => ("", "v1", "events"),
            Resource::Job => ("batch", "v1", "jobs"),
            Resource::Lease => ("coordination.k8s.io", "v1", "leases"),
            Resource::Node => ("", "v1", "nodes"),
            Resource::Pod => ("", "v1", "pods"),
            Resource::ReplicaSet => ("apps", "v1", "replicasets"),
            Resource::Revision => ("apps", "v1", "controllerrevisions"),
            Resource::Service => ("", "v1", "services"),
            Resource::StatefulSet => ("apps", "v1", "statefulsets"),
            Resource::StorageClass => ("storage.k8s.io", "v1", "storageclasses"),
            Resource::Volume => ("", "v1", "persistentvolumes"),
        }
    }
}
