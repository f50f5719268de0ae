//! What names and kinds mean, and when the server is asked again about an unknown one.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod catalogs;
mod replies;

use std::rc::Rc;

use catalogs::{aggregated, slow};
use futures::future::join3;
use kube_core::{GroupVersion, GroupVersionKind, discovery::Scope};
use masthead::{
    Error,
    discovery::{
        CachedDiscovery, Catalog, DeferredRestMapper, DiscoveryClient, Group, Resource, ResourceList, ResourceName,
        RestMapper,
    },
    runtime::VirtualTime,
};
use replies::{Reply, Script};

/// Lists in the order of a server that prefers `v1` everywhere but in `extensions`.
const SERVED: &[(&str, &str, &[&str])] = &[
    ("metrics.k8s.io", "v1beta1", &["pods pod PodMetrics - -"]),
    (
        "",
        "v1",
        &["pods pod Pod po all", "pods/log  Pod - -", "services service Service svc all", "events event Event ev -"],
    ),
    ("apps", "v1beta1", &["deployments deployment Deployment deploy all"]),
    ("apps", "v1", &["deployments deployment Deployment deploy all", "deployments/scale deployment Scale - -"]),
    ("storage.k8s.io", "v1", &["storageclasses storageclass StorageClass sc -"]),
    ("networking.k8s.io", "v1", &["ingresses ingress Ingress ing -"]),
    ("events.k8s.io", "v1", &["events event Event ev -"]),
    ("example.com", "v1", &["services service Service - -", "stores store Store svc,sto -"]),
    ("old.example.com", "v1", &["widgets  Widget - -"]),
    ("twins.example.com", "v1", &["as twin A - -", "bs twin B - -"]),
];

fn resource(group: &str, version: &str, line: &str) -> Resource {
    // Split at every space: an empty word is an absent name.
    let words: Vec<&str> = line.split(' ').collect();
    let listed = |word: &str| word.split(',').filter(|name| *name != "-").map(str::to_owned).collect();
    Resource {
        group_version: GroupVersion::gv(group, version),
        name: words[0].into(),
        singular: words[1].into(),
        kind: GroupVersionKind::gvk(group, version, words[2]),
        scope: Scope::Namespaced,
        verbs: vec!["get".into()],
        short_names: listed(words[3]),
        categories: listed(words[4]),
    }
}

fn mapper() -> RestMapper {
    let mut catalog = Catalog::default();
    for (group, version, lines) in SERVED {
        match catalog.groups.iter_mut().find(|known| known.name == *group) {
            Some(known) => known.versions.push((*version).to_owned()),
            None => catalog.groups.push(Group {
                name: (*group).to_owned(),
                versions: vec![(*version).to_owned()],
                preferred: Some(if *group == "metrics.k8s.io" { "v1beta1" } else { "v1" }.to_owned()),
            }),
        }
        let resources = lines.iter().map(|line| resource(group, version, line)).collect();
        catalog.lists.push(ResourceList { group_version: GroupVersion::gv(group, version), resources });
    }
    RestMapper::new(&catalog)
}

fn shown(resource: &Resource) -> String {
    format!("{}/{}", resource.group_version.api_version(), resource.name)
}

fn find(name: &str) -> Result<String, Error> {
    mapper().resource_for(&name.parse()?).map(|resource| shown(&resource))
}

#[track_caller]
fn check(name: &str, expected: &str) {
    assert_eq!(find(name).map_err(|error| error.to_string()).as_deref(), Ok(expected), "{name}");
}

#[test]
fn plurals_singulars_and_short_names_mean_the_preferred_version() {
    check("pods", "v1/pods");
    check("pod", "v1/pods");
    check("po", "v1/pods");
    check("Pod", "v1/pods");
    check("deploy", "apps/v1/deployments");
    check("Deployment", "apps/v1/deployments");
    check("sc", "storage.k8s.io/v1/storageclasses");
    check("widget", "old.example.com/v1/widgets");
}

#[test]
fn the_core_group_comes_first_even_if_the_server_lists_it_later() {
    check("pods", "v1/pods");
    check("events", "v1/events");
    check("ev", "v1/events");
}

#[test]
fn groups_and_versions_narrow_a_name() {
    check("deployments.apps", "apps/v1/deployments");
    check("deployments.v1.apps", "apps/v1/deployments");
    check("deployments.v1beta1.apps", "apps/v1beta1/deployments");
    check("deploy.v1beta1.apps", "apps/v1beta1/deployments");
    check("events.events.k8s.io", "events.k8s.io/v1/events");
    check("events.v1.events.k8s.io", "events.k8s.io/v1/events");
    check("ingresses.networking.k8s.io", "networking.k8s.io/v1/ingresses");
    check("storageclass.storage", "storage.k8s.io/v1/storageclasses");
    check("sc.storage", "storage.k8s.io/v1/storageclasses");
    check("pods.metrics.k8s.io", "metrics.k8s.io/v1beta1/pods");
    check("pods.v1.", "v1/pods");
    check("pods.", "v1/pods");
}

#[test]
fn subresources_are_found_through_their_parent_only() {
    check("pods/log", "v1/pods/log");
    check("po/log", "v1/pods/log");
    check("deploy.apps/scale", "apps/v1/deployments/scale");
    assert_eq!(find("pods/exec").unwrap_err().to_string(), "map resource: no matches for /v1, Resource=pods/exec");
    assert!(find("log").unwrap_err().is_no_match());
}

#[test]
fn unknown_and_senseless_names_are_told_apart() {
    let error = find("foos").unwrap_err();
    assert!(error.is_no_match());
    assert_eq!(error.to_string(), "map resource: no matches for /, Resource=foos");
    assert_eq!(find("pods.v9.apps").unwrap_err().to_string(), "map resource: no matches for v9.apps/, Resource=pods");
    assert!(find("storageclasses.v1.storage").unwrap_err().is_no_match(), "with a version the group must be whole");
    for text in ["", ".apps", "/log", "pods/"] {
        assert!(find(text).unwrap_err().is_invalid_request(), "{text:?}");
    }
}

#[test]
fn ambiguity_is_an_error_within_a_group_version_and_a_warning_between_short_names() {
    let error = find("twin").unwrap_err();
    assert!(error.is_ambiguous());
    assert_eq!(
        error.to_string(),
        "map resource: /, Resource=twin matches multiple resources \
         [twins.example.com/v1, Resource=as twins.example.com/v1, Resource=bs]"
    );
    let warnings = |name: &str| mapper().warnings(&name.parse().unwrap());
    check("svc", "v1/services");
    assert_eq!(warnings("svc"), ["short name \"svc\" could also match lower priority resource stores.example.com"]);
    assert_eq!(warnings("ev"), ["short name \"ev\" could also match lower priority resource events.events.k8s.io"]);
    assert!(warnings("deploy").is_empty(), "several versions of one resource are no ambiguity");
    assert!(warnings("pods").is_empty());
}

#[test]
fn every_match_is_listed_in_order_of_preference() {
    let all = |name: &str| -> Vec<String> {
        let name: ResourceName = name.parse().unwrap();
        mapper().resources_for(&name).iter().map(|resource| shown(resource)).collect()
    };
    assert_eq!(all("pods"), ["v1/pods", "metrics.k8s.io/v1beta1/pods"]);
    assert_eq!(all("deploy"), ["apps/v1/deployments", "apps/v1beta1/deployments"]);
    assert_eq!(all("services"), ["v1/services", "example.com/v1/services"]);
    assert!(all("foos").is_empty());
}

#[test]
fn kinds_are_found_in_the_versions_asked_for() {
    let kind = |group: &str, kind: &str, versions: &[&str]| {
        mapper().resource_for_kind(group, kind, versions).map(|resource| shown(&resource))
    };
    assert_eq!(kind("apps", "Deployment", &[]).unwrap(), "apps/v1/deployments");
    assert_eq!(kind("apps", "deployment", &[]).unwrap(), "apps/v1/deployments");
    assert_eq!(kind("apps", "Deployment", &["v9", "v1beta1", "v1"]).unwrap(), "apps/v1beta1/deployments");
    assert_eq!(kind("", "Pod", &["v1"]).unwrap(), "v1/pods");
    assert!(kind("apps", "Scale", &[]).unwrap_err().is_no_match(), "a subresource is no resource");
    let words = |versions: &[&str]| kind("apps", "Pod", versions).unwrap_err().to_string();
    assert_eq!(words(&[]), r#"map resource: no matches for kind "Pod" in group "apps""#);
    assert_eq!(words(&["v1"]), r#"map resource: no matches for kind "Pod" in version "apps/v1""#);
}

#[test]
fn lists_and_categories_are_expanded() {
    let expand = |text: &str| -> Result<Vec<String>, Error> {
        Ok(mapper().expand(text)?.iter().map(|resource| shown(resource)).collect())
    };
    assert_eq!(expand("all").unwrap(), ["v1/pods", "v1/services", "apps/v1/deployments"]);
    assert_eq!(expand("deploy, svc,all").unwrap(), ["apps/v1/deployments", "v1/services", "v1/pods"]);
    assert!(expand("all,foos").unwrap_err().is_no_match());
    assert!(expand("").unwrap_err().is_invalid_request());
    assert_eq!(mapper().singular(&"po".parse().unwrap()).unwrap(), "pod");
    assert_eq!(mapper().singular(&"widgets".parse().unwrap()).unwrap(), "widget");
}

fn answers(plurals: &[&str]) -> [Reply; 2] {
    let resources: Vec<String> = plurals.iter().map(|plural| format!("{plural}:X{plural}:Cluster")).collect();
    [aggregated(&[]), aggregated(&[&format!("x.io v1 {}", resources.join(" "))])]
}

fn deferred(script: &Rc<Script>) -> DeferredRestMapper {
    DeferredRestMapper::new(CachedDiscovery::new(DiscoveryClient::new(script.config()).unwrap()))
}

fn name(text: &str) -> ResourceName {
    text.parse().unwrap()
}

#[test]
fn a_resource_added_while_connected_is_found() {
    let time = VirtualTime::new();
    let script = Script::new(&time, answers(&["as"]).into_iter().chain(answers(&["as", "bs"])));
    let mapper = deferred(&script);
    assert_eq!(script.count(), 0, "nothing is asked for before it is needed");
    assert_eq!(time.run(mapper.resource_for(&name("as"))).unwrap().name, "as");
    assert_eq!(time.run(mapper.expand("as")).unwrap().len(), 1);
    assert_eq!(script.count(), 2);
    assert_eq!(time.run(mapper.resource_for(&name("bs"))).unwrap().name, "bs");
    assert_eq!(script.count(), 4);
    assert_eq!(time.run(mapper.resource_for_kind("x.io", "Xbs", &["v1"])).unwrap().name, "bs");
    assert_eq!(script.count(), 4, "what was learnt is kept");
}

#[test]
fn an_unknown_name_costs_one_more_question_and_not_two() {
    let time = VirtualTime::new();
    let script = Script::new(&time, (0..2).flat_map(|_| answers(&["as"])));
    let mapper = deferred(&script);
    assert!(time.run(mapper.resource_for(&name("bs"))).unwrap_err().is_no_match());
    assert_eq!(script.count(), 2, "the answer is new already");
    assert!(time.run(mapper.resource_for(&name("bs"))).unwrap_err().is_no_match());
    assert_eq!(script.count(), 4);
}

#[test]
fn several_unknown_names_share_a_question() {
    let time = VirtualTime::new();
    let script = Script::new(&time, (0..2).flat_map(|_| answers(&["as"]).map(slow)));
    let (mapper, b, c, d) = (deferred(&script), name("bs"), name("cs"), name("ds"));
    let asked = join3(mapper.resource_for(&b), mapper.resource_for(&c), mapper.resource_for(&d));
    let (b, c, d) = time.run(asked);
    assert!(b.is_err() && c.is_err() && d.is_err());
    assert_eq!(script.count(), 4, "the second and the third waited for the first, then asked again together");
}

#[test]
fn a_failed_question_is_told_and_asked_again_later() {
    let time = VirtualTime::new();
    let replies = answers(&["as"]).into_iter().chain([Reply::text(403, "no"), Reply::text(403, "no")]);
    let script = Script::new(&time, replies.chain(answers(&["as"])));
    let mapper = deferred(&script);
    time.run(mapper.mapper()).unwrap();
    assert!(time.run(mapper.resource_for(&name("bs"))).unwrap_err().is_forbidden());
    assert_eq!(time.run(mapper.resource_for(&name("as"))).unwrap().name, "as");
    assert_eq!(script.count(), 6);
}
