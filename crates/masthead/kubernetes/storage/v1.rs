//! Tags of storage.k8s.io/v1, as client-go has them.

// +groupName=storage.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::storage::v1::CSIDriver;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::storage::v1::CSINode;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::storage::v1::CSIStorageCapacity;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::storage::v1::StorageClass;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::storage::v1::VolumeAttachment;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::storage::v1::VolumeAttributesClass;
