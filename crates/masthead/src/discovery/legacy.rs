//! The format that every server knows: the groups in one answer, the resources of each group-version in another.
//!
//! Answers are read field by field out of a tree: types that read themselves are four times the code, and every page that asks
//! what a server serves has it. What is absent or `null`, as Go writes what was never set, is empty.

use kube_core::{GroupVersion, GroupVersionKind, discovery::Scope};
use serde_json::Value;

use super::{Group, Resource, ResourceList};

/// The core group by the answer at `/api`, if any version of it is served.
pub(super) fn core_group(answer: &Value) -> Option<Group> {
    let versions = texts(answer, "versions");
    let preferred = Some(versions.first()?.clone());
    Some(Group { name: String::new(), versions, preferred })
}

/// The groups by the answer at `/apis`.
pub(super) fn groups(answer: &Value) -> Vec<Group> {
    let groups = each(answer, "groups").map(|group| Group {
        name: text(group, "name"),
        versions: each(group, "versions").map(|version| text(version, "version")).collect(),
        preferred: Some(text(&group["preferredVersion"], "version")).filter(|version| !version.is_empty()),
    });
    groups.collect()
}

/// The resources by the answer for one group-version.
pub(super) fn resources(answer: &Value, group_version: &GroupVersion) -> ResourceList {
    let resources = each(answer, "resources").map(|resource| Resource {
        kind: kind_of(text(resource, "group"), text(resource, "version"), text(resource, "kind"), group_version),
        group_version: group_version.clone(),
        name: text(resource, "name"),
        singular: text(resource, "singularName"),
        scope: if resource["namespaced"] == true { Scope::Namespaced } else { Scope::Cluster },
        verbs: texts(resource, "verbs"),
        short_names: texts(resource, "shortNames"),
        categories: texts(resource, "categories"),
    });
    ResourceList { group_version: group_version.clone(), resources: resources.collect() }
}

/// The kind of a resource's objects: an empty group and version mean those it is served in.
pub(super) fn kind_of(group: String, version: String, kind: String, served: &GroupVersion) -> GroupVersionKind {
    match (group.is_empty(), version.is_empty()) {
        (true, true) => served.clone().with_kind(&kind),
        (false, true) => GroupVersionKind { group, version: served.version.clone(), kind },
        _ => GroupVersionKind { group, version, kind },
    }
}

pub(super) fn text(from: &Value, field: &str) -> String {
    from[field].as_str().unwrap_or_default().to_owned()
}

pub(super) fn texts(from: &Value, field: &str) -> Vec<String> {
    each(from, field).filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

pub(super) fn each<'a>(from: &'a Value, field: &str) -> std::slice::Iter<'a, Value> {
    from[field].as_array().map(Vec::as_slice).unwrap_or_default().iter()
}
