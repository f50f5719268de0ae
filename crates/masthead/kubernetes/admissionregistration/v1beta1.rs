//! Tags of admissionregistration.k8s.io/v1beta1, as client-go has them.

// +groupName=admissionregistration.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::admissionregistration::v1beta1::MutatingAdmissionPolicy;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::admissionregistration::v1beta1::MutatingAdmissionPolicyBinding;
