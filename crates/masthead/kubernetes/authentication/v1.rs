//! Tags of authentication.k8s.io/v1, as client-go has them.

// +groupName=authentication.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:onlyVerbs=create
pub use k8s_openapi::api::authentication::v1::SelfSubjectReview;

// +genclient
// +genclient:nonNamespaced
// +genclient:onlyVerbs=create
pub use k8s_openapi::api::authentication::v1::TokenReview;
