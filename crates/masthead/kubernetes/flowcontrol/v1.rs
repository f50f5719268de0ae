//! Tags of flowcontrol.apiserver.k8s.io/v1, as client-go has them.

// +groupName=flowcontrol.apiserver.k8s.io

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::flowcontrol::v1::FlowSchema;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::flowcontrol::v1::PriorityLevelConfiguration;
