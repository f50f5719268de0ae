//! The kinds of the ClientSet beside those that a server says it serves.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use anyhow::{Context, Result};
use masthead_gen::{Kind, Package, Plurals, Verb};
use serde_json::Value;

/// Everything that differs, sorted; versions that a server may leave out are no difference.
pub(crate) fn differences(get: impl Fn(&str) -> Result<Value>) -> Result<Vec<String>> {
    let served = served(get)?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/masthead/kubernetes");
    let packages = Package::read(&[path], None)?;
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for (package, kind) in packages.iter().flat_map(|package| package.kinds.iter().map(move |kind| (package, kind))) {
        let (name, place) = (resource_of(kind), (package.group.clone(), package.version.clone()));
        known.insert((place.clone(), name.clone()));
        match served.get(&place) {
            Some(resources) => found.extend(compare(kind, &name, resources)),
            // What is not stable is off unless somebody turns it on.
            None if package.version.contains("alpha") || package.version.contains("beta") => {}
            None => found.push(format!("{} is not served", package.title())),
        }
    }
    for (place, resources) in &served {
        let unknown =
            resources.keys().filter(|name| !name.contains('/') && !known.contains(&(place.clone(), (*name).clone())));
        found.extend(unknown.map(|name| format!("{}/{}: {name} is served and has no client", place.0, place.1)));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

type Served = BTreeMap<(String, String), BTreeMap<String, Value>>;

/// The resources of Kubernetes' own groups, by group, version and name. Other tests define kinds of their own.
fn served(get: impl Fn(&str) -> Result<Value>) -> Result<Served> {
    let mut places = vec![(String::new(), "v1".to_owned(), "/api/v1".to_owned())];
    for group in get("/apis")?["groups"].as_array().context("a list of groups")? {
        let name = group["name"].as_str().context("a group has a name")?;
        for version in group["versions"].as_array().into_iter().flatten() {
            let version = version["version"].as_str().context("a version has a name")?;
            if !name.contains('.') || name.ends_with(".k8s.io") {
                places.push((name.to_owned(), version.to_owned(), format!("/apis/{name}/{version}")));
            }
        }
    }
    let mut served = Served::new();
    for (group, version, path) in places {
        let resources = get(&path)?["resources"].as_array().cloned().unwrap_or_default();
        let named = resources.into_iter().filter_map(|it| Some((it["name"].as_str()?.to_owned(), it)));
        served.insert((group, version), named.collect());
    }
    Ok(served)
}

fn resource_of(kind: &Kind) -> String {
    kind.tags.resource_name.clone().unwrap_or_else(|| Plurals::default().resource_of(&kind.name))
}

/// What one kind's client and its resource do not agree on.
fn compare(kind: &Kind, name: &str, resources: &BTreeMap<String, Value>) -> Vec<String> {
    let Some(resource) = resources.get(name) else { return vec![format!("{name} is not served")] };
    let mut found = Vec::new();
    if resource["kind"] != kind.name.as_str() {
        found.push(format!("{name}: the kind is {}, not {}", resource["kind"], kind.name));
    }
    if resource["namespaced"] == kind.tags.non_namespaced {
        found.push(format!("{name}: namespaced is {}", resource["namespaced"]));
    }
    let has = |part: &str, verb: &str| {
        let part = if part.is_empty() { name.to_owned() } else { format!("{name}/{part}") };
        let verbs = resources.get(&part).and_then(|part| part["verbs"].as_array());
        verbs.into_iter().flatten().any(|known| known == verb)
    };
    for verb in Verb::ALL {
        let (part, word) = spelled(verb);
        // Where the client's name for it is left out although the server has it, client-go leaves it out too.
        if kind.has(verb) && !has(part, word) {
            found.push(format!("{name}: the client has {verb}, which is not served"));
        }
        if !kind.has(verb) && has(part, word) && verb != Verb::DeleteCollection {
            found.push(format!("{name}: {verb} is served and the client lacks it"));
        }
    }
    for method in &kind.tags.methods {
        let (_, word) = spelled(method.verb);
        if !has(&method.subresource, word) {
            found.push(format!("{name}: {} of {} is not served", method.verb, method.subresource));
        }
    }
    found
}

/// The subresource and the verb as servers list them.
fn spelled(verb: Verb) -> (&'static str, &'static str) {
    match verb {
        Verb::UpdateStatus => ("status", "update"),
        Verb::ApplyStatus => ("status", "patch"),
        Verb::Apply => ("", "patch"),
        Verb::DeleteCollection => ("", "deletecollection"),
        verb => ("", verb.name()),
    }
}
