//! What only service accounts can do: give tokens.

use k8s_openapi::api::{authentication::v1::TokenRequest, core::v1::ServiceAccount};

use crate::{Error, rest::CreateOptions, typed::Client};

impl Client<ServiceAccount> {
    /// Asks for a token of the service account of this name; it is in the answer's status.
    pub async fn create_token(
        &self,
        name: &str,
        request: &TokenRequest,
        options: &CreateOptions,
    ) -> Result<TokenRequest, Error> {
        self.subresource("token").create(name, request, options).await
    }
}
