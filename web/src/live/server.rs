//! The API server that the page talks to.

use std::{rc::Rc, time::Duration};

use masthead::{
    Error,
    browser::{self, Browser},
    rest::{Config, RestClient},
};
use serde::Deserialize;

use crate::{
    live::{clock, demo::Demo, place},
    model::address::ApiPath,
};

/// Where requests go. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) client: RestClient,
    /// The path on this page's origin; `None` for a server within the page.
    base: Option<ApiPath>,
}

impl Server {
    /// The server on this page's own origin.
    pub(crate) fn at(base: ApiPath) -> Server {
        let mut config = browser::config(base.path());
        if base.is_root() {
            // `trunk serve` passes no socket at the path of the API; Trunk.toml has the place where it does.
            config.transport = Rc::new(Browser::new(config.runtime.clone()).with_fallback_socket_base("/ws"));
        }
        Server { client: client(config), base: Some(base) }
    }

    /// The demo cluster, within the page.
    pub(crate) fn demo() -> Server {
        let runtime = browser::runtime();
        Server { client: client(Config::new("http://demo", Rc::new(Demo::default()), runtime)), base: None }
    }

    /// Whether the API is at the root of the origin, as behind a plain `kubectl proxy`.
    pub(crate) fn is_at_root(&self) -> bool {
        self.base.as_ref().is_some_and(ApiPath::is_root)
    }

    /// The server's version when it tells; then at the root when somebody else answers here.
    ///
    /// A remembered path outlives the proxy that used it: the next one on this port has another path, or none.
    pub(crate) async fn find(&self) -> Result<(Server, Option<String>), Error> {
        match (self.version().await, &self.base) {
            (Err(error), Some(base)) if !base.is_root() && (error.is_not_found() || error.is_not_json()) => {
                let root = Server::at(ApiPath::default());
                let version = root.version().await.map_err(|_| error)?;
                Ok((root, version))
            }
            (version, _) => version.map(|version| (self.clone(), version)),
        }
    }

    /// Keeps the place of this server, which has answered, for the next tab.
    pub(crate) fn remember(&self) {
        self.base.iter().for_each(place::remember);
    }

    /// What the server of the page gives for a one-time code.
    pub(crate) async fn exchange(&self, code: String) -> Result<place::Session, Error> {
        let request = self.client.post().abs_path(["/masthead/session"]).set_header("Content-Type", ["text/plain"]);
        let sent = request.body(code).timeout(PATIENCE).max_retries(0).send().await;
        sent.map_err(|error| error.during("exchange the code"))?.decode()
    }

    /// The version, as in `v1.36.3`; `None` when the server answers and does not tell.
    async fn version(&self) -> Result<Option<String>, Error> {
        let request = self.client.get().abs_path(["/version"]).timeout(PATIENCE).max_retries(0);
        let sent = clock::local();
        match request.send().await.map_err(|error| error.during("get version")) {
            Ok(response) => {
                if let Some(date) = response.headers.get("Date") {
                    clock::dated(sent, date);
                }
                response.decode::<Version>().map(|version| Some(version.git_version))
            }
            Err(error) if error.is_forbidden() || error.is_unauthorized() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn client(config: Config) -> RestClient {
    // One page is one person: nobody needs to be protected from it.
    RestClient::new(Config { qps: -1.0, ..config }).expect("an API path is a path on this origin")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    git_version: String,
}

/// Half of the time after which rows count as stale: the other half passes between two questions.
const PATIENCE: Duration = Duration::from_secs(5);
