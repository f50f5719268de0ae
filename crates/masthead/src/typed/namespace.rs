//! What only namespaces can do: be finalized.

use k8s_openapi::api::core::v1::Namespace;

use crate::{
    Error,
    rest::UpdateOptions,
    typed::{Client, client::name_of},
};

impl Client<Namespace> {
    /// Replaces the finalizers in the namespace's spec; without any, a namespace that is being deleted goes.
    pub async fn finalize(&self, namespace: &Namespace, options: &UpdateOptions) -> Result<Namespace, Error> {
        self.subresource("finalize").update(name_of(namespace), namespace, options).await
    }
}
