//! Tags of node.k8s.io/v1, as client-go has them.

// +groupName=node.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::node::v1::RuntimeClass;
