//! Tags of policy/v1, as client-go has them, but for evictions: they are asked of pods, by `PodClient::evict`.

// +groupName=policy

// +genclient
pub use k8s_openapi::api::policy::v1::PodDisruptionBudget;
