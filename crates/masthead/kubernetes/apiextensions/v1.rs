//! Tags of apiextensions.k8s.io/v1, as its own client has them.

// +groupName=apiextensions.k8s.io

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
