//! Tags of certificates.k8s.io/v1alpha1, as client-go has them.

// +groupName=certificates.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::certificates::v1alpha1::ClusterTrustBundle;
