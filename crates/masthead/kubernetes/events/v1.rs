//! Tags of events.k8s.io/v1, as client-go has them.

// +groupName=events.k8s.io

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::events::v1::Event;
