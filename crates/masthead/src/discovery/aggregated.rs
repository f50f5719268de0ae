//! The aggregated format: every group, version and resource in one answer.

use std::collections::HashMap;

use kube_core::{GroupVersion, GroupVersionKind, discovery::Scope};
use serde::Deserialize;

use super::{
    Catalog, Group, Resource, ResourceList,
    legacy::{kind_of, or_default},
};
use crate::Error;

/// What to accept for it. The parameters must stand in this order for the server.
pub(super) const ACCEPT: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// The same without what other API servers of the cluster serve.
pub(super) const ACCEPT_NO_PEER: &str =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer";

/// Whether a `Content-Type` says that the body is in this format; the order of its parameters and further ones do not
/// matter.
pub(super) fn is_aggregated(content_type: &str) -> bool {
    let mut parts = content_type.split(';').map(str::trim);
    if !parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
        return false;
    }
    let params: HashMap<String, &str> = parts
        .filter_map(|part| part.split_once('='))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().trim_matches('"')))
        .collect();
    let is = |name: &str, value: &str| params.get(name).is_some_and(|found| *found == value);
    is("g", "apidiscovery.k8s.io") && is("v", "v2") && is("as", "APIGroupDiscoveryList")
}

#[derive(Deserialize)]
pub(super) struct GroupDiscoveryList {
    #[serde(default, deserialize_with = "or_default")]
    items: Vec<GroupDiscovery>,
}

#[derive(Deserialize)]
struct GroupDiscovery {
    #[serde(default, deserialize_with = "or_default")]
    metadata: Named,
    #[serde(default, deserialize_with = "or_default")]
    versions: Vec<VersionDiscovery>,
}

#[derive(Default, Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct VersionDiscovery {
    #[serde(default)]
    version: String,
    #[serde(default, deserialize_with = "or_default")]
    resources: Vec<ResourceDiscovery>,
    #[serde(default)]
    freshness: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResourceDiscovery {
    #[serde(default)]
    resource: String,
    #[serde(default, deserialize_with = "or_default")]
    response_kind: ResponseKind,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    singular_resource: String,
    #[serde(default, deserialize_with = "or_default")]
    verbs: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    short_names: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    categories: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    subresources: Vec<SubResourceDiscovery>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SubResourceDiscovery {
    #[serde(default)]
    subresource: String,
    #[serde(default, deserialize_with = "or_default")]
    response_kind: ResponseKind,
    #[serde(default, deserialize_with = "or_default")]
    verbs: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResponseKind {
    group: String,
    version: String,
    kind: String,
}

impl GroupDiscoveryList {
    /// Groups and resources; a version whose server does not answer counts as failed.
    pub(super) fn into_catalog(self) -> Catalog {
        let mut catalog = Catalog::default();
        for item in self.items {
            let mut group = Group { name: item.metadata.name, ..Group::default() };
            for version in item.versions {
                let group_version = GroupVersion::gv(&group.name, &version.version);
                if version.freshness == "Stale" {
                    let name = group_version.api_version();
                    catalog.failed.insert(group_version, Error::stale(&format!("discover {name}"), name));
                    continue;
                }
                group.preferred.get_or_insert_with(|| version.version.clone());
                group.versions.push(version.version);
                let resources = version.resources.into_iter().flat_map(|resource| resource.flatten(&group_version));
                let resources = resources.collect();
                catalog.lists.push(ResourceList { group_version, resources });
            }
            catalog.groups.push(group);
        }
        catalog
    }
}

impl ResourceDiscovery {
    /// The resource, if its kind is told, and its subresources.
    fn flatten(self, served: &GroupVersion) -> Vec<Resource> {
        let scope = if self.scope == "Namespaced" { Scope::Namespaced } else { Scope::Cluster };
        let parent = (self.resource.clone(), self.singular_resource.clone());
        let own = self.response_kind.resolve(served).map(|kind| Resource {
            group_version: served.clone(),
            name: self.resource,
            singular: self.singular_resource,
            kind,
            scope: scope.clone(),
            verbs: self.verbs,
            short_names: self.short_names,
            categories: self.categories,
        });
        let parts = self.subresources.into_iter().filter_map(|part| {
            Some(Resource {
                group_version: served.clone(),
                name: format!("{}/{}", parent.0, part.subresource),
                singular: parent.1.clone(),
                kind: part.response_kind.resolve(served)?,
                scope: scope.clone(),
                verbs: part.verbs,
                short_names: Vec::new(),
                categories: Vec::new(),
            })
        });
        own.into_iter().chain(parts).collect()
    }
}

impl ResponseKind {
    fn resolve(self, served: &GroupVersion) -> Option<GroupVersionKind> {
        let told = !(self.group.is_empty() && self.version.is_empty() && self.kind.is_empty());
        told.then(|| kind_of(self.group, self.version, self.kind, served))
    }
}

#[cfg(test)]
mod tests {
    use super::is_aggregated;

    #[test]
    fn the_content_type_is_read_in_any_order_and_with_company() {
        for (content_type, expected) in [
            ("application/json; g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", true),
            ("application/json; as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io", true),
            ("application/json; as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io;charset=utf-8", true),
            ("Application/JSON;G=apidiscovery.k8s.io;V=\"v2\";As=APIGroupDiscoveryList;profile=nopeer", true),
            ("application/json; g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", false),
            ("application/json; g=apidiscovery.k8s.io;v=v2", false),
            ("application/json", false),
            ("application/json; charset=UTF-8", false),
            ("text/html; g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", false),
            ("malformed content type string", false),
            ("", false),
        ] {
            assert_eq!(is_aggregated(content_type), expected, "{content_type}");
        }
    }
}
