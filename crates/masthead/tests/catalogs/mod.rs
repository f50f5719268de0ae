//! Answers about what a server serves, in both formats.
#![allow(dead_code, clippy::unwrap_used, reason = "a module of several suites, and a test may panic")]

use std::{rc::Rc, time::Duration};

use masthead::discovery::{Catalog, DiscoveryClient, ResourceList};

use crate::replies::{Reply, Script};

pub(crate) const V2: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// An answer in the aggregated format: `group version[!] resource:Kind[:Cluster]…` a line, `!` for a stale version.
pub(crate) fn aggregated(lines: &[&str]) -> Reply {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let group = words.next().unwrap().replace("core", "");
        let version = words.next().unwrap();
        let freshness = if version.ends_with('!') { "Stale" } else { "Current" };
        let resources: Vec<String> = words.map(resource).collect();
        let version = format!(
            r#"{{"version":"{}","freshness":"{freshness}","resources":[{}]}}"#,
            version.trim_end_matches('!'),
            resources.join(",")
        );
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, versions)) => versions.push(version),
            None => groups.push((group, vec![version])),
        }
    }
    let items = groups
        .into_iter()
        .map(|(name, versions)| format!(r#"{{"metadata":{{"name":"{name}"}},"versions":[{}]}}"#, versions.join(",")));
    typed(V2, &format!(r#"{{"kind":"APIGroupDiscoveryList","items":[{}]}}"#, items.collect::<Vec<_>>().join(",")))
}

fn resource(word: &str) -> String {
    let mut parts = word.split(':');
    let (name, kind) = (parts.next().unwrap(), parts.next().unwrap());
    let scope = parts.next().unwrap_or("Namespaced");
    format!(
        r#"{{"resource":"{name}","responseKind":{{"group":"","version":"","kind":"{kind}"}},"scope":"{scope}",
            "singularResource":"{}","verbs":["get","list"],"subresources":null}}"#,
        kind.to_lowercase()
    )
}

pub(crate) fn typed(content_type: &str, body: &str) -> Reply {
    let Reply::Answer { code, body, .. } = Reply::json(200, body) else { unreachable!("json is an answer") };
    Reply::Answer { code, headers: vec![("Content-Type", content_type.to_owned())], body }
}

/// The legacy answers at `/api` and `/apis` for core v1 and extensions/v1beta1.
pub(crate) fn legacy_roots() -> [Reply; 2] {
    let groups = r#"{"kind":"APIGroupList","groups":[{"name":"extensions",
        "versions":[{"groupVersion":"extensions/v1beta1","version":"v1beta1"}],
        "preferredVersion":{"groupVersion":"extensions/v1beta1","version":"v1beta1"}}]}"#;
    [Reply::json(200, r#"{"kind":"APIVersions","versions":["v1"]}"#), Reply::json(200, groups)]
}

pub(crate) fn legacy_list(name: &str, kind: &str) -> Reply {
    let body = format!(
        r#"{{"kind":"APIResourceList","resources":[{{"name":"{name}","singularName":"","namespaced":true,"kind":"{kind}",
            "verbs":["get","list","watch"],"shortNames":null}}]}}"#
    );
    Reply::json(200, body)
}

pub(crate) fn failing() -> Reply {
    Reply::text(500, "not now")
}

pub(crate) fn discovery(script: &Rc<Script>) -> DiscoveryClient {
    DiscoveryClient::new(script.config()).unwrap()
}

pub(crate) fn names(catalog: &Catalog) -> Vec<String> {
    let name = |list: &ResourceList| {
        let resources: Vec<&str> = list.resources.iter().map(|resource| resource.name.as_str()).collect();
        format!("{} {}", list.group_version.api_version(), resources.join(","))
    };
    catalog.lists.iter().map(name).collect()
}

/// The same answer a second late, so that others can ask meanwhile.
pub(crate) fn slow(reply: Reply) -> Reply {
    reply.after(Duration::from_secs(1))
}
