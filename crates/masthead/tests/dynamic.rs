//! The dynamic and the scale client: any resource by its group, version and name.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod dialogue;

use dialogue::{Part, Reply, body, dialogue, failure, header, monologue, ok};
use futures::StreamExt;
use kube_core::{DynamicObject, GroupVersionResource};
use masthead::{
    dynamic::DynamicClient,
    rest::{ApplyOptions, CreateOptions, DeleteOptions, ListOptions, PatchKind, WatchEvent},
    scale::ScaleClient,
    typed::Subresource,
};
use serde_json::json;

const OBJECT: &str = r#"{"apiVersion":"gtest/vtest","kind":"Rtest","metadata":{"name":"n"},"spec":{"a":1}}"#;

fn object() -> DynamicObject {
    serde_json::from_str(OBJECT).unwrap()
}

fn rtest() -> GroupVersionResource {
    GroupVersionResource::gvr("gtest", "vtest", "rtest")
}

#[test]
fn rq_23_paths_follow_group_version_namespace_and_subresource() {
    let all = "/apis/gtest/vtest/rtest";
    let one = "/apis/gtest/vtest/namespaces/nstest/rtest/n";
    let steps = [
        format!("GET {all}/n"),
        format!("GET {one}"),
        format!("GET {one}/s"),
        format!("POST {one}/s/t"),
        format!("PUT {one}"),
        format!("PUT {one}/status"),
        format!("DELETE {one}"),
        format!("DELETE {one}/s"),
        format!("PATCH {one}"),
        format!("PATCH {one}/s"),
        "GET /api/v1/namespaces/nstest/rtest/n".to_owned(),
        "POST /api/v1/rtest".to_owned(),
    ];
    dialogue(steps.map(|step| (step, ok(OBJECT))), async |client| {
        let client = DynamicClient::new(&client);
        let everywhere = client.resource(&rtest());
        let here = everywhere.namespace("nstest");
        let part: Subresource<DynamicObject> = here.subresource("s");
        assert_eq!(everywhere.get("n", &Default::default()).await.unwrap(), object());
        assert_eq!(here.get("n", &Default::default()).await.unwrap(), object());
        assert_eq!(part.get("n", &Default::default()).await.unwrap(), object());
        here.subresource("s/t").create("n", &object(), &Default::default()).await.unwrap();
        here.update(&object(), &Default::default()).await.unwrap();
        here.update_status(&object(), &Default::default()).await.unwrap();
        here.delete("n", &Default::default()).await.unwrap();
        part.delete("n", &Default::default()).await.unwrap();
        here.patch("n", PatchKind::Merge, &json!({}), &Default::default()).await.unwrap();
        part.patch("n", PatchKind::Json, &json!([]), &Default::default()).await.unwrap();
        let core = client.resource(&GroupVersionResource::gvr("", "v1", "rtest"));
        core.namespace("nstest").get("n", &Default::default()).await.unwrap();
        core.namespace("").create(&object(), &CreateOptions::default()).await.unwrap();
    });
}

#[test]
fn an_object_goes_over_the_wire_as_it_is() {
    let path = "POST /apis/gtest/vtest/namespaces/ns/rtest?fieldManager=m";
    let (created, requests) = dialogue([(path, Reply::json(201, OBJECT))], async |client| {
        let options = CreateOptions { field_manager: "m".into(), ..Default::default() };
        DynamicClient::new(&client).resource(&rtest()).namespace("ns").create(&object(), &options).await.unwrap()
    });
    assert_eq!(created.data, json!({"spec": {"a": 1}}));
    assert_eq!(serde_json::from_str::<DynamicObject>(body(&requests[0])).unwrap(), object());
}

#[test]
fn items_of_a_list_get_the_kind_that_the_list_names() {
    let list = r#"{"apiVersion":"gtest/vtest","kind":"RtestList","metadata":{"resourceVersion":"4","continue":"c",
        "remainingItemCount":7},"items":[{"metadata":{"name":"a"}},{"apiVersion":"x/v1","kind":"Own","metadata":{}}]}"#;
    let (page, _) = dialogue([("GET /apis/gtest/vtest/rtest?limit=2", ok(list))], async |client| {
        let options = ListOptions { limit: Some(2), ..Default::default() };
        DynamicClient::new(&client).resource(&rtest()).list(&options).await.unwrap()
    });
    let kinds = page.items.iter().map(|item| item.types.as_ref().unwrap());
    let kinds: Vec<String> = kinds.map(|types| format!("{} {}", types.api_version, types.kind)).collect();
    assert_eq!(kinds, ["gtest/vtest Rtest", "x/v1 Own"]);
    assert_eq!(page.resource_version, "4");
    assert_eq!((page.continue_token.as_deref(), page.remaining_item_count), (Some("c"), Some(7)));
}

#[test]
fn an_answer_that_is_no_list_is_the_list_of_itself() {
    let path = "GET /apis/gtest/vtest/rtest";
    dialogue([(path, ok(OBJECT)), (path, ok("[]")), (path, failure(403, "Forbidden", ""))], async |client| {
        let client = DynamicClient::new(&client).resource(&rtest());
        assert_eq!(client.list(&Default::default()).await.unwrap().items, [object()]);
        assert!(client.list(&Default::default()).await.unwrap_err().is_undecodable());
        assert!(client.list(&Default::default()).await.unwrap_err().is_forbidden());
    });
}

#[test]
fn collections_are_watched_and_deleted() {
    let path = "/apis/gtest/vtest/namespaces/ns/rtest";
    let event = Part::Chunk(format!(r#"{{"type":"MODIFIED","object":{OBJECT}}}"#));
    let ((), requests) = dialogue(
        [
            (format!("GET {path}?fieldSelector=metadata.name%3Dn&watch=true"), Reply::watch([event])),
            (format!("DELETE {path}?labelSelector=a"), ok("{}")),
        ],
        async |client| {
            let client = DynamicClient::new(&client).resource(&rtest()).namespace("ns");
            let options = ListOptions { field_selector: "metadata.name=n".into(), ..Default::default() };
            let mut watch = client.watch(&options).await.unwrap();
            assert_eq!(watch.next().await.unwrap().unwrap(), WatchEvent::Modified(object()));
            let which = ListOptions { label_selector: "a".into(), ..Default::default() };
            let options = DeleteOptions { dry_run: true, ..Default::default() };
            client.delete_collection(&options, &which).await.unwrap();
        },
    );
    assert_eq!(body(&requests[1]), r#"{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}"#);
}

#[test]
fn apply_goes_to_the_object_and_to_its_status() {
    let path = "/apis/gtest/vtest/namespaces/ns/rtest/n";
    let ((), requests) = dialogue(
        [
            (format!("PATCH {path}?dryRun=All&fieldManager=m&force=true"), ok(OBJECT)),
            (format!("PATCH {path}/status?fieldManager=m&force=false"), ok(OBJECT)),
        ],
        async |client| {
            let client = DynamicClient::new(&client).resource(&rtest()).namespace("ns");
            let options = ApplyOptions { dry_run: true, force: true, field_manager: "m".into() };
            assert_eq!(client.apply(&object(), &options).await.unwrap(), object());
            let options = ApplyOptions { field_manager: "m".into(), ..Default::default() };
            client.apply_status(&object(), &options).await.unwrap();
        },
    );
    assert!(requests.iter().all(|request| header(request, "Content-Type") == "application/apply-patch+yaml"));
    assert_eq!(serde_json::from_str::<DynamicObject>(body(&requests[0])).unwrap(), object());
}

#[test]
fn what_has_no_name_or_has_managed_fields_is_never_sent() {
    monologue(async |client| {
        let client = DynamicClient::new(&client).resource(&rtest()).namespace("ns");
        let mut object = object();
        object.metadata.managed_fields = Some(vec![Default::default()]);
        let error = client.apply(&object, &Default::default()).await.unwrap_err();
        assert!(error.to_string().contains("cannot apply an object with managed fields already set"), "{error}");
        object.metadata = Default::default();
        assert!(client.apply(&object, &Default::default()).await.unwrap_err().is_invalid_request());
        assert!(client.update(&object, &Default::default()).await.unwrap_err().is_invalid_request());
        assert!(client.get("", &Default::default()).await.unwrap_err().is_invalid_request());
        let part: Subresource<DynamicObject> = client.subresource("s");
        assert!(part.create("", &object, &Default::default()).await.unwrap_err().is_invalid_request());
        let elsewhere = client.namespace("a/b").get("n", &Default::default()).await.unwrap_err();
        assert!(elsewhere.is_invalid_request());
    });
}

#[test]
fn a_scale_of_any_version_is_one_of_autoscaling_v1() {
    let deployments = GroupVersionResource::gvr("apps", "v1", "deployments");
    let path = "/apis/apps/v1/namespaces/ns/deployments/web/scale";
    let scale = |version: &str, status: &str| {
        let head = format!(r#""kind":"Scale","apiVersion":"{version}","metadata":{{"name":"web"}}"#);
        Reply::json(200, format!(r#"{{{head},"spec":{{"replicas":3}},"status":{{"replicas":2,{status}}}}}"#))
    };
    let ((), requests) = dialogue(
        [
            (format!("GET {path}"), scale("autoscaling/v1", r#""selector":"app=web""#)),
            (format!("GET {path}"), scale("extensions/v1beta1", r#""selector":{"app":"web","b":"c"}"#)),
            (
                format!("GET {path}"),
                scale("apps/v1beta2", r#""selector":{"app":"web"},"targetSelector":"app in (web)""#),
            ),
            (format!("GET {path}"), scale("example.com/v1", r#""selector":"app=web""#)),
            (format!("PUT {path}?dryRun=All"), scale("autoscaling/v1", r#""selector":"app=web""#)),
            (format!("PATCH {path}"), scale("apps/v1beta1", r#""selector":{}"#)),
        ],
        async |client| {
            let scales = ScaleClient::new(&client).namespace("ns");
            let mut last = None;
            for selector in ["app=web", "app=web,b=c", "app in (web)"] {
                let scale = scales.get(&deployments, "web", &Default::default()).await.unwrap();
                let status = scale.status.as_ref().unwrap();
                assert_eq!((status.replicas, status.selector.as_deref()), (2, Some(selector)));
                assert_eq!(scale.spec.as_ref().unwrap().replicas, Some(3));
                last = Some(scale);
            }
            let error = scales.get(&deployments, "web", &Default::default()).await.unwrap_err();
            assert!(error.is_undecodable(), "{error}");
            let options = CreateOptions { dry_run: true, ..Default::default() };
            scales.update(&deployments, &last.unwrap(), &options).await.unwrap();
            let patch = json!({"spec": {"replicas": 1}});
            let target = (&deployments, "web");
            scales.patch(target, PatchKind::Merge, &patch, &Default::default()).await.unwrap();
            let error = scales.update(&deployments, &Default::default(), &options).await.unwrap_err();
            assert!(error.is_invalid_request());
        },
    );
    assert!(body(&requests[4]).contains(r#""apiVersion":"autoscaling/v1""#), "{}", body(&requests[4]));
    assert_eq!(body(&requests[5]), r#"{"spec":{"replicas":1}}"#);
}
