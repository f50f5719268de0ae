//! The format that every server knows: the groups in one answer, the resources of each group-version in another.

use kube_core::{GroupVersion, GroupVersionKind, discovery::Scope};
use serde::{Deserialize, Deserializer};

use super::{Group, Resource, ResourceList};

/// The answer at `/api`.
#[derive(Deserialize)]
pub(super) struct ApiVersions {
    #[serde(default, deserialize_with = "or_default")]
    versions: Vec<String>,
}

/// The answer at `/apis`.
#[derive(Deserialize)]
pub(super) struct ApiGroupList {
    #[serde(default, deserialize_with = "or_default")]
    groups: Vec<ApiGroup>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApiGroup {
    #[serde(default)]
    name: String,
    #[serde(default, deserialize_with = "or_default")]
    versions: Vec<ApiVersion>,
    #[serde(default, deserialize_with = "or_default")]
    preferred_version: ApiVersion,
}

#[derive(Default, Deserialize)]
struct ApiVersion {
    #[serde(default)]
    version: String,
}

/// The answer for one group-version.
#[derive(Deserialize)]
pub(super) struct ApiResourceList {
    #[serde(default, deserialize_with = "or_default")]
    resources: Vec<ApiResource>,
}

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[derive(Default)]
struct ApiResource {
    name: String,
    singular_name: String,
    namespaced: bool,
    group: String,
    version: String,
    kind: String,
    #[serde(deserialize_with = "or_default")]
    verbs: Vec<String>,
    #[serde(deserialize_with = "or_default")]
    short_names: Vec<String>,
    #[serde(deserialize_with = "or_default")]
    categories: Vec<String>,
}

impl ApiVersions {
    /// The core group, if any version of it is served.
    pub(super) fn into_group(self) -> Option<Group> {
        let preferred = Some(self.versions.first()?.clone());
        Some(Group { name: String::new(), versions: self.versions, preferred })
    }
}

impl ApiGroupList {
    pub(super) fn into_groups(self) -> Vec<Group> {
        let groups = self.groups.into_iter().map(|group| Group {
            name: group.name,
            versions: group.versions.into_iter().map(|version| version.version).collect(),
            preferred: Some(group.preferred_version.version).filter(|version| !version.is_empty()),
        });
        groups.collect()
    }
}

impl ApiResourceList {
    pub(super) fn into_list(self, group_version: &GroupVersion) -> ResourceList {
        let resources = self.resources.into_iter().map(|resource| Resource {
            kind: kind_of(resource.group, resource.version, resource.kind, group_version),
            group_version: group_version.clone(),
            name: resource.name,
            singular: resource.singular_name,
            scope: if resource.namespaced { Scope::Namespaced } else { Scope::Cluster },
            verbs: resource.verbs,
            short_names: resource.short_names,
            categories: resource.categories,
        });
        ResourceList { group_version: group_version.clone(), resources: resources.collect() }
    }
}

/// The kind of a resource's objects: an empty group and version mean those it is served in.
pub(super) fn kind_of(group: String, version: String, kind: String, served: &GroupVersion) -> GroupVersionKind {
    match (group.is_empty(), version.is_empty()) {
        (true, true) => served.clone().with_kind(&kind),
        (false, true) => GroupVersionKind { group, version: served.version.clone(), kind },
        _ => GroupVersionKind { group, version, kind },
    }
}

/// Go writes what was never set as `null`.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}
