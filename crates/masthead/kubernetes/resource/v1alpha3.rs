//! Tags of resource.k8s.io/v1alpha3, as client-go has them.

// +groupName=resource.k8s.io

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::resource::v1alpha3::DeviceTaintRule;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::resource::v1alpha3::ResourcePoolStatusRequest;
