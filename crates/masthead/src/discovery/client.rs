//! Asking a server what it serves.

use std::time::Duration;

use futures::future::{join, join_all};
use k8s_openapi::apimachinery::pkg::version::Info;
use kube_core::{GroupVersion, GroupVersionResource};
use serde_json::Value;

use super::{Catalog, Group, OpenApiDocument, ResourceList, aggregated, legacy, open_api};
use crate::{
    Error,
    rest::{Config, Response, RestClient},
};

/// Asks a server what it serves. Keeps nothing: [`CachedDiscovery`](super::CachedDiscovery) does.
#[derive(Clone, Debug)]
pub struct DiscoveryClient {
    client: RestClient,
    format: Format,
}

/// In which form to ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// All in two answers, if the server can; else as [`Legacy`](Self::Legacy).
    #[default]
    Aggregated,
    /// The same, without what only other API servers of the cluster serve.
    WithoutPeers,
    /// Groups first, then one request for each group-version.
    Legacy,
}

impl DiscoveryClient {
    /// How long a request may take unless the configuration says otherwise.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(32);
    /// How many requests may go out at once unless the configuration says otherwise: one for each group-version.
    pub const DEFAULT_BURST: u32 = 300;
    /// How often resources are asked for as long as a group-version fails: groups come and go.
    const ATTEMPTS: u32 = 2;

    /// A client with discovery's own defaults for timeout and burst.
    pub fn new(mut config: Config) -> Result<DiscoveryClient, Error> {
        config.timeout.get_or_insert(Self::DEFAULT_TIMEOUT);
        if config.burst == 0 {
            config.burst = Self::DEFAULT_BURST;
        }
        RestClient::new(config).map(DiscoveryClient::over)
    }

    /// A client that shares the limits of another.
    pub fn over(client: RestClient) -> DiscoveryClient {
        DiscoveryClient { client, format: Format::default() }
    }

    /// The same client asking in another form.
    #[must_use]
    pub fn with_format(&self, format: Format) -> DiscoveryClient {
        DiscoveryClient { client: self.client.clone(), format }
    }

    /// The client that carries the requests.
    pub fn rest_client(&self) -> &RestClient {
        &self.client
    }

    /// The groups that are served, the core group first.
    pub async fn server_groups(&self) -> Result<Vec<Group>, Error> {
        self.roots().await.map(|roots| roots.catalog.groups)
    }

    /// Everything that is served. What cannot be learnt of a group-version, after a second attempt, is in
    /// [`failed`](Catalog::failed) beside the rest.
    pub async fn server_groups_and_resources(&self) -> Result<Catalog, Error> {
        let mut catalog = self.fetch().await?;
        for _ in 1..Self::ATTEMPTS {
            if catalog.failed.is_empty() {
                break;
            }
            catalog = self.fetch().await?;
        }
        Ok(catalog)
    }

    /// Every resource once, in the version the server prefers.
    pub async fn server_preferred_resources(&self) -> Result<Catalog, Error> {
        self.server_groups_and_resources().await.map(|catalog| catalog.preferred())
    }

    /// Every resource whose objects lie in namespaces once, in the version the server prefers.
    pub async fn server_preferred_namespaced_resources(&self) -> Result<Catalog, Error> {
        let preferred = self.server_preferred_resources().await?;
        Ok(preferred.filtered(super::Resource::is_namespaced))
    }

    /// The resources of one group-version. A server without the core group has none in it, which is no error.
    pub async fn server_resources_for_group_version(
        &self,
        group_version: &GroupVersion,
    ) -> Result<ResourceList, Error> {
        let GroupVersion { group, version } = group_version;
        if version.is_empty() {
            return Err(Error::invalid("discover resources", "groupVersion shouldn't be empty"));
        }
        let path = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        match self.client.get().abs_path([path.as_str()]).send().await {
            Ok(response) => Ok(legacy::resources(&response.decode()?, group_version)),
            Err(error) if group.is_empty() && error.is_not_found() => {
                Ok(ResourceList { group_version: group_version.clone(), resources: Vec::new() })
            }
            Err(error) => Err(error),
        }
    }

    /// Whether a resource is served; one request.
    pub async fn is_resource_enabled(&self, resource: &GroupVersionResource) -> Result<bool, Error> {
        let group_version = GroupVersion::gv(&resource.group, &resource.version);
        match self.server_resources_for_group_version(&group_version).await {
            Ok(list) => Ok(list.resources.iter().any(|found| found.name == resource.resource)),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether a group-version is served. A server that names none at all, as one does that forbids the question, may.
    pub async fn server_supports_version(&self, group_version: &GroupVersion) -> Result<bool, Error> {
        let catalog = self.roots().await?.catalog;
        let mut served = catalog.group_versions().peekable();
        Ok(served.peek().is_none() || served.any(|served| served == *group_version))
    }

    /// The server's version.
    pub async fn server_version(&self) -> Result<Info, Error> {
        self.client.get().abs_path(["/version"]).send().await?.decode()
    }

    /// Where the OpenAPI v3 documents are.
    pub async fn open_api(&self) -> Result<Vec<OpenApiDocument>, Error> {
        let response = self.client.get().abs_path(["/openapi/v3"]).send().await?;
        Ok(open_api::documents(&response.decode()?))
    }

    /// The bytes of one document, which is JSON and may have megabytes.
    pub async fn open_api_document(&self, document: &OpenApiDocument) -> Result<Vec<u8>, Error> {
        let (path, query) = document.url.split_once('?').unwrap_or((&document.url, ""));
        let request = self.client.get().abs_path([path]).set_header("Accept", ["application/json"]);
        let params = form_urlencoded::parse(query.as_bytes());
        let request = params.fold(request, |request, (name, value)| request.param(&name, value));
        let response = request.send().await?;
        response.json()?;
        Ok(response.body)
    }

    /// One attempt at everything.
    pub(super) async fn fetch(&self) -> Result<Catalog, Error> {
        let Roots { mut catalog, has_resources } = self.roots().await?;
        if has_resources {
            return Ok(catalog);
        }
        let group_versions: Vec<GroupVersion> = catalog.group_versions().collect();
        for (group_version, outcome) in group_versions.iter().zip(self.fetch_lists(&group_versions).await) {
            catalog.insert(group_version.clone(), outcome);
        }
        Ok(catalog)
    }

    /// The resources of each, asked for all at once.
    pub(super) async fn fetch_lists(&self, group_versions: &[GroupVersion]) -> Vec<Result<ResourceList, Error>> {
        join_all(group_versions.iter().map(|group_version| self.server_resources_for_group_version(group_version)))
            .await
    }

    /// The answers at `/api` and `/apis` together. A server without the core group may have no `/api`.
    async fn roots(&self) -> Result<Roots, Error> {
        let (core, named) = join(self.root("/api"), self.root("/apis")).await;
        let core = match core {
            Err(error) if error.is_not_found() => Roots { catalog: Catalog::default(), has_resources: true },
            core => {
                let response = core?;
                Roots::read(&response, |answer| legacy::core_group(answer).into_iter().collect())?
            }
        };
        Ok(core.and(Roots::read(&named?, legacy::groups)?))
    }

    async fn root(&self, path: &str) -> Result<Response, Error> {
        self.client.get().abs_path([path]).set_header("Accept", [self.accept().as_str()]).send().await
    }

    fn accept(&self) -> String {
        match self.format {
            Format::Aggregated => format!("{},{JSON}", aggregated::ACCEPT),
            Format::WithoutPeers => format!("{},{},{JSON}", aggregated::ACCEPT_NO_PEER, aggregated::ACCEPT),
            Format::Legacy => JSON.to_owned(),
        }
    }
}

const JSON: &str = "application/json";

/// What `/api` and `/apis` told.
struct Roots {
    catalog: Catalog,
    /// Whether the format was the aggregated one, so that the catalog is whole.
    has_resources: bool,
}

impl Roots {
    /// Reads an answer in whichever format the server chose.
    fn read(response: &Response, groups: fn(&Value) -> Vec<Group>) -> Result<Roots, Error> {
        let answer = response.decode()?;
        if aggregated::is_aggregated(response.content_type()) {
            return Ok(Roots { catalog: aggregated::catalog(&answer), has_resources: true });
        }
        let groups = groups(&answer);
        Ok(Roots { catalog: Catalog { groups, ..Catalog::default() }, has_resources: false })
    }

    /// Both, in this order. Resources count only if both have them.
    fn and(mut self, other: Roots) -> Roots {
        self.catalog.groups.extend(other.catalog.groups);
        self.catalog.failed.extend(other.catalog.failed);
        self.has_resources &= other.has_resources;
        self.catalog.lists.extend(other.catalog.lists);
        if !self.has_resources {
            self.catalog.lists.clear();
        }
        self
    }
}
