//! Tags of autoscaling/v1, as client-go has them.

// +groupName=autoscaling

// +genclient
pub use k8s_openapi::api::autoscaling::v1::HorizontalPodAutoscaler;
