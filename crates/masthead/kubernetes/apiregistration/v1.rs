//! Tags of apiregistration.k8s.io/v1, as its own client has them.

// +groupName=apiregistration.k8s.io

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::kube_aggregator::pkg::apis::apiregistration::v1::APIService;
