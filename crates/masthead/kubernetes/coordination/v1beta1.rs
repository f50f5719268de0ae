//! Tags of coordination.k8s.io/v1beta1, as client-go has them.

// +groupName=coordination.k8s.io

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::coordination::v1beta1::LeaseCandidate;
