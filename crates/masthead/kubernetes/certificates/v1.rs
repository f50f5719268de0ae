//! Tags of certificates.k8s.io/v1, as client-go has them.

// +groupName=certificates.k8s.io

// +genclient
// +genclient:nonNamespaced
// +genclient:method=UpdateApproval,verb=update,subresource=approval,input=k8s_openapi::api::certificates::v1::CertificateSigningRequest,result=k8s_openapi::api::certificates::v1::CertificateSigningRequest
pub use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
