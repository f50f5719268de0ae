//! The requests this page makes.

use std::time::Duration;

use masthead::{
    Error, browser,
    rest::{Config, List, Request, Response, RestClient, Watch},
};
use serde::Deserialize;

use crate::model::{address::ApiPath, namespace::Namespace};

/// An API server on this page's own origin. Clones share what was learnt about it.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    client: RestClient,
    base: ApiPath,
}

impl Api {
    pub(crate) fn new(base: ApiPath) -> Self {
        // One page is one person: nobody needs to be protected from it.
        Self::with(Config { qps: -1.0, ..browser::config("") }, base)
    }

    /// The server at another path of this origin.
    pub(crate) fn at(&self, base: ApiPath) -> Self {
        Self::with(self.client.config().clone(), base)
    }

    fn with(config: Config, base: ApiPath) -> Self {
        let config = Config { host: base.path().to_owned(), ..config };
        Self { client: RestClient::new(config).expect("an API path is a path on this origin"), base }
    }

    /// Where this server is.
    pub(crate) fn base(&self) -> &ApiPath {
        &self.base
    }

    /// The server's version, as in `v1.36.3`.
    pub(crate) async fn version(&self) -> Result<String, Error> {
        let response = whole("get version", self.client.get().abs_path(["/version"])).await?;
        response.decode::<Version>().map(|version| version.git_version)
    }

    /// One page of the namespaces.
    pub(crate) async fn list(&self, continue_token: Option<&str>) -> Result<List<Namespace>, Error> {
        let mut request = self.namespaces().param("limit", PAGE.to_string());
        if let Some(token) = continue_token {
            request = request.param("continue", token);
        }
        List::decode(&whole("list namespaces", request).await?)
    }

    /// The changes of the namespaces since `version`, for `timeout` at most.
    pub(crate) async fn watch(&self, version: &str, timeout: Duration) -> Result<Watch<Namespace>, Error> {
        let request = self
            .namespaces()
            .param("watch", "1")
            .param("allowWatchBookmarks", "true")
            .param("timeoutSeconds", timeout.as_secs().to_string())
            .param("resourceVersion", version)
            .max_retries(0);
        let opened = self.client.config().runtime.within(PATIENCE, request.watch()).await;
        opened.unwrap_or_else(|| Err(Error::timed_out(WATCH, PATIENCE))).map_err(|error| error.during(WATCH))
    }

    fn namespaces(&self) -> Request {
        self.client.group_version("", "v1").get().resource("namespaces")
    }
}

/// Asks once: when to ask again is for the feed to decide.
async fn whole(operation: &str, request: Request) -> Result<Response, Error> {
    request.timeout(PATIENCE).max_retries(0).send().await.map_err(|error| error.during(operation))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    git_version: String,
}

/// What the errors of a watch say was attempted.
pub(crate) const WATCH: &str = "watch namespaces";

/// Small enough that decoding a page stays under a frame or two.
const PAGE: usize = 500;

/// As long as a person would wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
