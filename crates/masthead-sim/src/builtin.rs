//! The kinds that are there from the start, as a 1.36 server lists them.

use crate::kind::{Kind, Naming, Subresource};

/// Every built-in kind, the core group first, then groups in the order of their priority.
pub(crate) static KINDS: &[Kind] = &[
    Kind { short_names: &["cm"], ..Kind::namespaced(CORE, "configmaps", "configmap", "ConfigMap") },
    Kind { short_names: &["ep"], ..Kind::namespaced(CORE, "endpoints", "endpoints", "Endpoints") },
    Kind {
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
        ..Kind::namespaced(CORE, "events", "event", "Event")
    },
    Kind { short_names: &["limits"], ..Kind::namespaced(CORE, "limitranges", "limitrange", "LimitRange") },
    Kind {
        short_names: &["ns"],
        subresources: STATUS,
        fields: &["status.phase"],
        returns_deleted: true,
        naming: Naming::Label,
        ..Kind::cluster(CORE, "namespaces", "namespace", "Namespace")
    },
    Kind {
        short_names: &["no"],
        subresources: STATUS,
        fields: &["spec.unschedulable"],
        ..Kind::cluster(CORE, "nodes", "node", "Node")
    },
    Kind {
        short_names: &["pvc"],
        subresources: STATUS,
        returns_deleted: true,
        ..Kind::namespaced(CORE, "persistentvolumeclaims", "persistentvolumeclaim", "PersistentVolumeClaim")
    },
    Kind {
        short_names: &["pv"],
        subresources: STATUS,
        returns_deleted: true,
        ..Kind::cluster(CORE, "persistentvolumes", "persistentvolume", "PersistentVolume")
    },
    Kind {
        short_names: &["po"],
        categories: ALL,
        subresources: &[Subresource::Binding, Subresource::Eviction, Subresource::Status],
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
        ..Kind::namespaced(CORE, "pods", "pod", "Pod")
    },
    Kind {
        counts_generations: true,
        returns_deleted: true,
        ..Kind::namespaced(CORE, "podtemplates", "podtemplate", "PodTemplate")
    },
    Kind {
        short_names: &["rc"],
        categories: ALL,
        subresources: SCALE_STATUS,
        fields: &["status.replicas"],
        counts_generations: true,
        ..Kind::namespaced(CORE, "replicationcontrollers", "replicationcontroller", "ReplicationController")
    },
    Kind {
        short_names: &["quota"],
        subresources: STATUS,
        returns_deleted: true,
        ..Kind::namespaced(CORE, "resourcequotas", "resourcequota", "ResourceQuota")
    },
    Kind { fields: &["type"], ..Kind::namespaced(CORE, "secrets", "secret", "Secret") },
    Kind {
        short_names: &["sa"],
        returns_deleted: true,
        ..Kind::namespaced(CORE, "serviceaccounts", "serviceaccount", "ServiceAccount")
    },
    Kind {
        short_names: &["svc"],
        categories: ALL,
        subresources: STATUS,
        fields: &["spec.clusterIP", "spec.type"],
        returns_deleted: true,
        ..Kind::namespaced(CORE, "services", "service", "Service")
    },
    Kind::namespaced(APPS, "controllerrevisions", "controllerrevision", "ControllerRevision"),
    Kind {
        short_names: &["ds"],
        categories: ALL,
        subresources: STATUS,
        counts_generations: true,
        ..Kind::namespaced(APPS, "daemonsets", "daemonset", "DaemonSet")
    },
    Kind {
        short_names: &["deploy"],
        categories: ALL,
        subresources: SCALE_STATUS,
        counts_generations: true,
        ..Kind::namespaced(APPS, "deployments", "deployment", "Deployment")
    },
    Kind {
        short_names: &["rs"],
        categories: ALL,
        subresources: SCALE_STATUS,
        fields: &["status.replicas"],
        counts_generations: true,
        ..Kind::namespaced(APPS, "replicasets", "replicaset", "ReplicaSet")
    },
    Kind {
        short_names: &["sts"],
        categories: ALL,
        subresources: SCALE_STATUS,
        counts_generations: true,
        ..Kind::namespaced(APPS, "statefulsets", "statefulset", "StatefulSet")
    },
    Kind {
        short_names: &["hpa"],
        categories: ALL,
        subresources: STATUS,
        ..Kind::namespaced(
            AUTOSCALING,
            "horizontalpodautoscalers",
            "horizontalpodautoscaler",
            "HorizontalPodAutoscaler",
        )
    },
    Kind {
        short_names: &["cj"],
        categories: ALL,
        subresources: STATUS,
        counts_generations: true,
        ..Kind::namespaced(BATCH, "cronjobs", "cronjob", "CronJob")
    },
    Kind {
        categories: ALL,
        subresources: STATUS,
        fields: &["status.successful"],
        counts_generations: true,
        ..Kind::namespaced(BATCH, "jobs", "job", "Job")
    },
    Kind {
        short_names: &["csr"],
        subresources: STATUS,
        fields: &["spec.signerName"],
        ..Kind::cluster(
            CERTIFICATES,
            "certificatesigningrequests",
            "certificatesigningrequest",
            "CertificateSigningRequest",
        )
    },
    Kind { counts_generations: true, ..Kind::cluster(NETWORKING, "ingressclasses", "ingressclass", "IngressClass") },
    Kind {
        short_names: &["ing"],
        subresources: STATUS,
        counts_generations: true,
        ..Kind::namespaced(NETWORKING, "ingresses", "ingress", "Ingress")
    },
    Kind {
        short_names: &["netpol"],
        counts_generations: true,
        ..Kind::namespaced(NETWORKING, "networkpolicies", "networkpolicy", "NetworkPolicy")
    },
    Kind {
        short_names: &["pdb"],
        subresources: STATUS,
        counts_generations: true,
        needs_version: true,
        ..Kind::namespaced(POLICY, "poddisruptionbudgets", "poddisruptionbudget", "PodDisruptionBudget")
    },
    Kind {
        naming: Naming::PathSegment,
        ..Kind::cluster(RBAC, "clusterrolebindings", "clusterrolebinding", "ClusterRoleBinding")
    },
    Kind { naming: Naming::PathSegment, ..Kind::cluster(RBAC, "clusterroles", "clusterrole", "ClusterRole") },
    Kind { naming: Naming::PathSegment, ..Kind::namespaced(RBAC, "rolebindings", "rolebinding", "RoleBinding") },
    Kind { naming: Naming::PathSegment, ..Kind::namespaced(RBAC, "roles", "role", "Role") },
    Kind {
        returns_deleted: true,
        needs_version: true,
        ..Kind::cluster(STORAGE, "csidrivers", "csidriver", "CSIDriver")
    },
    Kind { returns_deleted: true, needs_version: true, ..Kind::cluster(STORAGE, "csinodes", "csinode", "CSINode") },
    Kind {
        needs_version: true,
        ..Kind::namespaced(STORAGE, "csistoragecapacities", "csistoragecapacity", "CSIStorageCapacity")
    },
    Kind {
        short_names: &["sc"],
        returns_deleted: true,
        ..Kind::cluster(STORAGE, "storageclasses", "storageclass", "StorageClass")
    },
    Kind {
        subresources: STATUS,
        returns_deleted: true,
        needs_version: true,
        ..Kind::cluster(STORAGE, "volumeattachments", "volumeattachment", "VolumeAttachment")
    },
    Kind {
        categories: &["api-extensions"],
        counts_generations: true,
        needs_version: true,
        ..Kind::cluster(
            ADMISSIONREGISTRATION,
            "mutatingwebhookconfigurations",
            "mutatingwebhookconfiguration",
            "MutatingWebhookConfiguration",
        )
    },
    Kind {
        categories: &["api-extensions"],
        counts_generations: true,
        needs_version: true,
        ..Kind::cluster(
            ADMISSIONREGISTRATION,
            "validatingwebhookconfigurations",
            "validatingwebhookconfiguration",
            "ValidatingWebhookConfiguration",
        )
    },
    Kind {
        short_names: &["pc"],
        counts_generations: true,
        ..Kind::cluster(SCHEDULING, "priorityclasses", "priorityclass", "PriorityClass")
    },
    Kind { needs_version: true, ..Kind::namespaced(COORDINATION, "leases", "lease", "Lease") },
    Kind { needs_version: true, ..Kind::cluster(NODE, "runtimeclasses", "runtimeclass", "RuntimeClass") },
    Kind {
        counts_generations: true,
        ..Kind::namespaced(DISCOVERY, "endpointslices", "endpointslice", "EndpointSlice")
    },
    Kind {
        subresources: STATUS,
        counts_generations: true,
        ..Kind::cluster(FLOWCONTROL, "flowschemas", "flowschema", "FlowSchema")
    },
    Kind {
        subresources: STATUS,
        counts_generations: true,
        ..Kind::cluster(
            FLOWCONTROL,
            "prioritylevelconfigurations",
            "prioritylevelconfiguration",
            "PriorityLevelConfiguration",
        )
    },
];

/// The namespaces that every cluster has.
pub(crate) const NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// The kind of namespaces themselves.
pub(crate) fn namespaces() -> &'static Kind {
    KINDS.iter().find(|kind| kind.plural == "namespaces").expect("namespaces are built in")
}

/// The kind of this name in a group-version.
pub(crate) fn find(group: &str, version: &str, plural: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.plural == plural && kind.group == group && kind.version == version)
}

/// The kind of an object, by its `apiVersion` and `kind`.
pub(crate) fn of_object(api_version: &str, kind: &str) -> Option<&'static Kind> {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    KINDS.iter().find(|known| known.kind == kind && known.group == group && known.version == version)
}

const ALL: &[&str] = &["all"];
const STATUS: &[Subresource] = &[Subresource::Status];
const SCALE_STATUS: &[Subresource] = &[Subresource::Scale, Subresource::Status];

const CORE: (&str, &str) = ("", "v1");
const APPS: (&str, &str) = ("apps", "v1");
const AUTOSCALING: (&str, &str) = ("autoscaling", "v2");
const BATCH: (&str, &str) = ("batch", "v1");
const CERTIFICATES: (&str, &str) = ("certificates.k8s.io", "v1");
const NETWORKING: (&str, &str) = ("networking.k8s.io", "v1");
const POLICY: (&str, &str) = ("policy", "v1");
const RBAC: (&str, &str) = ("rbac.authorization.k8s.io", "v1");
const STORAGE: (&str, &str) = ("storage.k8s.io", "v1");
const ADMISSIONREGISTRATION: (&str, &str) = ("admissionregistration.k8s.io", "v1");
const SCHEDULING: (&str, &str) = ("scheduling.k8s.io", "v1");
const COORDINATION: (&str, &str) = ("coordination.k8s.io", "v1");
const NODE: (&str, &str) = ("node.k8s.io", "v1");
const DISCOVERY: (&str, &str) = ("discovery.k8s.io", "v1");
const FLOWCONTROL: (&str, &str) = ("flowcontrol.apiserver.k8s.io", "v1");
