//! Tags of rbac.authorization.k8s.io/v1, as client-go has them.

// +groupName=rbac.authorization.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::rbac::v1::ClusterRole;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::rbac::v1::ClusterRoleBinding;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::rbac::v1::Role;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::rbac::v1::RoleBinding;
