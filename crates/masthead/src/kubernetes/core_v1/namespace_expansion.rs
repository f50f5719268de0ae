//! What namespaces can do beyond their verbs: be finalized.

use k8s_openapi::api::core::v1::Namespace;

use super::NamespaceClient;
use crate::{Error, rest::UpdateOptions};

impl NamespaceClient {
    /// Replaces the finalizers in the namespace's spec; without any, a namespace that is being deleted goes.
    #[inline]
    pub fn finalize(
        &self,
        namespace: &Namespace,
        options: &UpdateOptions,
    ) -> impl Future<Output = Result<Namespace, Error>> {
        self.client.finalize(namespace, options)
    }
}
