//! Tags of networking.k8s.io/v1beta1, as client-go has them.

// +groupName=networking.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::networking::v1beta1::IPAddress;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::networking::v1beta1::ServiceCIDR;
