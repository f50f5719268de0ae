//! What the server says it serves, in both forms.

use std::rc::Rc;

use serde_json::{Value, json};

use crate::{kind::Kind, registry::Registry};

/// `/version`.
pub(crate) fn version() -> Value {
    json!({
        "major": "1", "minor": "36", "emulationMajor": "1", "emulationMinor": "36",
        "minCompatibilityMajor": "1", "minCompatibilityMinor": "35", "gitVersion": "v1.36.3",
        "gitCommit": "", "gitTreeState": "", "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "", "compiler": "", "platform": "",
    })
}

/// `/api`.
pub(crate) fn core_versions() -> Value {
    let server = json!({ "clientCIDR": "0.0.0.0/0", "serverAddress": "" });
    json!({ "kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": [server] })
}

/// `/apis`.
pub(crate) fn groups(served: &Registry) -> Value {
    let groups: Vec<Value> = group_names(served).iter().map(|name| group_body(served, name)).collect();
    json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": groups })
}

/// `/apis/{group}`.
pub(crate) fn group(served: &Registry, name: &str) -> Value {
    let mut group = group_body(served, name);
    group["kind"] = "APIGroup".into();
    group["apiVersion"] = "v1".into();
    group
}

/// `/api/v1` and `/apis/{group}/{version}`.
pub(crate) fn resources(served: &Registry, group: &str, version: &str) -> Value {
    let resources: Vec<Value> =
        kinds(served, group).filter(|kind| kind.version == version).flat_map(|kind| legacy(kind)).collect();
    let group_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    json!({
        "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": resources,
    })
}

/// `/api` in one answer.
pub(crate) fn aggregated_core(served: &Registry) -> Value {
    aggregated_list(vec![aggregated_group(served, "")])
}

/// `/apis` in one answer.
pub(crate) fn aggregated_groups(served: &Registry) -> Value {
    aggregated_list(group_names(served).iter().map(|name| aggregated_group(served, name)).collect())
}

fn aggregated_list(items: Vec<Value>) -> Value {
    json!({ "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items })
}

fn aggregated_group(served: &Registry, name: &str) -> Value {
    let versions = versions(served, name).into_iter().map(|version| {
        let resources: Vec<Value> =
            kinds(served, name).filter(|kind| kind.version == version).map(|kind| aggregated(kind)).collect();
        json!({ "version": version, "resources": resources, "freshness": "Current" })
    });
    let versions: Vec<Value> = versions.collect();
    let metadata = if name.is_empty() { json!({}) } else { json!({ "name": name }) };
    json!({ "metadata": metadata, "versions": versions })
}

fn aggregated(kind: &Kind) -> Value {
    let mut resource = json!({
        "resource": kind.plural,
        "responseKind": { "group": "", "version": "", "kind": kind.kind },
        "scope": if kind.is_namespaced() { "Namespaced" } else { "Cluster" },
        "singularResource": kind.singular,
        "verbs": kind.verbs().collect::<Vec<_>>(),
    });
    name_aliases(kind, &mut resource);
    let parts: Vec<Value> = kind
        .subresources
        .iter()
        .map(|part| {
            let (group, version, name) = part.response().unwrap_or(("", "", &kind.kind));
            json!({
                "subresource": part.name(),
                "responseKind": { "group": group, "version": version, "kind": name },
                "verbs": part.verbs(),
            })
        })
        .collect();
    if !parts.is_empty() {
        resource["subresources"] = parts.into();
    }
    resource
}

fn legacy(kind: &Kind) -> Vec<Value> {
    let mut main = json!({
        "name": kind.plural, "singularName": kind.singular, "namespaced": kind.is_namespaced(), "kind": kind.kind,
        "verbs": kind.verbs().collect::<Vec<_>>(),
    });
    name_aliases(kind, &mut main);
    let parts = kind.subresources.iter().map(|part| {
        let (group, version, name) = part.response().unwrap_or(("", "", &kind.kind));
        let mut resource = json!({
            "name": format!("{}/{}", kind.plural, part.name()), "singularName": "",
            "namespaced": kind.is_namespaced(), "kind": name, "verbs": part.verbs(),
        });
        if !version.is_empty() {
            resource["group"] = group.into();
            resource["version"] = version.into();
        }
        resource
    });
    [main].into_iter().chain(parts).collect()
}

fn name_aliases(kind: &Kind, resource: &mut Value) {
    for (field, names) in [("shortNames", &kind.short_names), ("categories", &kind.categories)] {
        if !names.is_empty() {
            resource[field] = names.as_slice().into();
        }
    }
}

fn group_body(served: &Registry, name: &str) -> Value {
    let versions: Vec<Value> = versions(served, name)
        .into_iter()
        .map(|version| json!({ "groupVersion": format!("{name}/{version}"), "version": version }))
        .collect();
    json!({ "name": name, "preferredVersion": versions.first(), "versions": versions })
}

fn kinds<'a>(served: &'a Registry, group: &'a str) -> impl Iterator<Item = &'a Rc<Kind>> {
    served.all().filter(move |kind| kind.group == group)
}

/// The versions of a group, the preferred one first.
fn versions<'a>(served: &'a Registry, group: &'a str) -> Vec<&'a str> {
    let mut versions: Vec<_> = kinds(served, group).map(|kind| kind.version.as_str()).collect();
    versions.dedup();
    versions
}

/// Every group but the core, in the table's order.
fn group_names(served: &Registry) -> Vec<&str> {
    let mut names: Vec<_> = served.all().map(|kind| kind.group.as_str()).filter(|group| !group.is_empty()).collect();
    names.dedup();
    names
}
