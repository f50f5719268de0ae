//! Tags of autoscaling/v2, as client-go has them.

// +groupName=autoscaling

// +genclient
pub use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
