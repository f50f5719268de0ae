//! The metadata client: what it asks for, and what it makes of servers that send more.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod dialogue;

use dialogue::{Part, Reply, body, dialogue, header, ok};
use futures::StreamExt;
use kube_core::GroupVersionResource;
use masthead::{
    metadata::{MetadataClient, ResourceClient},
    rest::{ListOptions, PatchKind, RestClient, WatchEvent},
};
use serde_json::json;

const PARTIAL: &str = r#"{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata",
    "metadata":{"name":"web","labels":{"a":"b"}}}"#;
const FULL: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[]}}"#;
const ONE: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const MANY: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

fn pods(client: &RestClient) -> ResourceClient {
    MetadataClient::new(client).resource(&GroupVersionResource::gvr("", "v1", "pods")).namespace("ns")
}

#[test]
fn every_verb_asks_for_the_form_that_the_server_has_for_it() {
    let path = "/api/v1/namespaces/ns/pods";
    let list =
        format!(r#"{{"kind":"PartialObjectMetadataList","metadata":{{"resourceVersion":"3"}},"items":[{PARTIAL}]}}"#);
    let event = Part::Chunk(format!(r#"{{"type":"ADDED","object":{PARTIAL}}}"#));
    let ((), requests) = dialogue(
        [
            (format!("GET {path}/web"), ok(PARTIAL)),
            (format!("GET {path}?limit=1"), ok(&list)),
            (format!("GET {path}?limit=500"), ok(&list)),
            (format!("GET {path}?resourceVersion=3&watch=true"), Reply::watch([event])),
            (format!("PATCH {path}/web"), ok(PARTIAL)),
            (format!("DELETE {path}/web"), ok("{}")),
            (format!("DELETE {path}?labelSelector=a"), ok("{}")),
        ],
        async |client| {
            let pods = pods(&client);
            let pod = pods.get("web", &Default::default()).await.unwrap();
            assert_eq!(pod.metadata.labels.unwrap()["a"], "b");
            let page = pods.list(&ListOptions { limit: Some(1), ..Default::default() }).await.unwrap();
            assert_eq!((page.items.len(), page.resource_version.as_str()), (1, "3"));
            assert_eq!(pods.pager().list(Default::default()).await.unwrap().list.items.len(), 1);
            let from = ListOptions { resource_version: "3".into(), ..Default::default() };
            let mut watch = pods.watch(&from).await.unwrap();
            let event = watch.next().await.unwrap().unwrap();
            assert!(matches!(event, WatchEvent::Added(pod) if pod.metadata.name.as_deref() == Some("web")));
            let patch = json!({"metadata": {"labels": {"a": null}}});
            pods.patch("web", PatchKind::Merge, &patch, &Default::default()).await.unwrap();
            pods.delete("web", &Default::default()).await.unwrap();
            let which = ListOptions { label_selector: "a".into(), ..Default::default() };
            pods.delete_collection(&Default::default(), &which).await.unwrap();
        },
    );
    let asked: Vec<&str> = requests.iter().take(5).map(|request| header(request, "Accept")).collect();
    assert_eq!(asked, [ONE, MANY, MANY, ONE, ONE]);
    assert_eq!(header(&requests[4], "Content-Type"), "application/merge-patch+json");
    assert_eq!(body(&requests[5]), r#"{"kind":"DeleteOptions","apiVersion":"v1"}"#);
}

#[test]
fn a_whole_object_is_stripped_to_its_metadata() {
    let list = format!(r#"{{"kind":"PodList","metadata":{{"resourceVersion":"3"}},"items":[{FULL}]}}"#);
    let event = Part::Chunk(format!(r#"{{"type":"ADDED","object":{FULL}}}"#));
    let path = "/api/v1/namespaces/ns/pods";
    dialogue(
        [
            (format!("GET {path}/web"), ok(FULL)),
            (format!("GET {path}"), ok(&list)),
            (format!("GET {path}?watch=true"), Reply::watch([event])),
        ],
        async |client| {
            let pods = pods(&client);
            let got = pods.get("web", &Default::default()).await.unwrap();
            let listed = pods.list(&Default::default()).await.unwrap().items.remove(0);
            let event = pods.watch(&Default::default()).await.unwrap().next().await.unwrap().unwrap();
            let WatchEvent::Added(watched) = event else { panic!("{event:?}") };
            for pod in [got, listed, watched] {
                assert_eq!(serde_json::to_value(pod).unwrap(), json!({"metadata": {"name": "web"}}));
            }
        },
    );
}

#[test]
fn what_has_no_metadata_is_no_object() {
    let path = "GET /api/v1/namespaces/ns/pods/web";
    dialogue([(path, ok(r#"{"apiVersion":"v1","kind":"Odd"}"#))], async |client| {
        let error = pods(&client).get("web", &Default::default()).await.unwrap_err();
        assert_eq!(error.to_string(), "get pods: undecodable: object does not appear to match the ObjectMeta schema");
    });
}
