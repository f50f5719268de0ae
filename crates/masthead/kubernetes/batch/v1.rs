//! Tags of batch/v1, as client-go has them.

// +groupName=batch

// +genclient
pub use k8s_openapi::api::batch::v1::CronJob;

// +genclient
pub use k8s_openapi::api::batch::v1::Job;
