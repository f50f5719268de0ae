//! Tags of storagemigration.k8s.io/v1beta1, as client-go has them.

// +groupName=storagemigration.k8s.io

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::storagemigration::v1beta1::StorageVersionMigration;
