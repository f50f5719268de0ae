//! Tags of admissionregistration.k8s.io/v1, as client-go has them.

// +groupName=admissionregistration.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::admissionregistration::v1::MutatingAdmissionPolicy;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::admissionregistration::v1::MutatingAdmissionPolicyBinding;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::admissionregistration::v1::MutatingWebhookConfiguration;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::admissionregistration::v1::ValidatingAdmissionPolicy;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::admissionregistration::v1::ValidatingAdmissionPolicyBinding;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
pub use k8s_openapi::api::admissionregistration::v1::ValidatingWebhookConfiguration;
