//! Tags of resource.k8s.io/v1, as client-go has them.

// +groupName=resource.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::resource::v1::DeviceClass;

// +genclient
pub use k8s_openapi::api::resource::v1::ResourceClaim;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::resource::v1::ResourceClaimTemplate;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::resource::v1::ResourceSlice;
