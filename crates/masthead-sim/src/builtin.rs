//! The kinds that are there from the start, as a 1.36 server lists them.

use crate::{
    kind::{Kind, Naming, ResourceId, Scope, Subresource},
    schema::Schema,
};

/// A built-in kind, as the table below has it.
#[derive(Debug)]
pub(crate) struct Builtin {
    group: &'static str,
    version: &'static str,
    plural: &'static str,
    singular: &'static str,
    kind: &'static str,
    short_names: &'static [&'static str],
    categories: &'static [&'static str],
    scope: Scope,
    subresources: &'static [Subresource],
    fields: &'static [&'static str],
    counts_generations: bool,
    returns_deleted: bool,
    needs_version: bool,
    naming: Naming,
}

impl Builtin {
    const fn namespaced(
        (group, version): (&'static str, &'static str),
        plural: &'static str,
        singular: &'static str,
        kind: &'static str,
    ) -> Builtin {
        Builtin {
            group,
            version,
            plural,
            singular,
            kind,
            short_names: &[],
            categories: &[],
            scope: Scope::Namespaced,
            subresources: &[],
            fields: &[],
            counts_generations: false,
            returns_deleted: false,
            needs_version: false,
            naming: Naming::Subdomain,
        }
    }

    const fn cluster(
        group_version: (&'static str, &'static str),
        plural: &'static str,
        singular: &'static str,
        kind: &'static str,
    ) -> Builtin {
        Builtin { scope: Scope::Cluster, ..Builtin::namespaced(group_version, plural, singular, kind) }
    }

    /// The kind as it is served, filed under `resource`.
    pub(crate) fn kind(&self, resource: ResourceId) -> Kind {
        let owned = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect();
        Kind {
            resource,
            group: self.group.to_owned(),
            version: self.version.to_owned(),
            plural: self.plural.to_owned(),
            singular: self.singular.to_owned(),
            kind: self.kind.to_owned(),
            short_names: owned(self.short_names),
            categories: owned(self.categories),
            scope: self.scope,
            subresources: self.subresources.to_vec(),
            fields: owned(self.fields),
            counts_generations: self.counts_generations,
            returns_deleted: self.returns_deleted,
            needs_version: self.needs_version,
            naming: self.naming,
            schema: Schema::of_kind(self.group, self.version, self.kind)
                .expect("the type of a built-in kind is recorded"),
        }
    }
}

/// Every built-in kind, the core group first, then groups in the order of their priority.
pub(crate) static KINDS: &[Builtin] = &[
    Builtin { short_names: &["cm"], ..Builtin::namespaced(CORE, "configmaps", "configmap", "ConfigMap") },
    Builtin { short_names: &["ep"], ..Builtin::namespaced(CORE, "endpoints", "endpoints", "Endpoints") },
    Builtin {
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
    },
    Builtin { short_names: &["limits"], ..Builtin::namespaced(CORE, "limitranges", "limitrange", "LimitRange") },
    Builtin {
        short_names: &["ns"],
        subresources: STATUS,
        fields: &["status.phase"],
        returns_deleted: true,
        naming: Naming::Label,
        ..Builtin::cluster(CORE, "namespaces", "namespace", "Namespace")
    },
    Builtin {
        short_names: &["no"],
        subresources: STATUS,
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
        returns_deleted: true,
        ..Builtin::namespaced(CORE, "serviceaccounts", "serviceaccount", "ServiceAccount")
    },
    Builtin {
        short_names: &["svc"],
        categories: ALL,
        subresources: STATUS,
        fields: &["spec.clusterIP", "spec.type"],
        returns_deleted: true,
        ..Builtin::namespaced(CORE, "services", "service", "Service")
    },
    Builtin::namespaced(APPS, "controllerrevisions", "controllerrevision", "ControllerRevision"),
    Builtin {
        short_names: &["ds"],
        categories: ALL,
        subresources: STATUS,
        counts_generations: true,
        ..Builtin::namespaced(APPS, "daemonsets", "daemonset", "DaemonSet")
    },
    Builtin {
        short_names: &["deploy"],
        categories: ALL,
        subresources: SCALE_STATUS,
        counts_generations: true,
        ..Builtin::namespaced(APPS, "deployments", "deployment", "Deployment")
    },
    Builtin {
        short_names: &["rs"],
        categories: ALL,
        subresources: SCALE_STATUS,
        fields: &["status.replicas"],
        counts_generations: true,
        ..Builtin::namespaced(APPS, "replicasets", "replicaset", "ReplicaSet")
    },
    Builtin {
        short_names: &["sts"],
        categories: ALL,
        subresources: SCALE_STATUS,
        counts_generations: true,
        ..Builtin::namespaced(APPS, "statefulsets", "statefulset", "StatefulSet")
    },
    Builtin {
        short_names: &["hpa"],
        categories: ALL,
        subresources: STATUS,
        ..Builtin::namespaced(
            AUTOSCALING,
            "horizontalpodautoscalers",
            "horizontalpodautoscaler",
            "HorizontalPodAutoscaler",
        )
    },
    Builtin {
        short_names: &["cj"],
        categories: ALL,
        subresources: STATUS,
        counts_generations: true,
        ..Builtin::namespaced(BATCH, "cronjobs", "cronjob", "CronJob")
    },
    Builtin {
        categories: ALL,
        subresources: STATUS,
        fields: &["status.successful"],
        counts_generations: true,
        ..Builtin::namespaced(BATCH, "jobs", "job", "Job")
    },
    Builtin {
        short_names: &["csr"],
        subresources: STATUS,
        fields: &["spec.signerName"],
        ..Builtin::cluster(
            CERTIFICATES,
            "certificatesigningrequests",
            "certificatesigningrequest",
            "CertificateSigningRequest",
        )
    },
    Builtin {
        counts_generations: true,
        ..Builtin::cluster(NETWORKING, "ingressclasses", "ingressclass", "IngressClass")
    },
    Builtin {
        short_names: &["ing"],
        subresources: STATUS,
        counts_generations: true,
        ..Builtin::namespaced(NETWORKING, "ingresses", "ingress", "Ingress")
    },
    Builtin {
        short_names: &["netpol"],
        counts_generations: true,
        ..Builtin::namespaced(NETWORKING, "networkpolicies", "networkpolicy", "NetworkPolicy")
    },
    Builtin {
        short_names: &["pdb"],
        subresources: STATUS,
        counts_generations: true,
        needs_version: true,
        ..Builtin::namespaced(POLICY, "poddisruptionbudgets", "poddisruptionbudget", "PodDisruptionBudget")
    },
    Builtin {
        naming: Naming::PathSegment,
        ..Builtin::cluster(RBAC, "clusterrolebindings", "clusterrolebinding", "ClusterRoleBinding")
    },
    Builtin { naming: Naming::PathSegment, ..Builtin::cluster(RBAC, "clusterroles", "clusterrole", "ClusterRole") },
    Builtin { naming: Naming::PathSegment, ..Builtin::namespaced(RBAC, "rolebindings", "rolebinding", "RoleBinding") },
    Builtin { naming: Naming::PathSegment, ..Builtin::namespaced(RBAC, "roles", "role", "Role") },
    Builtin {
        returns_deleted: true,
        needs_version: true,
        ..Builtin::cluster(STORAGE, "csidrivers", "csidriver", "CSIDriver")
    },
    Builtin {
        returns_deleted: true,
        needs_version: true,
        ..Builtin::cluster(STORAGE, "csinodes", "csinode", "CSINode")
    },
    Builtin {
        needs_version: true,
        ..Builtin::namespaced(STORAGE, "csistoragecapacities", "csistoragecapacity", "CSIStorageCapacity")
    },
    Builtin {
        short_names: &["sc"],
        returns_deleted: true,
        ..Builtin::cluster(STORAGE, "storageclasses", "storageclass", "StorageClass")
    },
    Builtin {
        subresources: STATUS,
        returns_deleted: true,
        needs_version: true,
        ..Builtin::cluster(STORAGE, "volumeattachments", "volumeattachment", "VolumeAttachment")
    },
    Builtin {
        categories: &["api-extensions"],
        counts_generations: true,
        needs_version: true,
        ..Builtin::cluster(
            ADMISSIONREGISTRATION,
            "mutatingwebhookconfigurations",
            "mutatingwebhookconfiguration",
            "MutatingWebhookConfiguration",
        )
    },
    Builtin {
        categories: &["api-extensions"],
        counts_generations: true,
        needs_version: true,
        ..Builtin::cluster(
            ADMISSIONREGISTRATION,
            "validatingwebhookconfigurations",
            "validatingwebhookconfiguration",
            "ValidatingWebhookConfiguration",
        )
    },
    Builtin {
        short_names: &["pc"],
        counts_generations: true,
        ..Builtin::cluster(SCHEDULING, "priorityclasses", "priorityclass", "PriorityClass")
    },
    Builtin { needs_version: true, ..Builtin::namespaced(COORDINATION, "leases", "lease", "Lease") },
    Builtin { needs_version: true, ..Builtin::cluster(NODE, "runtimeclasses", "runtimeclass", "RuntimeClass") },
    Builtin {
        counts_generations: true,
        ..Builtin::namespaced(DISCOVERY, "endpointslices", "endpointslice", "EndpointSlice")
    },
    Builtin {
        subresources: STATUS,
        counts_generations: true,
        ..Builtin::cluster(FLOWCONTROL, "flowschemas", "flowschema", "FlowSchema")
    },
    Builtin {
        subresources: STATUS,
        counts_generations: true,
        ..Builtin::cluster(
            FLOWCONTROL,
            "prioritylevelconfigurations",
            "prioritylevelconfiguration",
            "PriorityLevelConfiguration",
        )
    },
];

/// The namespaces that every cluster has.
pub(crate) const NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

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
