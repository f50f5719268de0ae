//! Tags of networking.k8s.io/v1, as client-go has them.

// +groupName=networking.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::networking::v1::IPAddress;

// +genclient
pub use k8s_openapi::api::networking::v1::Ingress;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::networking::v1::IngressClass;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::networking::v1::NetworkPolicy;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::networking::v1::ServiceCIDR;
