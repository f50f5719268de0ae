//! The requests this page makes.

use std::time::Duration;

use futures::future::{Either, select};
use masthead::{
    Error,
    browser::{
        fetch::{self, Answer, Body},
        timer::sleep,
    },
    rest::{List, Response},
};
use serde::Deserialize;

use crate::model::{address::ApiPath, namespace::Namespace};

/// An API server on this page's own origin.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    base: ApiPath,
}

impl Api {
    pub(crate) fn new(base: ApiPath) -> Self {
        Self { base }
    }

    /// Where this server is.
    pub(crate) fn into_base(self) -> ApiPath {
        self.base
    }

    /// The server's version, as in `v1.36.3`.
    pub(crate) async fn version(&self) -> Result<String, Error> {
        let response = self.get("get version", "/version", "").await?;
        response.decode::<Version>("get version").map(|version| version.git_version)
    }

    /// One page of the namespaces.
    pub(crate) async fn list(&self, continue_token: Option<&str>) -> Result<List<Namespace>, Error> {
        let token: String = continue_token.map(js_sys::encode_uri_component).map(String::from).unwrap_or_default();
        let query = format!("&limit={PAGE}&continue={token}");
        let response = self.get(LIST, "/api/v1/namespaces", &query).await?;
        List::decode(LIST, &response)
    }

    /// The changes of the namespaces since `version`, for `timeout` at most.
    pub(crate) async fn watch(&self, version: &str, timeout: Duration) -> Result<Body, Error> {
        let version = js_sys::encode_uri_component(version);
        let seconds = timeout.as_secs();
        let query = format!("&watch=1&allowWatchBookmarks=true&timeoutSeconds={seconds}&resourceVersion={version}");
        let answer = self.head(WATCH, "/api/v1/namespaces", &query).await?;
        let json = answer.content_type.starts_with("application/json");
        if answer.code == 200 && json {
            return Ok(answer.body);
        }
        let response = within(WATCH, answer.collect(MAX_BODY)).await?;
        response.json(WATCH)?;
        Err(Error::network(WATCH, format!("unexpected status {}", response.code)))
    }

    async fn get(&self, operation: &str, path: &str, query: &str) -> Result<Response, Error> {
        let whole = async { self.head(operation, path, query).await?.collect(MAX_BODY).await };
        within(operation, whole).await
    }

    async fn head(&self, operation: &str, path: &str, query: &str) -> Result<Answer, Error> {
        // Without `pretty=false` the server indents everything for a browser: twice the bytes.
        let url = format!("{}{path}?pretty=false{query}", self.base.path());
        within(operation, fetch::get(operation, &url, "application/json")).await
    }
}

/// Waits for an answer as long as a person would.
async fn within<T>(operation: &str, answer: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match select(std::pin::pin!(answer), sleep(PATIENCE)).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(Error::timed_out(operation, PATIENCE)),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    git_version: String,
}

const LIST: &str = "list namespaces";
const WATCH: &str = "watch namespaces";

/// Small enough that decoding a page stays under a frame or two.
const PAGE: usize = 500;
const PATIENCE: Duration = Duration::from_secs(10);

/// A page of 500 namespaces is under a megabyte; annotations may be large.
const MAX_BODY: usize = 64 << 20;
