//! The typed client: paths, queries, bodies and answers of every verb.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod dialogue;

use std::rc::Rc;

use dialogue::{Part, Reply, body, dialogue, failure, header, monologue, ok};
use futures::StreamExt;
use k8s_openapi::api::{
    apps::v1::Deployment,
    core::v1::{ConfigMap, Namespace, Node, Pod},
};
use masthead::{
    rest::{
        ApplyOptions, Auth, CreateOptions, DeleteOptions, FieldValidation, GetOptions, ListOptions, PatchKind,
        PatchOptions, PropagationPolicy, ResourceVersionMatch, RestClient, WatchEvent,
    },
    typed::Client,
    watch::RetryWatcher,
};
use serde_json::{Value, json};

const POD: &str =
    r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"ns","resourceVersion":"7"}}"#;
const POD_PATH: &str = "/api/v1/namespaces/ns/pods/web";

fn pod() -> Pod {
    serde_json::from_str(POD).unwrap()
}

#[test]
fn rq_05_options_are_added_beside_each_other() {
    let url = monologue(async |client| {
        let first = ListOptions { resource_version: "1".into(), timeout_seconds: Some(10), ..Default::default() };
        let second = GetOptions { resource_version: "2".into() };
        client.get().abs_path(["/foo"]).params(&first).params(&second).url()
    });
    assert!(url.ends_with("/foo?resourceVersion=1&resourceVersion=2&timeoutSeconds=10"), "{url}");
}

#[test]
fn list_options_are_written_under_the_server_s_names() {
    let options = ListOptions {
        label_selector: "app=web".into(),
        field_selector: "spec.nodeName=n".into(),
        watch: true,
        allow_watch_bookmarks: true,
        resource_version: "5".into(),
        resource_version_match: Some(ResourceVersionMatch::NotOlderThan),
        timeout_seconds: Some(0),
        limit: Some(3),
        continue_token: "c".into(),
        send_initial_events: Some(false),
    };
    let written: Vec<String> = options.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(
        written.join(" "),
        "labelSelector=app=web fieldSelector=spec.nodeName=n watch=true allowWatchBookmarks=true resourceVersion=5 \
         resourceVersionMatch=NotOlderThan timeoutSeconds=0 limit=3 continue=c sendInitialEvents=false"
    );
    let nothing = ListOptions { limit: Some(0), ..Default::default() };
    assert_eq!(nothing.into_iter().count(), 0);
}

#[test]
fn creates_reads_and_replaces_an_object() {
    let options =
        CreateOptions { dry_run: true, field_manager: "m".into(), field_validation: Some(FieldValidation::Strict) };
    let query = "dryRun=All&fieldManager=m&fieldValidation=Strict";
    let ((), requests) = dialogue(
        [
            (format!("POST /api/v1/namespaces/ns/pods?{query}").as_str(), Reply::json(201, POD)),
            (format!("PUT {POD_PATH}?{query}").as_str(), ok(POD)),
            (format!("PUT {POD_PATH}/status").as_str(), ok(POD)),
            (format!("GET {POD_PATH}?resourceVersion=0").as_str(), ok(POD)),
        ],
        async |client| {
            let pods = Client::<Pod>::namespaced(&client, "ns");
            assert_eq!(pods.create(&pod(), &options).await.unwrap(), pod());
            assert_eq!(pods.update(&pod(), &options).await.unwrap(), pod());
            assert_eq!(pods.update_status(&pod(), &Default::default()).await.unwrap(), pod());
            let at_hand = GetOptions { resource_version: "0".into() };
            assert_eq!(pods.get("web", &at_hand).await.unwrap(), pod());
        },
    );
    for request in &requests[..3] {
        assert_eq!(serde_json::from_str::<Pod>(body(request)).unwrap(), pod());
        assert_eq!(header(request, "Content-Type"), "application/json");
    }
    assert_eq!(body(&requests[3]), "");
}

#[test]
fn scopes_follow_the_type() {
    let list = r#"{"metadata":{"resourceVersion":"1"},"items":[]}"#;
    dialogue(
        [
            ("GET /api/v1/nodes", ok(list)),
            ("GET /apis/apps/v1/deployments", ok(list)),
            ("GET /apis/apps/v1/namespaces/ns/deployments", ok(list)),
        ],
        async |client| {
            Client::<Node>::cluster(&client).list(&Default::default()).await.unwrap();
            Client::<Deployment>::all_namespaces(&client).list(&Default::default()).await.unwrap();
            Client::<Deployment>::namespaced(&client, "ns").list(&Default::default()).await.unwrap();
        },
    );
}

#[test]
fn one_object_of_all_namespaces_and_an_object_without_a_name_are_never_asked_for() {
    monologue(async |client| {
        let pods = Client::<Pod>::all_namespaces(&client);
        let error = pods.get("web", &Default::default()).await.unwrap_err();
        assert!(error.to_string().contains("an empty namespace may not be set when a resource name"), "{error}");
        let error = pods.create(&pod(), &Default::default()).await.unwrap_err();
        assert!(error.to_string().contains("an empty namespace may not be set during creation"), "{error}");
        let pods = Client::<Pod>::namespaced(&client, "ns");
        let error = pods.update(&Pod::default(), &Default::default()).await.unwrap_err();
        assert_eq!(error.to_string(), "update pods: resource name may not be empty");
        assert!(pods.delete("", &Default::default()).await.unwrap_err().is_invalid_request());
        assert!(pods.get("a/b", &Default::default()).await.unwrap_err().is_invalid_request());
    });
}

#[test]
fn an_absent_object_is_none_and_an_absent_resource_an_error() {
    let path = format!("GET {POD_PATH}");
    dialogue(
        [
            (path.as_str(), ok(POD)),
            (path.as_str(), failure(404, "NotFound", "web")),
            (path.as_str(), failure(404, "NotFound", "")),
            (path.as_str(), Reply::text(404, "404 page not found")),
            (path.as_str(), failure(403, "Forbidden", "web")),
        ],
        async |client| {
            let pods = Client::<Pod>::namespaced(&client, "ns");
            assert_eq!(pods.get_opt("web", &Default::default()).await.unwrap(), Some(pod()));
            assert_eq!(pods.get_opt("web", &Default::default()).await.unwrap(), None);
            assert!(pods.get_opt("web", &Default::default()).await.unwrap_err().is_not_found());
            assert!(pods.get_opt("web", &Default::default()).await.unwrap_err().is_not_found());
            assert!(pods.get_opt("web", &Default::default()).await.unwrap_err().is_forbidden());
        },
    );
}

#[test]
fn the_server_s_time_limit_is_the_request_s() {
    let list = r#"{"metadata":{},"items":[]}"#;
    let which = ListOptions { label_selector: "a=b".into(), timeout_seconds: Some(90), ..Default::default() };
    let query = "labelSelector=a%3Db&timeout=1m30s&timeoutSeconds=90";
    let ((), requests) = dialogue(
        [
            (format!("GET /api/v1/namespaces/ns/pods?{query}").as_str(), ok(list)),
            (format!("GET /api/v1/namespaces/ns/pods?{query}&watch=true").as_str(), Reply::watch([])),
            (format!("DELETE /api/v1/namespaces/ns/pods?{query}").as_str(), ok("{}")),
        ],
        async |client| {
            let pods = Client::<Pod>::namespaced(&client, "ns");
            pods.list(&which).await.unwrap();
            assert!(pods.watch(&which).await.unwrap().next().await.is_none());
            let options = DeleteOptions { grace_period_seconds: Some(0), ..Default::default() };
            pods.delete_collection(&options, &which).await.unwrap();
        },
    );
    assert_eq!(body(&requests[2]), r#"{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}"#);
}

#[test]
fn a_list_that_takes_longer_than_its_time_limit_is_given_up() {
    let (error, _) = dialogue([("GET /api/v1/nodes?timeout=2s&timeoutSeconds=2", Reply::Silence)], async |client| {
        let options = ListOptions { timeout_seconds: Some(2), ..Default::default() };
        Client::<Node>::cluster(&client).list(&options).await.unwrap_err()
    });
    assert!(error.is_timeout());
    assert_eq!(error.to_string(), "list nodes: no answer within 2 s");
}

#[test]
fn deletes_with_options_in_the_body() {
    let options = DeleteOptions { propagation_policy: Some(PropagationPolicy::Orphan), ..Default::default() };
    let ((), requests) = dialogue([(format!("DELETE {POD_PATH}").as_str(), Reply::json(202, POD))], async |client| {
        Client::<Pod>::namespaced(&client, "ns").delete("web", &options).await.unwrap();
    });
    assert_eq!(body(&requests[0]), r#"{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Orphan"}"#);
    assert_eq!(header(&requests[0], "Content-Type"), "application/json");
}

#[test]
fn every_kind_of_patch_has_its_content_type() {
    let kinds = [PatchKind::Json, PatchKind::Merge, PatchKind::StrategicMerge, PatchKind::Apply];
    let path = format!("PATCH {POD_PATH}?fieldManager=m");
    let ((), requests) = dialogue(kinds.map(|_| (path.as_str(), ok(POD))), async |client| {
        let pods = Client::<Pod>::namespaced(&client, "ns");
        let options = PatchOptions { field_manager: "m".into(), ..Default::default() };
        for kind in kinds {
            assert_eq!(pods.patch("web", kind, &json!({"a": 1}), &options).await.unwrap(), pod());
        }
    });
    let sent: Vec<&str> = requests.iter().map(|request| header(request, "Content-Type")).collect();
    assert_eq!(sent, kinds.map(PatchKind::content_type));
    assert!(requests.iter().all(|request| body(request) == r#"{"a":1}"#));
}

#[test]
fn apply_sends_the_configuration_by_its_name() {
    let configuration = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}});
    let ((), requests) = dialogue(
        [
            (format!("PATCH {POD_PATH}?fieldManager=m&force=true").as_str(), ok(POD)),
            (format!("PATCH {POD_PATH}/status?fieldManager=m&force=false").as_str(), failure(409, "Conflict", "web")),
        ],
        async |client| {
            let pods = Client::<Pod>::namespaced(&client, "ns");
            let mut options = ApplyOptions { field_manager: "m".into(), force: true, ..Default::default() };
            assert_eq!(pods.apply(&configuration, &options).await.unwrap(), pod());
            options.force = false;
            let error = pods.apply_status(&pod(), &options).await.unwrap_err();
            assert!(error.is_conflict());
            assert!(error.to_string().starts_with("apply pods/status: 409"), "{error}");
        },
    );
    assert_eq!(header(&requests[0], "Content-Type"), "application/apply-patch+yaml");
    assert_eq!(serde_json::from_str::<Value>(body(&requests[0])).unwrap(), configuration);
}

#[test]
fn apply_refuses_nothing_at_all_no_name_and_managed_fields() {
    monologue(async |client| {
        let pods = Client::<Pod>::namespaced(&client, "ns");
        for (configuration, expect) in [
            (Value::Null, "apply pods: the configuration provided to apply must not be null"),
            (json!({"kind": "Pod"}), "apply pods: the configuration's name must be provided to apply"),
            (json!({"metadata": {"name": ""}}), "apply pods: the configuration's name must be provided to apply"),
            (
                json!({"metadata": {"name": "web", "managedFields": [{"manager": "m"}]}}),
                "apply pods: cannot apply an object with managed fields already set: use the configuration of the \
                 fields you want to own, without metadata.managedFields",
            ),
        ] {
            let error = pods.apply(&configuration, &ApplyOptions::default()).await.unwrap_err();
            assert_eq!(error.to_string(), expect);
            assert!(error.is_invalid_request());
        }
    });
}

#[test]
fn watches_events_and_an_undecodable_one_does_not_end_them() {
    let events = [
        format!(r#"{{"type":"ADDED","object":{POD}}}"#),
        r#"{"type":"MODIFIED","object":{"kind":"Pod","metadata":7}}"#.to_owned(),
        r#"{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"9"}}}"#.to_owned(),
        format!(r#"{{"type":"DELETED","object":{POD}}}"#),
    ];
    let path = "GET /api/v1/namespaces/ns/pods?allowWatchBookmarks=true&resourceVersion=7&watch=true";
    dialogue([(path, Reply::watch(events.map(Part::Chunk)))], async |client| {
        let options =
            ListOptions { allow_watch_bookmarks: true, resource_version: "7".into(), ..ListOptions::default() };
        let mut watch = Client::<Pod>::namespaced(&client, "ns").watch(&options).await.unwrap();
        assert_eq!(watch.next().await.unwrap().unwrap(), WatchEvent::Added(pod()));
        assert!(watch.next().await.unwrap().unwrap_err().is_undecodable());
        assert!(matches!(watch.next().await, Some(Ok(WatchEvent::Bookmark(mark))) if mark.resource_version == "9"));
        assert_eq!(watch.next().await.unwrap().unwrap(), WatchEvent::Deleted(pod()));
        assert!(watch.next().await.is_none());
    });
}

#[test]
fn errors_name_the_kubernetes_verb() {
    dialogue(
        [
            ("GET /api/v1/configmaps", failure(403, "Forbidden", "")),
            ("GET /api/v1/configmaps?watch=true", failure(403, "Forbidden", "")),
            ("PUT /api/v1/namespaces/a/finalize", failure(409, "Conflict", "a")),
        ],
        async |client| {
            let maps = Client::<ConfigMap>::all_namespaces(&client);
            let error = maps.list(&Default::default()).await.unwrap_err();
            assert_eq!(
                error.to_string(),
                "list configmaps: 403 Forbidden: the server does not allow access to the requested resource"
            );
            let error = maps.watch(&Default::default()).await.unwrap_err();
            assert!(error.to_string().starts_with("watch configmaps: 403 Forbidden"), "{error}");
            let namespace: Namespace = serde_json::from_value(json!({"metadata": {"name": "a"}})).unwrap();
            let namespaces = Client::<Namespace>::cluster(&client);
            let error = namespaces.finalize(&namespace, &Default::default()).await.unwrap_err();
            assert!(error.to_string().starts_with("update namespaces/finalize: 409 Conflict"), "{error}");
        },
    );
}

#[test]
fn a_client_shows_no_token() {
    let path = format!("GET {POD_PATH}");
    dialogue([(path, ok(POD))], async |client| {
        let mut config = client.config().clone();
        config.auth = Auth::Provider(Rc::new(|| Box::pin(async { Ok("secret".to_owned()) })));
        let pods = Client::<Pod>::namespaced(&RestClient::new(config).unwrap(), "ns");
        pods.get("web", &Default::default()).await.unwrap();
        assert!(!format!("{pods:?}").contains("secret"), "{pods:?}");
    });
}

#[test]
fn a_client_s_collection_is_watched_over_many_connections() {
    let event = |kind: &str, version: &str| {
        let metadata = format!(r#"{{"name":"web","resourceVersion":"{version}"}}"#);
        Part::Chunk(format!(r#"{{"type":"{kind}","object":{{"metadata":{metadata}}}}}"#))
    };
    let path = |version: &str| {
        let query = "allowWatchBookmarks=true&labelSelector=a%3Db";
        format!(
            "GET /api/v1/namespaces/ns/pods?{query}&resourceVersion={version}&timeout=7s&timeoutSeconds=7&watch=true"
        )
    };
    let steps = [
        (path("5"), Reply::watch([event("ADDED", "6")])),
        (path("6"), Reply::watch([event("DELETED", "8")])),
        (path("8"), failure(403, "Forbidden", "")),
    ];
    dialogue(steps, async |client| {
        let pods = Client::<Pod>::namespaced(&client, "ns");
        let options = ListOptions { label_selector: "a=b".into(), timeout_seconds: Some(7), ..Default::default() };
        let mut watcher = RetryWatcher::new(pods.source(&options), "5").unwrap();
        assert!(matches!(watcher.next().await, Some(Ok(WatchEvent::Added(_)))));
        assert!(matches!(watcher.next().await, Some(Ok(WatchEvent::Deleted(_)))));
        let error = watcher.next().await.unwrap().unwrap_err();
        assert!(error.to_string().starts_with("watch pods: 403 Forbidden"), "{error}");
    });
}
