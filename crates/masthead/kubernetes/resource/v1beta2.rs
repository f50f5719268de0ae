//! Tags of resource.k8s.io/v1beta2, as client-go has them.

// +groupName=resource.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::resource::v1beta2::DeviceClass;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::resource::v1beta2::DeviceTaintRule;

// +genclient
pub use k8s_openapi::api::resource::v1beta2::ResourceClaim;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::resource::v1beta2::ResourceClaimTemplate;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::resource::v1beta2::ResourceSlice;
