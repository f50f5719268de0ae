//! Finding the API server.

use masthead::Error;

use crate::{
    live::{api::Api, place},
    model::address::ApiPath,
};

/// A server that answers, and its version when it tells.
pub(crate) struct Server {
    pub(crate) api: Api,
    pub(crate) version: Option<String>,
}

impl Server {
    /// Asks where `api` is, then at the root when somebody else answers there.
    ///
    /// A remembered path outlives the proxy that used it: the next one on this port has another path, or none.
    pub(crate) async fn find(api: &Api) -> Result<Self, Error> {
        match Self::ask(api.clone()).await {
            Err(error) if !api.base().is_root() && (error.is_not_found() || error.is_not_json()) => {
                let found = Self::ask(api.at(ApiPath::default())).await.map_err(|_| error)?;
                place::remember(&ApiPath::default());
                Ok(found)
            }
            answer => answer,
        }
    }

    async fn ask(api: Api) -> Result<Self, Error> {
        match api.version().await {
            Ok(version) => Ok(Self { api, version: Some(version) }),
            Err(error) if error.is_forbidden() || error.is_unauthorized() => Ok(Self { api, version: None }),
            Err(error) => Err(error),
        }
    }
}
