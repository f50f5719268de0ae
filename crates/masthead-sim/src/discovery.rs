//! What the server says it serves, in both forms.

use std::rc::Rc;

use serde_json::{Value, json};

use crate::{health::Health, kind::Kind, registry::Registry, storage_hash::storage_hash};

/// `/version`.
pub(crate) fn version() -> Value {
    json!({
        "major": "1", "minor": "36", "emulationMajor": "1", "emulationMinor": "36",
        "minCompatibilityMajor": "1", "minCompatibilityMinor": "35", "gitVersion": "v1.36.3",
        "gitCommit": "", "gitTreeState": "", "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "", "compiler": "", "platform": "",
    })
}

/// `/`: every path that is no object.
pub(crate) fn paths(served: &Registry) -> Value {
    let fixed = ["/api", "/api/v1", "/apis", "/apis/", "/metrics", "/openapi/v3", "/openapi/v3/", "/version"];
    let mut paths: Vec<String> = fixed.map(str::to_owned).into();
    for group in served.groups() {
        paths.push(format!("/apis/{group}"));
        paths.extend(served.versions(group).iter().map(|version| format!("/apis/{group}/{version}")));
    }
    for health in Health::ALL {
        let name = health.name();
        paths.push(format!("/{name}"));
        paths.extend(health.checks().map(|check| format!("/{name}/{check}")));
    }
    paths.sort();
    json!({ "paths": paths })
}

/// `/api`.
pub(crate) fn core_versions() -> Value {
    let server = json!({ "clientCIDR": "0.0.0.0/0", "serverAddress": "" });
    json!({ "kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": [server] })
}

/// `/apis`.
pub(crate) fn groups(served: &Registry) -> Value {
    let mut names = served.groups();
    // Groups of equal priority stand in the order of their APIServices, which begin with the version.
    names[served.built_in_groups()..].sort_by_key(|name| {
        let services = served.versions(name).into_iter().map(|version| format!("{version}.{name}"));
        services.min()
    });
    let groups: Vec<Value> = names.iter().map(|name| group_body(served, name)).collect();
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
    let mut list = json!({ "kind": "APIResourceList", "groupVersion": group_version, "resources": resources });
    if !group.is_empty() {
        list["apiVersion"] = "v1".into();
    }
    list
}

/// `/api` in one answer.
pub(crate) fn aggregated_core(served: &Registry) -> Value {
    aggregated_list(vec![aggregated_group(served, "")])
}

/// `/apis` in one answer.
pub(crate) fn aggregated_groups(served: &Registry) -> Value {
    aggregated_list(served.groups().iter().map(|name| aggregated_group(served, name)).collect())
}

fn aggregated_list(items: Vec<Value>) -> Value {
    json!({ "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items })
}

fn aggregated_group(served: &Registry, name: &str) -> Value {
    let versions = served.versions(name).into_iter().map(|version| {
        let resources: Vec<Value> =
            kinds(served, name).filter(|kind| kind.version == version).map(|kind| aggregated(kind)).collect();
        json!({ "version": version, "resources": resources, "freshness": "Current" })
    });
    let versions: Vec<Value> = versions.collect();
    let metadata = if name.is_empty() { json!({}) } else { json!({ "name": name }) };
    json!({ "metadata": metadata, "versions": versions })
}

fn aggregated(kind: &Kind) -> Value {
    // The real server leaves out what stands around it, but for custom resources.
    let (group, version) =
        if kind.is_custom() { (kind.group.as_str(), kind.version.as_str()) } else { Default::default() };
    let mut resource = json!({
        "resource": kind.plural,
        "responseKind": { "group": group, "version": version, "kind": kind.kind },
        "scope": if kind.is_namespaced() { "Namespaced" } else { "Cluster" },
        "singularResource": kind.singular,
        "verbs": kind.verbs,
    });
    name_aliases(kind, &mut resource);
    let parts: Vec<Value> = kind
        .subresources
        .iter()
        .map(|part| {
            let (group, version, name) = part.response(kind).unwrap_or((group, version, &kind.kind));
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
        "verbs": kind.verbs,
    });
    name_aliases(kind, &mut main);
    // Only what is stored has a stored form.
    if kind.allows("watch") {
        main["storageVersionHash"] = storage_hash(&kind.stored_as).into();
    }
    let parts = kind.subresources.iter().map(|part| {
        let (group, version, name) = part.response(kind).unwrap_or(("", "", &kind.kind));
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
    let versions: Vec<Value> = served
        .versions(name)
        .into_iter()
        .map(|version| json!({ "groupVersion": format!("{name}/{version}"), "version": version }))
        .collect();
    json!({ "name": name, "preferredVersion": versions.first(), "versions": versions })
}

fn kinds<'a>(served: &'a Registry, group: &'a str) -> impl Iterator<Item = &'a Rc<Kind>> {
    served.all().filter(move |kind| kind.group == group)
}
