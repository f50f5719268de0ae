//! Objects through the real clients: what the server adds, keeps and refuses.

use super::wire::{CONFIG_MAPS, Wire};
use k8s_openapi::api::{
    apps::v1::Deployment,
    autoscaling::v1::Scale,
    core::v1::{ConfigMap, Namespace, Pod},
};
use masthead::{
    rest::{CreateOptions, GetOptions, ListOptions, Method, PatchKind, PatchOptions, UpdateOptions},
    typed,
};
use serde_json::{Value, json};

fn object<K: serde::de::DeserializeOwned>(value: Value) -> K {
    serde_json::from_value(value).unwrap()
}

fn deployment() -> Value {
    json!({
        "metadata": { "name": "d" },
        "spec": {
            "replicas": 2,
            "selector": { "matchLabels": { "a": "b" } },
            "template": { "metadata": { "labels": { "a": "b" } }, "spec": { "containers": [{ "name": "main", "image": "main" }] } },
        },
        "status": { "replicas": 7 },
    })
}

#[test]
fn a_cluster_begins_with_four_namespaces() {
    let wire = Wire::new();
    let namespaces = typed::Client::<Namespace>::cluster(&wire.client);
    let list = wire.time.run(namespaces.list(&ListOptions::default())).unwrap();
    let names: Vec<_> = list.items.iter().filter_map(|namespace| namespace.metadata.name.as_deref()).collect();
    assert_eq!(names, ["default", "kube-node-lease", "kube-public", "kube-system"]);
    let default = &list.items[0];
    assert_eq!(default.metadata.labels.as_ref().unwrap()["kubernetes.io/metadata.name"], "default");
    assert_eq!(default.status.as_ref().unwrap().phase.as_deref(), Some("Active"));
}

#[test]
fn a_new_object_gets_identity_time_and_a_name() {
    let wire = Wire::new();
    let pods = typed::Client::<Pod>::namespaced(&wire.client, "default");
    let pod = object(
        json!({ "metadata": { "generateName": "web-" }, "spec": { "containers": [{ "name": "main", "image": "main" }] } }),
    );
    let created = wire.time.run(pods.create(&pod, &CreateOptions::default())).unwrap();
    let metadata = &created.metadata;
    let name = metadata.name.as_deref().unwrap();
    assert!(name.starts_with("web-") && name.len() == 9, "{name}");
    assert_eq!(metadata.namespace.as_deref(), Some("default"));
    assert_eq!(metadata.uid.as_deref().unwrap().len(), 36);
    assert_eq!(metadata.generation, Some(1));
    assert_eq!(metadata.resource_version, Some(wire.sim.version().to_string()));
    let (_, raw) = wire.json(Method::Get, &format!("/api/v1/namespaces/default/pods/{name}"), "");
    assert_eq!(raw["metadata"]["creationTimestamp"], "2026-01-01T00:00:00Z");
    assert_eq!(raw["status"]["phase"], "Pending");
    let again = wire.time.run(pods.create(&pod, &CreateOptions::default())).unwrap();
    assert_ne!(again.metadata.name, created.metadata.name);
}

#[test]
fn a_dry_run_answers_and_changes_nothing() {
    let wire = Wire::new();
    let before = wire.sim.version();
    let (code, created) = wire.json(Method::Post, &format!("{CONFIG_MAPS}?dryRun=All"), r#"{"metadata":{"name":"a"}}"#);
    assert_eq!(code, 201);
    assert_eq!(created["metadata"]["resourceVersion"], Value::Null);
    wire.create_config_map("b", &json!({}));
    let b = format!("{CONFIG_MAPS}/b");
    let (_, patched) = wire.patch("merge-patch", &format!("{b}?dryRun=All"), &json!({ "data": { "k": "w" } }));
    assert_eq!(patched["data"]["k"], "w");
    let (code, _) = wire.json(Method::Delete, &format!("{b}?dryRun=All"), "");
    assert_eq!(code, 200);
    assert_eq!(wire.sim.version(), before + 1);
    assert_eq!(wire.json(Method::Get, &b, "").1["data"]["k"], "v");
}

#[test]
fn spec_and_status_are_written_apart() {
    let wire = Wire::new();
    let deployments = typed::Client::<Deployment>::namespaced(&wire.client, "default");
    let created = wire.time.run(deployments.create(&object(deployment()), &CreateOptions::default())).unwrap();
    assert_eq!(created.status.clone().unwrap_or_default().replicas, None);
    assert_eq!(created.metadata.generation, Some(1));

    let mut both = created.clone();
    both.spec.as_mut().unwrap().replicas = Some(3);
    both.status = Some(object(json!({ "replicas": 9 })));
    let updated = wire.time.run(deployments.update(&both, &UpdateOptions::default())).unwrap();
    assert_eq!(updated.spec.as_ref().unwrap().replicas, Some(3));
    assert_eq!(updated.status.clone().unwrap_or_default().replicas, None);
    assert_eq!(updated.metadata.generation, Some(2));

    both.metadata.resource_version = updated.metadata.resource_version.clone();
    both.spec.as_mut().unwrap().replicas = Some(5);
    let status = wire.time.run(deployments.update_status(&both, &UpdateOptions::default())).unwrap();
    assert_eq!(status.spec.as_ref().unwrap().replicas, Some(3));
    assert_eq!(status.status.unwrap().replicas, Some(9));
    assert_eq!(status.metadata.generation, Some(2));

    let stale = wire.time.run(deployments.update(&created, &UpdateOptions::default()));
    assert!(stale.unwrap_err().is_conflict());
}

#[test]
fn an_update_that_changes_nothing_has_no_version_of_its_own() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    let (before, maps) = (wire.sim.version(), typed::Client::<ConfigMap>::namespaced(&wire.client, "default"));
    let map = wire.time.run(maps.get("a", &GetOptions::default())).unwrap();
    let same = wire.time.run(maps.update(&map, &UpdateOptions::default())).unwrap();
    assert_eq!(same, map);
    assert_eq!(wire.sim.version(), before);
}

#[test]
fn patches_change_what_they_name() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({ "x": "1" }));
    let maps = typed::Client::<ConfigMap>::namespaced(&wire.client, "default");
    let merge = json!({ "metadata": { "labels": { "x": null } }, "data": { "n": "1" } });
    let patched = wire.time.run(maps.patch("a", PatchKind::Merge, &merge, &PatchOptions::default())).unwrap();
    assert_eq!(patched.metadata.labels, None);
    assert_eq!(json!(patched.data), json!({ "k": "v", "n": "1" }));
    let steps = json!([{ "op": "replace", "path": "/data/k", "value": "w" }, { "op": "remove", "path": "/data/n" }]);
    let patched = wire.time.run(maps.patch("a", PatchKind::Json, &steps, &PatchOptions::default())).unwrap();
    assert_eq!(json!(patched.data), json!({ "k": "w" }));
}

#[test]
fn scale_reads_and_sets_replicas() {
    let wire = Wire::new();
    let deployments = typed::Client::<Deployment>::namespaced(&wire.client, "default");
    wire.time.run(deployments.create(&object(deployment()), &CreateOptions::default())).unwrap();
    let mut scale: Scale = wire.time.run(deployments.scale().get("d", &GetOptions::default())).unwrap();
    assert_eq!(scale.status.as_ref().unwrap().selector.as_deref(), Some("a=b"));
    scale.spec.as_mut().unwrap().replicas = Some(4);
    let scaled = wire.time.run(deployments.scale().update("d", &scale, &UpdateOptions::default())).unwrap();
    assert_eq!(scaled.spec.unwrap().replicas, Some(4));
    let stale = wire.time.run(deployments.scale().update("d", &scale, &UpdateOptions::default()));
    assert!(stale.unwrap_err().is_conflict());
    let patch = json!({ "spec": { "replicas": 5 } });
    let scales = deployments.scale();
    wire.time.run(scales.patch("d", PatchKind::Merge, &patch, &PatchOptions::default())).unwrap();
    let deployment = wire.time.run(deployments.get("d", &GetOptions::default())).unwrap();
    assert_eq!((deployment.spec.unwrap().replicas, deployment.metadata.generation), (Some(5), Some(3)));
}

#[test]
fn a_pod_is_bound_once() {
    let wire = Wire::new();
    let pods = "/api/v1/namespaces/default/pods";
    wire.json(
        Method::Post,
        pods,
        r#"{"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"main"}]}}"#,
    );
    let binding = r#"{"metadata":{"name":"p"},"target":{"kind":"Node","name":"n"}}"#;
    let (code, status) = wire.json(Method::Post, &format!("{pods}/p/binding"), binding);
    assert_eq!((code, status["status"].as_str()), (201, Some("Success")));
    let (_, pod) = wire.json(Method::Get, &format!("{pods}/p"), "");
    assert_eq!(pod["spec"]["nodeName"], "n");
    assert_eq!(pod["status"]["conditions"][0]["type"], "PodScheduled");
    let again = wire.refusal(Method::Post, &format!("{pods}/p/binding"), binding);
    let why = "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node \"n\"";
    assert_eq!(again, (409, why.to_owned()));
}

#[test]
fn an_inserted_object_keeps_what_it_has() {
    let wire = Wire::new();
    let map = |data: &str| {
        json!({
            "apiVersion": "v1", "kind": "ConfigMap", "data": { "k": data },
            "metadata": { "name": "a", "namespace": "default", "creationTimestamp": "2025-01-01T00:00:00Z" },
        })
    };
    assert!(wire.sim.insert(map("1")));
    let (_, first) = wire.json(Method::Get, &format!("{CONFIG_MAPS}/a"), "");
    assert_eq!(first["metadata"]["creationTimestamp"], "2025-01-01T00:00:00Z");
    assert!(wire.sim.insert(map("2")));
    let (_, second) = wire.json(Method::Get, &format!("{CONFIG_MAPS}/a"), "");
    assert_eq!((&second["data"]["k"], &second["metadata"]["uid"]), (&json!("2"), &first["metadata"]["uid"]));
    assert!(!wire.sim.insert(json!({ "apiVersion": "v1", "kind": "Nope", "metadata": { "name": "a" } })));
    assert!(!wire.sim.insert(json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "a" }, "spec": 1 })));
}

#[test]
fn nonsense_is_refused_and_never_a_panic() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    let bodies =
        ["7", "[]", r#"{"metadata":7}"#, r#"{"metadata":{"name":7}}"#, r#"{"metadata":{"name":"x","labels":"y"}}"#];
    let collections = [CONFIG_MAPS, "/api/v1/namespaces", "/api/v1/namespaces/default/pods"];
    for (url, body) in collections.iter().flat_map(|url| bodies.map(|body| (url, body))) {
        let (code, _) = wire.refusal(Method::Post, url, body);
        assert!(matches!(code, 400 | 422), "{url} {body}: {code}");
    }
    for body in [r#"{"metadata":{"name":"x"},"spec":"y"}"#, r#"{"metadata":{"name":"x"},"status":[]}"#] {
        assert_eq!(wire.refusal(Method::Post, "/api/v1/namespaces/default/pods", body).0, 400, "{body}");
    }
    let a = format!("{CONFIG_MAPS}/a");
    for (patch, code) in
        [(json!(7), 400), (json!({ "metadata": null }), 400), (json!({ "metadata": { "labels": 7 } }), 422)]
    {
        assert_eq!(wire.patch("merge-patch", &a, &patch).0, code, "{patch}");
    }
    let deeper = json!([{ "op": "copy", "from": "/data", "path": "/data/x" }]);
    let mut codes = (0..200).map(|_| wire.patch("json-patch", &a, &deeper).0);
    assert!(codes.by_ref().any(|code| code == 422));
    assert_eq!(wire.json(Method::Get, &a, "").0, 200);
    let (code, _) = wire.json(Method::Delete, &a, r#"{"gracePeriodSeconds":18446744073709551615}"#);
    assert_eq!(code, 200);
}
