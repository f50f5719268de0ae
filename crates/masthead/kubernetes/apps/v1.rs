//! Tags of apps/v1, as client-go has them.

// +groupName=apps

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::apps::v1::ControllerRevision;

// +genclient
pub use k8s_openapi::api::apps::v1::DaemonSet;

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=ApplyScale,verb=apply,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale,result=k8s_openapi::api::autoscaling::v1::Scale
pub use k8s_openapi::api::apps::v1::Deployment;

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=ApplyScale,verb=apply,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale,result=k8s_openapi::api::autoscaling::v1::Scale
pub use k8s_openapi::api::apps::v1::ReplicaSet;

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=ApplyScale,verb=apply,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale,result=k8s_openapi::api::autoscaling::v1::Scale
pub use k8s_openapi::api::apps::v1::StatefulSet;
