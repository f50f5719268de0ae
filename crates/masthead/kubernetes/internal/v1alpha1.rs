//! Tags of internal.apiserver.k8s.io/v1alpha1, as client-go has them.

// +groupName=internal.apiserver.k8s.io
// +groupGoName=internal

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::apiserverinternal::v1alpha1::StorageVersion;
