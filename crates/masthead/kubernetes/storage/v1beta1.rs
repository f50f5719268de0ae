//! Tags of storage.k8s.io/v1beta1, as client-go has them.

// +groupName=storage.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::storage::v1beta1::VolumeAttributesClass;
