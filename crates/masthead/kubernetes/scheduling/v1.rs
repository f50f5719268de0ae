//! Tags of scheduling.k8s.io/v1, as client-go has them.

// +groupName=scheduling.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::scheduling::v1::PriorityClass;
