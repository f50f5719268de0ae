//! Tags of scheduling.k8s.io/v1alpha2, as client-go has them.

// +groupName=scheduling.k8s.io

// +genclient
pub use k8s_openapi::api::scheduling::v1alpha2::PodGroup;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::scheduling::v1alpha2::Workload;
