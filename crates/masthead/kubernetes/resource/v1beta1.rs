//! Tags of resource.k8s.io/v1beta1, as client-go has them.

// +groupName=resource.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::resource::v1beta1::DeviceClass;

// +genclient
pub use k8s_openapi::api::resource::v1beta1::ResourceClaim;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::resource::v1beta1::ResourceClaimTemplate;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::resource::v1beta1::ResourceSlice;
