//! Asking a server what it serves: both formats, and partial failures.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod catalogs;
mod replies;

use std::time::Duration;

use catalogs::{V2, aggregated, discovery, failing, legacy_list, legacy_roots, names, typed};
use kube_core::{GroupVersion, GroupVersionResource};
use masthead::{
    discovery::{DiscoveryClient, Format},
    rest::{Config, HttpRequest},
    runtime::VirtualTime,
};
use replies::{Reply, Script};

fn paths(script: &Script) -> Vec<String> {
    script.requests().iter().map(path).collect()
}

fn path(request: &HttpRequest) -> String {
    let url = request.url.strip_prefix("http://localhost:8001").unwrap();
    url.split('?').next().unwrap().to_owned()
}

#[test]
fn asks_for_the_aggregated_format_and_gets_all_in_two_requests() {
    let time = VirtualTime::new();
    let script = Script::new(
        &time,
        [aggregated(&["core v1 pods:Pod nodes:Node:Cluster"]), aggregated(&["apps v1 deployments:Deployment"])],
    );
    let catalog = time.run(discovery(&script).server_groups_and_resources()).unwrap();
    assert_eq!(names(&catalog), ["v1 pods,nodes", "apps/v1 deployments"]);
    assert!(catalog.failed.is_empty());
    let request = &script.requests()[0];
    assert_eq!(request.url, "http://localhost:8001/api?timeout=32s");
    assert_eq!(request.headers.get("Accept"), Some(format!("{V2},application/json").as_str()));
    assert_eq!(path(&script.requests()[1]), "/apis");
    let deployment = catalog.resources().last().unwrap();
    assert_eq!(deployment.kind, kube_core::GroupVersionKind::gvk("apps", "v1", "Deployment"));
    assert_eq!(deployment.api_resource().api_version, "apps/v1");
    assert!(deployment.is_namespaced() && deployment.supports(&["list"]) && !deployment.supports(&["list", "watch"]));
}

#[test]
fn rq_20_a_failing_group_version_is_asked_for_once_more() {
    let time = VirtualTime::new();
    let good = || [legacy_list("pods", "Pod"), legacy_list("jobs", "Job")];
    let bad = || [legacy_list("pods", "Pod"), failing()];
    let rounds = |first: [Reply; 2], second: [Reply; 2]| {
        legacy_roots().into_iter().chain(first).chain(legacy_roots()).chain(second).collect::<Vec<_>>()
    };

    let script = Script::new(&time, rounds(bad(), good()));
    let catalog = time.run(discovery(&script).server_groups_and_resources()).unwrap();
    assert_eq!(names(&catalog), ["v1 pods", "extensions/v1beta1 jobs"]);
    assert!(catalog.complete().is_ok());
    assert_eq!(script.count(), 8);

    let script = Script::new(&time, rounds(bad(), bad()));
    let catalog = time.run(discovery(&script).server_groups_and_resources()).unwrap();
    assert_eq!(names(&catalog), ["v1 pods"]);
    assert!(catalog.failed[&GroupVersion::gv("extensions", "v1beta1")].is_server_failure());
    let error = catalog.complete().unwrap_err();
    assert!(error.is_incomplete());
    assert_eq!(
        error.to_string(),
        "discover resources: unable to retrieve the complete list of server APIs: extensions/v1beta1: \
         get /apis/extensions/v1beta1: 500 InternalError: not now"
    );
}

#[test]
fn rq_21_a_stale_version_is_told_of_and_another_is_preferred() {
    let time = VirtualTime::new();
    let answers = || {
        [
            aggregated(&["core v1 pods:Pod"]),
            aggregated(&["apps v2! deployments:Deployment", "apps v1 deployments:Deployment"]),
        ]
    };
    let script = Script::new(&time, answers().into_iter().chain(answers()));
    let catalog = time.run(discovery(&script).server_groups_and_resources()).unwrap();
    let apps = catalog.group("apps").unwrap();
    assert_eq!((apps.preferred.as_deref(), apps.versions.as_slice()), (Some("v1"), &["v1".to_owned()][..]));
    assert_eq!(names(&catalog), ["v1 pods", "apps/v1 deployments"]);
    let error = &catalog.failed[&GroupVersion::gv("apps", "v2")];
    assert!(error.is_stale());
    assert!(error.to_string().ends_with("stale GroupVersion discovery: apps/v2"), "{error}");
    assert_eq!(catalog.failed.len(), 1);
}

#[test]
fn rq_22_the_core_group_may_be_missing_but_not_the_others() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [Reply::text(404, "no"), aggregated(&["apps v1 deployments:Deployment"])]);
    let groups = time.run(discovery(&script).server_groups()).unwrap();
    assert_eq!(groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["apps"]);

    let script = Script::new(&time, [aggregated(&["core v1 pods:Pod"]), failing()]);
    assert!(time.run(discovery(&script).server_groups()).unwrap_err().is_server_failure());
    let script = Script::new(&time, [Reply::text(403, "no"), aggregated(&[])]);
    assert!(time.run(discovery(&script).server_groups()).unwrap_err().is_forbidden());
}

#[test]
fn resources_count_only_if_both_answers_have_them() {
    let time = VirtualTime::new();
    let [_, groups] = legacy_roots();
    let lists = [legacy_list("services", "Service"), legacy_list("jobs", "Job")];
    let script = Script::new(&time, [aggregated(&["core v1 pods:Pod"]), groups].into_iter().chain(lists));
    let catalog = time.run(discovery(&script).server_groups_and_resources()).unwrap();
    assert_eq!(names(&catalog), ["v1 services", "extensions/v1beta1 jobs"]);
    assert_eq!(paths(&script), ["/api", "/apis", "/api/v1", "/apis/extensions/v1beta1"]);
}

#[test]
fn the_form_of_the_question_can_be_chosen() {
    let time = VirtualTime::new();
    let accept = |format: Format| {
        let script = Script::new(&time, [aggregated(&[]), aggregated(&[])]);
        time.run(discovery(&script).with_format(format).server_groups()).unwrap();
        script.requests()[1].headers.get("Accept").unwrap().to_owned()
    };
    assert_eq!(accept(Format::Legacy), "application/json");
    assert_eq!(accept(Format::WithoutPeers), format!("{V2};profile=nopeer,{V2},application/json"));
}

#[test]
fn discovery_has_its_own_timeout_and_burst_unless_told() {
    let time = VirtualTime::new();
    let script = Script::new(&time, []);
    let told = Config { timeout: Some(Duration::from_secs(5)), burst: 7, qps: 1.0, ..script.config() };
    let told = DiscoveryClient::new(told).unwrap();
    assert_eq!(told.rest_client().config().timeout, Some(Duration::from_secs(5)));
    assert_eq!(told.rest_client().config().burst, 7);
    let own = DiscoveryClient::new(Config { qps: 0.0, ..script.config() }).unwrap();
    assert_eq!(own.rest_client().config().timeout, Some(Duration::from_secs(32)));
    assert_eq!(own.rest_client().config().burst, 300);

    let silent = Script::then_always(&time, [], Reply::Silence);
    assert!(time.run(discovery(&silent).server_groups()).unwrap_err().is_timeout());
    assert_eq!(silent.open(), 0);
}

#[test]
fn subresources_are_named_after_their_parent_which_may_itself_be_missing() {
    let time = VirtualTime::new();
    let body = r#"{"items":[{"metadata":{"name":"apps","creationTimestamp":null},"versions":[{"version":"v1","resources":[
        {"resource":"deployments","responseKind":{"group":"","version":"","kind":"Deployment"},"scope":"Namespaced",
         "singularResource":"deployment","verbs":null,"subresources":[
            {"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},"verbs":["get"]},
            {"subresource":"nameless","verbs":["get"]}]},
        {"resource":"ghosts","scope":"Cluster","verbs":["get"],"subresources":[
            {"subresource":"status","responseKind":{"group":"","version":"","kind":"Ghost"},"verbs":["get"]}]}]}]}]}"#;
    let script = Script::new(&time, [aggregated(&[]), typed(&format!("{V2};charset=utf-8"), body)]);
    let catalog = time.run(discovery(&script).server_groups_and_resources()).unwrap();
    assert_eq!(names(&catalog), ["apps/v1 deployments,deployments/scale,ghosts/status"]);
    let scale = catalog.resources().nth(1).unwrap();
    assert_eq!(scale.kind, kube_core::GroupVersionKind::gvk("autoscaling", "v1", "Scale"));
    assert_eq!(scale.gvr(), GroupVersionResource::gvr("apps", "v1", "deployments/scale"));
    assert!(scale.is_namespaced() && scale.is_sub_resource());
}

#[test]
fn every_resource_is_preferred_once() {
    let time = VirtualTime::new();
    let answers = || {
        [
            aggregated(&["core v1 pods:Pod nodes:Node:Cluster"]),
            aggregated(&[
                "batch v1 jobs:Job",
                "batch v1beta1 jobs:Job cronjobs:CronJob",
                "rbac v1 clusterroles:ClusterRole:Cluster",
            ]),
        ]
    };
    let script = Script::new(&time, answers());
    let preferred = time.run(discovery(&script).server_preferred_resources()).unwrap();
    assert_eq!(names(&preferred), ["v1 pods,nodes", "batch/v1 jobs", "batch/v1beta1 cronjobs", "rbac/v1 clusterroles"]);
    let script = Script::new(&time, answers());
    let namespaced = time.run(discovery(&script).server_preferred_namespaced_resources()).unwrap();
    assert_eq!(names(&namespaced), ["v1 pods", "batch/v1 jobs", "batch/v1beta1 cronjobs"]);
    assert_eq!(names(&preferred.supporting(&["get", "list"])).len(), 4);
    assert!(preferred.supporting(&["get", "watch"]).lists.is_empty());
}

#[test]
fn a_single_group_version_can_be_asked_for() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [legacy_list("jobs", "Job"), Reply::text(404, "no"), Reply::text(404, "no")]);
    let client = discovery(&script);
    let list = time.run(client.server_resources_for_group_version(&GroupVersion::gv("batch", "v1"))).unwrap();
    assert_eq!(list.resources[0].kind, kube_core::GroupVersionKind::gvk("batch", "v1", "Job"));
    let core = time.run(client.server_resources_for_group_version(&GroupVersion::gv("", "v1"))).unwrap();
    assert!(core.resources.is_empty(), "a server without the core group has nothing in it");
    let other = time.run(client.server_resources_for_group_version(&GroupVersion::gv("batch", "v2")));
    assert!(other.unwrap_err().is_not_found());
    let empty = time.run(client.server_resources_for_group_version(&GroupVersion::gv("", "")));
    assert!(empty.unwrap_err().is_invalid_request());
    assert_eq!(paths(&script), ["/apis/batch/v1", "/api/v1", "/apis/batch/v2"]);
}

#[test]
fn resources_and_versions_are_enabled_or_not() {
    let time = VirtualTime::new();
    let jobs = || legacy_list("jobs", "Job");
    let enabled = |reply: Reply, name: &str| {
        let script = Script::new(&time, [reply]);
        time.run(discovery(&script).is_resource_enabled(&GroupVersionResource::gvr("batch", "v1", name)))
    };
    assert!(enabled(jobs(), "jobs").unwrap());
    assert!(!enabled(jobs(), "cronjobs").unwrap());
    assert!(!enabled(Reply::text(404, "no"), "jobs").unwrap());
    assert!(enabled(failing(), "jobs").unwrap_err().is_server_failure());

    let supported = |core: Reply, version: &str| {
        let script = Script::new(&time, [core, aggregated(&[])]);
        time.run(discovery(&script).server_supports_version(&GroupVersion::gv("", version))).unwrap()
    };
    assert!(supported(aggregated(&["core v1 pods:Pod"]), "v1"));
    assert!(!supported(aggregated(&["core v1 pods:Pod"]), "v2"));
    assert!(supported(aggregated(&[]), "v2"), "a server that names none may have any");
}

#[test]
fn version_and_open_api_documents_are_read_below_the_base_path() {
    let time = VirtualTime::new();
    let index = r#"{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=A%2FB"},"version":{}}}"#;
    let version = r#"{"major":"1","minor":"36","gitVersion":"v1.36.3"}"#;
    let document = r#"{"openapi":"3.0.0"}"#;
    let script = Script::new(&time, [Reply::json(200, version), Reply::json(200, index), Reply::json(200, document)]);
    let config = Config { host: "http://localhost:8001/k-x".into(), ..script.config() };
    let client = DiscoveryClient::new(config).unwrap();
    assert_eq!(time.run(client.server_version()).unwrap().git_version, "v1.36.3");
    let documents = time.run(client.open_api()).unwrap();
    assert_eq!((documents[0].path.as_str(), documents[0].hash()), ("api/v1", Some("A%2FB")));
    assert_eq!(documents[1].hash(), None);
    assert_eq!(time.run(client.open_api_document(&documents[0])).unwrap(), document.as_bytes());
    let urls: Vec<String> = script.requests().into_iter().map(|request| request.url).collect();
    assert_eq!(
        urls,
        [
            "http://localhost:8001/k-x/version?timeout=32s",
            "http://localhost:8001/k-x/openapi/v3?timeout=32s",
            "http://localhost:8001/k-x/openapi/v3/api/v1?hash=A%2FB&timeout=32s"
        ]
    );
}

#[test]
fn a_page_that_answers_everything_with_200_is_found_out() {
    let time = VirtualTime::new();
    let page = || typed("text/html", "<html>");
    let script = Script::new(&time, [page(), page()]);
    assert!(time.run(discovery(&script).server_groups()).unwrap_err().is_not_json());
    let cut = || typed(V2, r#"{"items":[{"#);
    let script = Script::new(&time, [cut(), cut()]);
    assert!(time.run(discovery(&script).server_groups()).unwrap_err().is_undecodable());
}
