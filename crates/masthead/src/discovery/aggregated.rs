//! The aggregated format: every group, version and resource in one answer.

use kube_core::{GroupVersion, GroupVersionKind, discovery::Scope};
use serde_json::Value;

use super::{
    Catalog, Group, Resource, ResourceList,
    legacy::{each, kind_of, text, texts},
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
    let params: Vec<(&str, &str)> = parts
        .filter_map(|part| part.split_once('='))
        .map(|(name, value)| (name.trim(), value.trim().trim_matches('"')))
        .collect();
    let is = |name: &str, value: &str| {
        params.iter().any(|(other, found)| other.eq_ignore_ascii_case(name) && *found == value)
    };
    is("g", "apidiscovery.k8s.io") && is("v", "v2") && is("as", "APIGroupDiscoveryList")
}

/// Groups and resources; a version whose server does not answer counts as failed.
pub(super) fn catalog(answer: &Value) -> Catalog {
    let mut catalog = Catalog::default();
    for item in each(answer, "items") {
        let mut group = Group { name: text(&item["metadata"], "name"), ..Group::default() };
        for served in each(item, "versions") {
            let version = text(served, "version");
            let group_version = GroupVersion::gv(&group.name, &version);
            if served["freshness"] == "Stale" {
                let name = group_version.api_version();
                catalog.failed.insert(group_version, Error::stale(&format!("discover {name}"), name));
                continue;
            }
            group.preferred.get_or_insert_with(|| version.clone());
            group.versions.push(version);
            let mut resources = Vec::new();
            each(served, "resources").for_each(|resource| flatten(resource, &group_version, &mut resources));
            catalog.lists.push(ResourceList { group_version, resources });
        }
        catalog.groups.push(group);
    }
    catalog
}

/// The resource, if its kind is told, and its subresources.
fn flatten(resource: &Value, served: &GroupVersion, into: &mut Vec<Resource>) {
    let scope = if resource["scope"] == "Namespaced" { Scope::Namespaced } else { Scope::Cluster };
    let (name, singular) = (text(resource, "resource"), text(resource, "singularResource"));
    into.extend(resolve(resource, served).map(|kind| Resource {
        group_version: served.clone(),
        name: name.clone(),
        singular: singular.clone(),
        kind,
        scope: scope.clone(),
        verbs: texts(resource, "verbs"),
        short_names: texts(resource, "shortNames"),
        categories: texts(resource, "categories"),
    }));
    into.extend(each(resource, "subresources").filter_map(|part| {
        Some(Resource {
            group_version: served.clone(),
            name: format!("{name}/{}", text(part, "subresource")),
            singular: singular.clone(),
            kind: resolve(part, served)?,
            scope: scope.clone(),
            verbs: texts(part, "verbs"),
            short_names: Vec::new(),
            categories: Vec::new(),
        })
    }));
}

/// What a resource answers with.
fn resolve(resource: &Value, served: &GroupVersion) -> Option<GroupVersionKind> {
    let [group, version, kind] = ["group", "version", "kind"].map(|field| text(&resource["responseKind"], field));
    let told = !(group.is_empty() && version.is_empty() && kind.is_empty());
    told.then(|| kind_of(group, version, kind, served))
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
