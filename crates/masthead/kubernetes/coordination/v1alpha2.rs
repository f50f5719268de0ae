//! Tags of coordination.k8s.io/v1alpha2, as client-go has them.

// +groupName=coordination.k8s.io

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::coordination::v1alpha2::LeaseCandidate;
