//! The built-in kinds of the core group.

use super::{ALL, Builtin, PROXY_STATUS, SCALE_STATUS, STATUS};
use crate::kind::{Naming, Subresource};

/// The core group, in the order of the names.
pub(crate) static KINDS: &[Builtin] = &[
    Builtin { verbs: &["create"], ..Builtin::namespaced(CORE, "bindings", "binding", "Binding") },
    Builtin {
        short_names: &["cs"],
        verbs: &["get", "list"],
        ..Builtin::cluster(CORE, "componentstatuses", "componentstatus", "ComponentStatus")
    },
    Builtin { short_names: &["cm"], ..Builtin::namespaced(CORE, "configmaps", "configmap", "ConfigMap") },
    Builtin { short_names: &["ep"], ..Builtin::namespaced(CORE, "endpoints", "endpoints", "Endpoints") },
    EVENTS,
    Builtin { short_names: &["limits"], ..Builtin::namespaced(CORE, "limitranges", "limitrange", "LimitRange") },
    Builtin {
        short_names: &["ns"],
        // Namespaces are deleted one by one.
        verbs: &["create", "delete", "get", "list", "patch", "update", "watch"],
        subresources: &[Subresource::Finalize, Subresource::Status],
        fields: &["status.phase"],
        returns_deleted: true,
        naming: Naming::Label,
        ..Builtin::cluster(CORE, "namespaces", "namespace", "Namespace")
    },
    Builtin {
        short_names: &["no"],
        subresources: PROXY_STATUS,
        fields: &["spec.unschedulable"],
        ..Builtin::cluster(CORE, "nodes", "node", "Node")
    },
    Builtin {
        short_names: &["pvc"],
        subresources: STATUS,
        returns_deleted: true,
        ..Builtin::namespaced(CORE, "persistentvolumeclaims", "persistentvolumeclaim", "PersistentVolumeClaim")
    },
    Builtin {
        short_names: &["pv"],
        subresources: STATUS,
        returns_deleted: true,
        ..Builtin::cluster(CORE, "persistentvolumes", "persistentvolume", "PersistentVolume")
    },
    Builtin {
        short_names: &["po"],
        categories: ALL,
        subresources: POD_PARTS,
        fields: &[
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.nominatedNodeName",
        ],
        counts_generations: true,
        returns_deleted: true,
        ..Builtin::namespaced(CORE, "pods", "pod", "Pod")
    },
    Builtin {
        counts_generations: true,
        returns_deleted: true,
        ..Builtin::namespaced(CORE, "podtemplates", "podtemplate", "PodTemplate")
    },
    Builtin {
        short_names: &["rc"],
        categories: ALL,
        subresources: SCALE_STATUS,
        fields: &["status.replicas"],
        counts_generations: true,
        ..Builtin::namespaced(CORE, "replicationcontrollers", "replicationcontroller", "ReplicationController")
    },
    Builtin {
        short_names: &["quota"],
        subresources: STATUS,
        returns_deleted: true,
        ..Builtin::namespaced(CORE, "resourcequotas", "resourcequota", "ResourceQuota")
    },
    Builtin { fields: &["type"], ..Builtin::namespaced(CORE, "secrets", "secret", "Secret") },
    Builtin {
        short_names: &["sa"],
        subresources: &[Subresource::Token],
        returns_deleted: true,
        ..Builtin::namespaced(CORE, "serviceaccounts", "serviceaccount", "ServiceAccount")
    },
    Builtin {
        short_names: &["svc"],
        categories: ALL,
        subresources: PROXY_STATUS,
        fields: &["spec.clusterIP", "spec.type"],
        returns_deleted: true,
        naming: Naming::Label,
        ..Builtin::namespaced(CORE, "services", "service", "Service")
    },
];

/// Events of the core group, as those of every group are stored.
pub(super) const EVENTS: Builtin = Builtin {
    short_names: &["ev"],
    fields: &[
        "involvedObject.kind",
        "involvedObject.namespace",
        "involvedObject.name",
        "involvedObject.uid",
        "involvedObject.apiVersion",
        "involvedObject.resourceVersion",
        "involvedObject.fieldPath",
        "reason",
        "reportingComponent",
        "type",
    ],
    ..Builtin::namespaced(CORE, "events", "event", "Event")
};

const POD_PARTS: &[Subresource] = &[
    Subresource::Attach,
    Subresource::Binding,
    Subresource::EphemeralContainers,
    Subresource::Eviction,
    Subresource::Exec,
    Subresource::Log,
    Subresource::PortForward,
    Subresource::Proxy,
    Subresource::Resize,
    Subresource::Status,
];

const CORE: (&str, &str) = ("", "v1");
