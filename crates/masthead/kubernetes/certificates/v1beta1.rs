//! Tags of certificates.k8s.io/v1beta1, as client-go has them.

// +groupName=certificates.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::certificates::v1beta1::ClusterTrustBundle;

// +genclient
pub use k8s_openapi::api::certificates::v1beta1::PodCertificateRequest;
