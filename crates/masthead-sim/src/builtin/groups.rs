//! The built-in kinds of the named groups.

use super::{ALL, Builtin, SCALE_STATUS, STATUS, core::EVENTS};
use crate::kind::{Naming, Subresource};

/// Every group but the core in the order of their priority, their kinds in the order of the names.
pub(crate) static KINDS: &[Builtin] = &[
    Builtin {
        categories: EXTENSIONS,
        subresources: STATUS,
        needs_version: true,
        ..Builtin::cluster(APIREGISTRATION, "apiservices", "apiservice", "APIService")
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
        naming: Naming::Label,
        ..Builtin::namespaced(APPS, "statefulsets", "statefulset", "StatefulSet")
    },
    Builtin {
        fields: &[
            "regarding.kind",
            "regarding.namespace",
            "regarding.name",
            "regarding.uid",
            "regarding.apiVersion",
            "regarding.resourceVersion",
            "regarding.fieldPath",
            "reason",
            "reportingController",
            "type",
        ],
        ..EVENTS.also(("events.k8s.io", "v1"))
    },
    Builtin::cluster(AUTHENTICATION, "selfsubjectreviews", "selfsubjectreview", "SelfSubjectReview").review(),
    Builtin::cluster(AUTHENTICATION, "tokenreviews", "tokenreview", "TokenReview").review(),
    Builtin::namespaced(
        AUTHORIZATION,
        "localsubjectaccessreviews",
        "localsubjectaccessreview",
        "LocalSubjectAccessReview",
    )
    .review(),
    Builtin::cluster(AUTHORIZATION, "selfsubjectaccessreviews", "selfsubjectaccessreview", "SelfSubjectAccessReview")
        .review(),
    Builtin::cluster(AUTHORIZATION, "selfsubjectrulesreviews", "selfsubjectrulesreview", "SelfSubjectRulesReview")
        .review(),
    Builtin::cluster(AUTHORIZATION, "subjectaccessreviews", "subjectaccessreview", "SubjectAccessReview").review(),
    AUTOSCALERS,
    AUTOSCALERS.also(("autoscaling", "v1")),
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
        subresources: &[Subresource::Approval, Subresource::Status],
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
    Builtin { short_names: &["ip"], ..Builtin::cluster(NETWORKING, "ipaddresses", "ipaddress", "IPAddress") },
    Builtin {
        short_names: &["netpol"],
        counts_generations: true,
        ..Builtin::namespaced(NETWORKING, "networkpolicies", "networkpolicy", "NetworkPolicy")
    },
    Builtin {
        subresources: STATUS,
        returns_deleted: true,
        ..Builtin::cluster(NETWORKING, "servicecidrs", "servicecidr", "ServiceCIDR")
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
        short_names: &["vac"],
        returns_deleted: true,
        ..Builtin::cluster(STORAGE, "volumeattributesclasses", "volumeattributesclass", "VolumeAttributesClass")
    },
    Builtin {
        categories: EXTENSIONS,
        stored_version: "v1beta1",
        counts_generations: true,
        needs_version: true,
        ..Builtin::cluster(
            ADMISSIONREGISTRATION,
            "mutatingadmissionpolicies",
            "mutatingadmissionpolicy",
            "MutatingAdmissionPolicy",
        )
    },
    Builtin {
        categories: EXTENSIONS,
        stored_version: "v1beta1",
        counts_generations: true,
        needs_version: true,
        ..Builtin::cluster(
            ADMISSIONREGISTRATION,
            "mutatingadmissionpolicybindings",
            "mutatingadmissionpolicybinding",
            "MutatingAdmissionPolicyBinding",
        )
    },
    Builtin {
        categories: EXTENSIONS,
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
        categories: EXTENSIONS,
        subresources: STATUS,
        counts_generations: true,
        needs_version: true,
        ..Builtin::cluster(
            ADMISSIONREGISTRATION,
            "validatingadmissionpolicies",
            "validatingadmissionpolicy",
            "ValidatingAdmissionPolicy",
        )
    },
    Builtin {
        categories: EXTENSIONS,
        counts_generations: true,
        needs_version: true,
        ..Builtin::cluster(
            ADMISSIONREGISTRATION,
            "validatingadmissionpolicybindings",
            "validatingadmissionpolicybinding",
            "ValidatingAdmissionPolicyBinding",
        )
    },
    Builtin {
        categories: EXTENSIONS,
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
        short_names: &["crd", "crds"],
        categories: EXTENSIONS,
        subresources: STATUS,
        counts_generations: true,
        needs_version: true,
        stored_version: "v1beta1",
        ..Builtin::cluster(
            APIEXTENSIONS,
            "customresourcedefinitions",
            "customresourcedefinition",
            "CustomResourceDefinition",
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
        counts_generations: true,
        returns_deleted: true,
        ..Builtin::cluster(RESOURCE, "deviceclasses", "deviceclass", "DeviceClass")
    },
    Builtin {
        subresources: STATUS,
        returns_deleted: true,
        ..Builtin::namespaced(RESOURCE, "resourceclaims", "resourceclaim", "ResourceClaim")
    },
    Builtin {
        returns_deleted: true,
        ..Builtin::namespaced(RESOURCE, "resourceclaimtemplates", "resourceclaimtemplate", "ResourceClaimTemplate")
    },
    Builtin {
        fields: &["spec.nodeName", "spec.driver"],
        counts_generations: true,
        returns_deleted: true,
        ..Builtin::cluster(RESOURCE, "resourceslices", "resourceslice", "ResourceSlice")
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

const EXTENSIONS: &[&str] = &["api-extensions"];

/// Autoscalers, as those of every version are stored.
const AUTOSCALERS: Builtin = Builtin {
    short_names: &["hpa"],
    categories: ALL,
    subresources: STATUS,
    ..Builtin::namespaced(AUTOSCALING, "horizontalpodautoscalers", "horizontalpodautoscaler", "HorizontalPodAutoscaler")
};

const APPS: (&str, &str) = ("apps", "v1");
const AUTHENTICATION: (&str, &str) = ("authentication.k8s.io", "v1");
const AUTHORIZATION: (&str, &str) = ("authorization.k8s.io", "v1");
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
const APIREGISTRATION: (&str, &str) = ("apiregistration.k8s.io", "v1");
const APIEXTENSIONS: (&str, &str) = ("apiextensions.k8s.io", "v1");
const RESOURCE: (&str, &str) = ("resource.k8s.io", "v1");
