//! Tags of discovery.k8s.io/v1, as client-go has them.

// +groupName=discovery.k8s.io

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::discovery::v1::EndpointSlice;
