//! Subresources of typed clients: scale, logs, eviction, binding, tokens; and a custom kind.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod dialogue;

use std::borrow::Cow;

use dialogue::{Part, Reply, body, dialogue, failure, header, ok};
use futures::TryStreamExt;
use k8s_openapi::{
    NamespaceResourceScope,
    api::{
        apps::v1::Deployment,
        authentication::v1::TokenRequest,
        autoscaling::v1::Scale,
        core::v1::{Binding, Pod, ServiceAccount},
        policy::v1::Eviction,
    },
};
use kube_core::{ObjectMeta, Resource};
use masthead::{
    rest::{ApplyOptions, ListOptions, PatchKind},
    typed::{Client, LogOptions, LogStream, Subresource},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[test]
fn scale_is_read_set_patched_and_applied() {
    const PATH: &str = "/apis/apps/v1/namespaces/ns/deployments/web/scale";
    let scale = r#"{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":3}}"#;
    let ((), requests) = dialogue(
        [
            (format!("GET {PATH}").as_str(), ok(scale)),
            (format!("PUT {PATH}").as_str(), ok(scale)),
            (format!("PATCH {PATH}").as_str(), ok(scale)),
            (format!("PATCH {PATH}?fieldManager=m&force=false").as_str(), ok(scale)),
        ],
        async |client| {
            let scales: Subresource<Scale> = Client::<Deployment>::namespaced(&client, "ns").scale();
            let mut scale = scales.get("web", &Default::default()).await.unwrap();
            assert_eq!(scale.spec.as_ref().unwrap().replicas, Some(3));
            scale.spec.as_mut().unwrap().replicas = Some(5);
            scales.update("web", &scale, &Default::default()).await.unwrap();
            let patch = json!({"spec": {"replicas": 6}});
            scales.patch("web", PatchKind::Merge, &patch, &Default::default()).await.unwrap();
            let options = ApplyOptions { field_manager: "m".into(), ..Default::default() };
            scales.apply("web", &patch, &options).await.unwrap();
        },
    );
    assert_eq!(serde_json::from_str::<Scale>(body(&requests[1])).unwrap().spec.unwrap().replicas, Some(5));
    assert_eq!(header(&requests[2], "Content-Type"), "application/merge-patch+json");
    assert_eq!(header(&requests[3], "Content-Type"), "application/apply-patch+yaml");
}

#[test]
fn logs_come_whole_or_as_they_are_written() {
    let options = LogOptions {
        container: "app".into(),
        follow: true,
        previous: true,
        since_seconds: Some(60),
        since_time: "2026-01-01T00:00:00Z".into(),
        timestamps: true,
        tail_lines: Some(0),
        limit_bytes: Some(9),
        stream: Some(LogStream::Stderr),
        insecure_skip_tls_verify_backend: true,
    };
    let all = "container=app&follow=true&insecureSkipTLSVerifyBackend=true&limitBytes=9&previous=true&sinceSeconds=60&\
               sinceTime=2026-01-01T00%3A00%3A00Z&stream=Stderr&tailLines=0&timestamps=true";
    let parts = ["a line\nand ", "another\n"].map(|part| Part::Chunk(part.to_owned()));
    let streamed = Reply::watch(parts).header("X", "y");
    dialogue(
        [
            ("GET /api/v1/namespaces/ns/pods/web/log", Reply::text(200, "one\ntwo\n")),
            (format!("GET /api/v1/namespaces/ns/pods/web/log?{all}").as_str(), streamed),
            ("GET /api/v1/namespaces/ns/pods/web/log?previous=true", failure(400, "BadRequest", "web")),
        ],
        async |client| {
            let pods = Client::<Pod>::namespaced(&client, "ns");
            assert_eq!(pods.logs("web", &LogOptions::default()).await.unwrap(), "one\ntwo\n");
            let chunks: Vec<Vec<u8>> = pods.log_stream("web", &options).await.unwrap().try_collect().await.unwrap();
            assert_eq!(String::from_utf8(chunks.concat()).unwrap(), "a line\nand another\n");
            assert_eq!(chunks.len(), 2, "given out as they come");
            let previous = LogOptions { previous: true, ..Default::default() };
            let error = pods.log_stream("web", &previous).await.unwrap_err();
            assert!(error.to_string().starts_with("get pods/log: 400 BadRequest"), "{error}");
            let error = pods.logs("web", &options).await.unwrap_err();
            assert!(error.is_invalid_request(), "a log that is followed never ends: {error}");
        },
    );
}

#[test]
fn a_log_line_that_reads_like_a_failure_is_none() {
    let line = r#"{"kind":"Status","status":"Failure"}"#;
    let (log, _) = dialogue([("GET /api/v1/namespaces/ns/pods/web/log", Reply::text(200, line))], async |client| {
        Client::<Pod>::namespaced(&client, "ns").logs("web", &LogOptions::default()).await.unwrap()
    });
    assert_eq!(log, line);
}

#[test]
fn pods_are_evicted_and_bound_by_the_name_in_the_object() {
    let status = r#"{"kind":"Status","status":"Success","code":201}"#;
    let named = json!({"metadata": {"name": "web"}, "target": {"name": "n1"}});
    let ((), requests) = dialogue(
        [
            ("POST /api/v1/namespaces/ns/pods/web/eviction", Reply::json(201, status)),
            ("POST /api/v1/namespaces/ns/pods/web/eviction", failure(429, "TooManyRequests", "web")),
            ("POST /api/v1/namespaces/ns/pods/web/binding", Reply::json(201, status)),
        ],
        async |client| {
            let pods = Client::<Pod>::namespaced(&client, "ns");
            let eviction: Eviction = serde_json::from_value(named.clone()).unwrap();
            pods.evict(&eviction).await.unwrap();
            assert!(pods.evict(&eviction).await.unwrap_err().is_too_many_requests(), "a budget forbids it");
            let binding: Binding = serde_json::from_value(named.clone()).unwrap();
            pods.bind(&binding, &Default::default()).await.unwrap();
            assert!(pods.evict(&Eviction::default()).await.unwrap_err().is_invalid_request());
        },
    );
    assert!(body(&requests[0]).contains(r#""kind":"Eviction""#), "{}", body(&requests[0]));
    assert!(body(&requests[2]).contains(r#""target":{"name":"n1"}"#), "{}", body(&requests[2]));
}

#[test]
fn a_service_account_gives_tokens() {
    let answer = r#"{"metadata":{},"spec":{"audiences":["api"]},"status":{"token":"t","expirationTimestamp":"2026-01-01T00:00:00Z"}}"#;
    let path = "POST /api/v1/namespaces/ns/serviceaccounts/robot/token";
    let (token, requests) = dialogue([(path, Reply::json(201, answer))], async |client| {
        let accounts = Client::<ServiceAccount>::namespaced(&client, "ns");
        let request: TokenRequest = serde_json::from_value(json!({"spec": {"audiences": ["api"]}})).unwrap();
        accounts.create_token("robot", &request, &Default::default()).await.unwrap()
    });
    assert_eq!(token.status.unwrap().token.as_deref(), Some("t"));
    assert!(body(&requests[0]).contains(r#""audiences":["api"]"#));
}

/// As `#[derive(CustomResource)]` would write it.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
struct Certificate {
    metadata: ObjectMeta,
    #[serde(rename = "dnsNames")]
    dns_names: Vec<String>,
}

impl Resource for Certificate {
    type DynamicType = ();
    type Scope = NamespaceResourceScope;

    fn kind(_: &()) -> Cow<'_, str> {
        "Certificate".into()
    }

    fn group(_: &()) -> Cow<'_, str> {
        "cert-manager.io".into()
    }

    fn version(_: &()) -> Cow<'_, str> {
        "v1".into()
    }

    fn plural(_: &()) -> Cow<'_, str> {
        "certificates".into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

#[test]
fn a_custom_kind_has_the_same_client() {
    let certificate = r#"{"metadata":{"name":"c"},"dnsNames":["a"]}"#;
    let list = format!(r#"{{"metadata":{{"resourceVersion":"1"}},"items":[{certificate},{{"metadata":{{}}}}]}}"#);
    dialogue(
        [
            ("GET /apis/cert-manager.io/v1/namespaces/ns/certificates?limit=5", ok(&list)),
            ("PUT /apis/cert-manager.io/v1/namespaces/ns/certificates/c", ok(certificate)),
        ],
        async |client| {
            let certificates = Client::<Certificate>::namespaced(&client, "ns");
            let page = certificates.list(&ListOptions { limit: Some(5), ..Default::default() }).await.unwrap();
            assert_eq!(page.items[0].dns_names, ["a"]);
            assert_eq!(page.skipped.len(), 1, "the one without names is reported and costs nothing else");
            let updated = certificates.update(&page.items[0], &Default::default()).await.unwrap();
            assert_eq!(updated, page.items[0]);
        },
    );
}

#[test]
fn an_extension_takes_one_type_and_answers_another() {
    const PODS: &str = "/api/v1/namespaces/ns/pods";
    let scale = r#"{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":3}}"#;
    let list = format!(r#"{{"metadata":{{"resourceVersion":"1"}},"items":[{scale}]}}"#);
    let ((), requests) = dialogue(
        [
            (format!("GET {PODS}/a/part").as_str(), ok(scale)),
            (format!("GET {PODS}?limit=1").as_str(), ok(&list)),
            (format!("GET {PODS}/a/part?limit=1").as_str(), ok(&list)),
            (format!("POST {PODS}").as_str(), ok(scale)),
            (format!("POST {PODS}/a/part").as_str(), ok(scale)),
            (format!("PUT {PODS}/a/part").as_str(), ok(scale)),
            (format!("PATCH {PODS}/a/part").as_str(), ok(scale)),
            (format!("PATCH {PODS}/a/part?fieldManager=m&force=false").as_str(), ok(scale)),
        ],
        async |client| {
            let group = client.group_version("", "v1");
            let pods = Client::<Pod>::namespaced_resource(&group, "pods", "ns");
            let (whole, part) = (pods.extension::<Scale>(""), pods.extension::<Scale>("part"));
            let one = ListOptions { limit: Some(1), ..Default::default() };
            let body = json!({ "a": 1 });
            assert_eq!(part.get("a", &Default::default()).await.unwrap().spec.unwrap().replicas, Some(3));
            assert_eq!(whole.list(&one).await.unwrap().items.len(), 1);
            assert_eq!(part.list_of("a", &one).await.unwrap().items.len(), 1);
            whole.create(&body, &Default::default()).await.unwrap();
            part.create_for("a", &body, &Default::default()).await.unwrap();
            part.update("a", &body, &Default::default()).await.unwrap();
            part.patch("a", PatchKind::Merge, &body, &Default::default()).await.unwrap();
            let options = ApplyOptions { field_manager: "m".into(), ..Default::default() };
            part.apply("a", &body, &options).await.unwrap();
        },
    );
    assert!(requests[3..].iter().all(|request| body(request) == r#"{"a":1}"#));
}
