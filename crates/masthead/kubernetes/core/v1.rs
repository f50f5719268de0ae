//! Tags of core/v1, as client-go has them.

// +groupName=

// +genclient
// +genclient:onlyVerbs=create
pub use k8s_openapi::api::core::v1::Binding;

// +genclient
// +genclient:nonNamespaced
// The server makes them up when asked: there is nothing to write or to watch.
// +genclient:onlyVerbs=get,list
pub use k8s_openapi::api::core::v1::ComponentStatus;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::core::v1::ConfigMap;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::core::v1::Endpoints;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::core::v1::Event;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::core::v1::LimitRange;

// +genclient
// +genclient:nonNamespaced
// +genclient:skipVerbs=deleteCollection
pub use k8s_openapi::api::core::v1::Namespace;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::core::v1::Node;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::core::v1::PersistentVolume;

// +genclient
pub use k8s_openapi::api::core::v1::PersistentVolumeClaim;

// +genclient
// +genclient:method=UpdateEphemeralContainers,verb=update,subresource=ephemeralcontainers
// +genclient:method=UpdateResize,verb=update,subresource=resize
pub use k8s_openapi::api::core::v1::Pod;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::core::v1::PodTemplate;

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale,result=k8s_openapi::api::autoscaling::v1::Scale
pub use k8s_openapi::api::core::v1::ReplicationController;

// +genclient
pub use k8s_openapi::api::core::v1::ResourceQuota;

// +genclient
// +genclient:noStatus
pub use k8s_openapi::api::core::v1::Secret;

// +genclient
// +genclient:skipVerbs=deleteCollection
pub use k8s_openapi::api::core::v1::Service;

// +genclient
// +genclient:method=CreateToken,verb=create,subresource=token,input=k8s_openapi::api::authentication::v1::TokenRequest,result=k8s_openapi::api::authentication::v1::TokenRequest
// +genclient:noStatus
pub use k8s_openapi::api::core::v1::ServiceAccount;
