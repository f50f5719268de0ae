//! Tags of authorization.k8s.io/v1, as client-go has them.

// +groupName=authorization.k8s.io

// +genclient
// +genclient:onlyVerbs=create
pub use k8s_openapi::api::authorization::v1::LocalSubjectAccessReview;

// +genclient
// +genclient:nonNamespaced
// +genclient:onlyVerbs=create
pub use k8s_openapi::api::authorization::v1::SelfSubjectAccessReview;

// +genclient
// +genclient:nonNamespaced
// +genclient:onlyVerbs=create
pub use k8s_openapi::api::authorization::v1::SelfSubjectRulesReview;

// +genclient
// +genclient:nonNamespaced
// +genclient:onlyVerbs=create
pub use k8s_openapi::api::authorization::v1::SubjectAccessReview;
