//! What a server serves.

use std::rc::Rc;

use masthead::{
    Error,
    discovery::{CachedDiscovery, Catalog, DeferredRestMapper, DiscoveryClient, Resource, ResourceName},
    rest::RestClient,
};
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::pending::Pending;

/// Asks what a server serves, once, until told to forget.
#[wasm_bindgen]
pub struct Discovery {
    cached: CachedDiscovery,
    mapper: DeferredRestMapper,
    client: RestClient,
}

impl Discovery {
    pub(crate) fn new(client: &RestClient) -> Discovery {
        let cached = CachedDiscovery::new(DiscoveryClient::over(client.clone()));
        Discovery { mapper: DeferredRestMapper::new(cached.clone()), cached, client: client.clone() }
    }
}

#[wasm_bindgen]
impl Discovery {
    /// The JSON of the groups and their versions.
    pub fn groups(&self) -> Pending {
        let cached = self.cached.clone();
        Pending::begin("discover groups", async move {
            let groups = cached.server_groups().await?;
            let groups = groups.iter().map(|group| GroupShown {
                name: &group.name,
                versions: &group.versions,
                preferred: group.preferred.as_deref(),
            });
            written(&groups.collect::<Vec<_>>())
        })
    }

    /// The JSON of all resources: in every version, or `preferred`, each once and without subresources. What could not
    /// be learnt is beside them.
    pub fn resources(&self, preferred: bool) -> Pending {
        let cached = self.cached.clone();
        Pending::begin("discover resources", async move {
            if preferred {
                return written(&CatalogShown::of(&cached.server_preferred_resources().await?));
            }
            let catalog: Rc<Catalog> = cached.server_groups_and_resources().await?;
            written(&CatalogShown::of(&catalog))
        })
    }

    /// The JSON of the resource that a person calls `name`: `deploy`, `deployments.apps`, `po`.
    pub fn find(&self, name: &str) -> Pending {
        let (mapper, name) = (self.mapper.clone(), name.to_owned());
        Pending::begin("discover resource", async move {
            let name: ResourceName = name.parse()?;
            written(&ResourceShown::of(&*mapper.resource_for(&name).await?))
        })
    }

    /// The JSON of the resource whose objects are of this kind, in the version that the server prefers or in `version`.
    #[wasm_bindgen(js_name = findKind)]
    pub fn find_kind(&self, group: &str, kind: &str, version: Option<String>) -> Pending {
        let (mapper, group, kind) = (self.mapper.clone(), group.to_owned(), kind.to_owned());
        Pending::begin("discover kind", async move {
            let versions: Vec<&str> = version.as_deref().into_iter().collect();
            written(&ResourceShown::of(&*mapper.resource_for_kind(&group, &kind, &versions).await?))
        })
    }

    /// The JSON of the server's version.
    pub fn version(&self) -> Pending {
        let request = self.client.get().abs_path(["/version"]);
        Pending::begin("get version", async move {
            let response = request.send().await?;
            Ok(JsValue::from_str(&String::from_utf8_lossy(response.json()?)))
        })
    }

    /// Forgets what is known.
    pub fn forget(&self) {
        self.mapper.reset();
    }
}

fn written(value: &impl Serialize) -> Result<JsValue, Error> {
    let text = serde_json::to_string(value).map_err(|error| Error::invalid("discover", error.to_string()))?;
    Ok(JsValue::from_str(&text))
}

#[derive(Serialize)]
struct GroupShown<'a> {
    name: &'a str,
    versions: &'a [String],
    preferred: Option<&'a str>,
}

#[derive(Serialize)]
struct CatalogShown<'a> {
    resources: Vec<ResourceShown<'a>>,
    failed: Vec<Failure>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Failure {
    group_version: String,
    message: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceShown<'a> {
    group: &'a str,
    version: &'a str,
    resource: &'a str,
    kind: &'a str,
    singular: &'a str,
    namespaced: bool,
    verbs: &'a [String],
    short_names: &'a [String],
    categories: &'a [String],
}

impl<'a> CatalogShown<'a> {
    fn of(catalog: &'a Catalog) -> CatalogShown<'a> {
        let failed = catalog.failed.iter().map(|(group_version, error)| Failure {
            group_version: group_version.api_version(),
            message: error.to_string(),
        });
        CatalogShown { resources: catalog.resources().map(ResourceShown::of).collect(), failed: failed.collect() }
    }
}

impl<'a> ResourceShown<'a> {
    fn of(resource: &'a Resource) -> ResourceShown<'a> {
        ResourceShown {
            group: &resource.group_version.group,
            version: &resource.group_version.version,
            resource: &resource.name,
            kind: &resource.kind.kind,
            singular: &resource.singular,
            namespaced: resource.is_namespaced(),
            verbs: &resource.verbs,
            short_names: &resource.short_names,
            categories: &resource.categories,
        }
    }
}
