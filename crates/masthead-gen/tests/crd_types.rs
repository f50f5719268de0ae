//! Types from definitions of real size: as they are written, as they read objects, and as clients use them.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod api;

use std::{path::PathBuf, rc::Rc};

use api::{
    delivery::v1alpha1::{Rollout, RolloutStatus, RolloutStatusPhase},
    mesh::v1::HTTPRoute,
    pki::{v1, v1beta1},
};
use k8s_openapi::{
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use masthead::{
    Error,
    cache::{InformerFactory, Object, ObjectKey},
    rest::{Config, RestClient},
    runtime::VirtualTime,
    typed::Client,
};
use masthead_gen::{Package, Verb, crd_types};
use masthead_sim::Sim;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

fn definitions() -> Vec<PathBuf> {
    ["certificates", "rollouts", "routes"].map(|name| here(&format!("crds/{name}.yaml"))).to_vec()
}

fn here(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

#[test]
fn the_types_here_are_those_of_the_definitions() -> anyhow::Result<()> {
    let types = crd_types(&definitions(), &here("api"), true)?;
    assert_eq!(types.files.len(), 8);
    assert_eq!(types, crd_types(&definitions(), &here("api"), true)?);
    let mut backwards = definitions();
    backwards.reverse();
    assert_eq!(types, crd_types(&backwards, &here("api"), true)?);
    types.check()
}

#[test]
fn what_is_on_disk_is_checked_and_only_what_was_generated_is_replaced() -> anyhow::Result<()> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("crd_types");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let types = crd_types(&definitions(), &folder, false)?;
    assert!(types.check().unwrap_err().to_string().contains("v1.rs: missing"));
    assert_eq!(types.write()?.to_string(), "8 written, 0 removed, 0 unchanged");
    types.check()?;
    let old = folder.join("pki/v1alpha1.rs");
    std::fs::copy(folder.join("pki/v1.rs"), &old)?;
    assert!(types.check().unwrap_err().to_string().contains("v1alpha1.rs: left over"));
    assert_eq!(types.write()?.to_string(), "0 written, 1 removed, 8 unchanged");
    std::fs::write(folder.join("mod.rs"), "//! Mine.\n")?;
    assert!(types.write().unwrap_err().to_string().contains("mod.rs is not generated"));
    assert_eq!(std::fs::read_to_string(folder.join("mod.rs"))?, "//! Mine.\n");
    Ok(())
}

#[test]
fn the_tags_are_those_that_the_generators_read() -> anyhow::Result<()> {
    let packages = Package::read(&[here("api")], None)?;
    let read: Vec<String> = packages
        .iter()
        .flat_map(|package| package.kinds.iter().map(move |kind| (package, kind)))
        .map(|(package, kind)| {
            let methods: Vec<String> = kind.tags.methods.iter().map(|method| method.function()).collect();
            let scope = if kind.tags.non_namespaced { "cluster" } else { "namespaced" };
            let status = if kind.has(Verb::UpdateStatus) { "status" } else { "-" };
            format!("{} {} {scope} {status} {}", package.title(), kind.name, methods.join(" "))
        })
        .collect();
    assert_eq!(
        read,
        [
            "delivery.example.com/v1alpha1 Rollout namespaced status get_scale update_scale apply_scale",
            "mesh.example.com/v1 HTTPRoute namespaced status ",
            "pki.example.com/v1 Certificate namespaced status ",
            "pki.example.com/v1 ClusterIssuer cluster - ",
            "pki.example.com/v1beta1 Certificate namespaced - ",
        ]
    );
    assert_eq!(packages[1].kinds[0].tags.resource_name.as_deref(), Some("troutes"));
    Ok(())
}

/// The object is the same after it was read and written.
#[track_caller]
fn check_kept<K: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(object: &Value) -> K {
    let read: K = serde_json::from_value(object.clone()).unwrap();
    assert_eq!(&serde_json::to_value(&read).unwrap(), object);
    let text = serde_json::to_string(&read).unwrap();
    assert_eq!(serde_json::from_str::<K>(&text).unwrap(), read);
    read
}

fn certificate() -> Value {
    json!({
        "apiVersion": "pki.example.com/v1", "kind": "Certificate",
        "metadata": { "name": "web", "namespace": "shop", "labels": { "app": "web" } },
        "spec": {
            "additionalOutputFormats": ["DER", "CombinedPEM"], "caBundle": "AAEC/w==", "commonName": "web.shop",
            "dnsNames": ["web.shop", "www.web.shop"], "duration": "2160h", "isCA": false,
            "issuerRef": { "group": "pki.example.com", "kind": "ClusterIssuer", "name": "root" },
            "keystores": {
                "jks": { "alias": "a", "create": true, "passwordSecretRef": { "key": "password", "name": "p" } },
                "pkcs12": { "create": false, "passwordSecretRef": { "name": "p" }, "profile": "Modern2023" },
            },
            "nameConstraints": { "excluded": {}, "permitted": { "dnsDomains": [], "ipRanges": ["10.0.0.0/8"] } },
            "otherNames": [{ "oid": "1.2.3", "utf8Value": "ü" }],
            "privateKey": { "algorithm": "Ed25519", "encoding": "PKCS8", "size": 9007199254740993_i64 },
            "revisionHistoryLimit": null, "secretName": "web-tls",
            "secretTemplate": { "labels": { "a.b/c": "" } }, "usages": ["digital signature", "s/mime", "server auth"],
        },
        "status": {
            "conditions": [{
                "lastTransitionTime": "2026-03-01T09:00:00.123456Z", "observedGeneration": 3, "reason": "Ready",
                "status": "True", "type": "Ready",
            }],
            "notAfter": "2026-05-30T09:00:00Z", "revision": 1,
        },
    })
}

#[test]
fn a_certificate_is_kept_to_the_last_field() {
    let read: v1::Certificate = check_kept(&certificate());
    assert_eq!(read.spec.revision_history_limit, Some(None));
    assert_eq!(read.spec.ca_bundle.unwrap().0, [0, 1, 2, 255]);
    assert_eq!(read.spec.usages.unwrap()[1], v1::CertificateSpecUsages::SMime);
    assert_eq!(read.status.unwrap().not_after.unwrap().as_second(), 1_780_131_600);
}

#[test]
fn what_the_definition_does_not_know_is_kept_where_the_server_keeps_it() {
    let old = json!({
        "apiVersion": "pki.example.com/v1beta1", "kind": "Certificate", "metadata": { "name": "web" },
        "spec": { "secretName": "s", "other": "named", "more": { "deep": [1, null, "x"] } },
        "status": { "anything": null }, "extra": { "at": "the root" },
    });
    let read: v1beta1::Certificate = check_kept(&old);
    assert_eq!(read.other.keys().collect::<Vec<_>>(), ["extra"]);
    let spec = read.spec.unwrap();
    assert_eq!((spec.other.as_deref(), spec.other_2["more"]["deep"][2].as_str()), (Some("named"), Some("x")));
    let mut newer = certificate();
    newer["spec"]["usages"] = json!(["signing", "quantum signing"]);
    newer["status"]["conditions"][0]["status"] = json!("Perhaps");
    let read: v1::Certificate = check_kept(&newer);
    assert_eq!(read.spec.usages.unwrap()[1], v1::CertificateSpecUsages::Other("quantum signing".to_owned()));
}

#[test]
fn an_object_without_a_field_that_must_be_there_is_read_all_the_same() {
    let read: v1::Certificate = serde_json::from_value(json!({ "metadata": { "name": "a" }, "spec": {} })).unwrap();
    assert_eq!((read.spec.secret_name.as_str(), read.spec.issuer_ref.name.as_str()), ("", ""));
    let wrong = serde_json::from_value::<v1::Certificate>(json!({ "spec": { "secretName": 3 } })).unwrap_err();
    assert!(wrong.to_string().contains("expected a string"), "{wrong}");
}

#[test]
fn a_cluster_issuer_is_kept_to_the_last_field() {
    let issuer = |spec: Value| {
        let kind = json!({ "apiVersion": "pki.example.com/v1", "kind": "ClusterIssuer", "metadata": {}, "spec": spec });
        check_kept::<v1::ClusterIssuer>(&kind)
    };
    issuer(json!({ "selfSigned": {} }));
    let acme = issuer(json!({ "acme": {
        "server": "https://acme", "privateKeySecretRef": { "name": "k" },
        "externalAccountBinding": { "keyID": "7", "keySecretRef": { "name": "k", "key": "e" } },
        "solvers": [
            { "dns01": { "webhook": { "config": null, "groupName": "g", "solverName": "s" } } },
            { "dns01": { "webhook": { "config": [1, { "a": 2.5 }], "groupName": "g", "solverName": "s" } } },
            { "dns01": { "webhook": { "groupName": "g", "solverName": "s" } } },
            { "http01": { "ingress": { "serviceType": "" } }, "selector": { "matchLabels": { "a": "b" } } },
        ],
    } }));
    let solvers = acme.spec.acme.unwrap().solvers.unwrap();
    let config = |index: usize| solvers[index].dns01.as_ref().unwrap().webhook.as_ref().unwrap().config.clone();
    assert_eq!((config(0), config(2)), (Some(Value::Null), None));
}

#[test]
fn a_route_is_kept_to_the_last_field() {
    let headers = json!({ "add": [{ "name": "a", "value": "b" }], "remove": ["c"], "set": [] });
    let route = check_kept::<HTTPRoute>(&json!({
        "apiVersion": "mesh.example.com/v1", "kind": "HTTPRoute", "metadata": { "name": "r" },
        "spec": {
            "hostnames": ["*.example.com"],
            "parentRefs": [{ "name": "gate", "port": 443 }],
            "rules": [{
                "backendRefs": [
                    { "name": "web", "port": 8080, "weight": 3, "filters": [
                        { "type": "RequestHeaderModifier", "requestHeaderModifier": headers },
                    ] },
                    { "name": "web", "port": "http", "group": "" },
                ],
                "filters": [
                    { "type": "URLRewrite", "urlRewrite": { "path": { "type": "ReplaceFullPath", "replaceFullPath": "/" } } },
                    { "type": "RequestHeaderModifier", "requestHeaderModifier": headers },
                    { "type": "RequestRedirect", "requestRedirect": { "scheme": "https", "statusCode": 301 } },
                ],
                "matches": [{ "method": "*", "path": { "type": "Exact", "value": "/x" } }],
                "retry": { "attempts": 3, "budgetRatio": 0.25, "codes": [500, 503] },
                "timeouts": { "request": "10s" },
            }],
        },
        "status": { "parents": [{ "controllerName": "c", "parentRef": { "name": "gate" }, "conditions": [] }] },
    }));
    let rule = &route.spec.rules.unwrap()[0];
    let (backends, filters) = (rule.backend_refs.as_ref().unwrap(), rule.filters.as_ref().unwrap());
    let backend = &backends[0].filters.as_ref().unwrap()[0];
    assert_eq!(backend.request_header_modifier, filters[1].request_header_modifier);
}

fn rollout(name: &str) -> Value {
    json!({
        "apiVersion": "delivery.example.com/v1alpha1", "kind": "Rollout",
        "metadata": { "name": name, "namespace": "default" },
        "spec": {
            "replicas": 3, "restartAt": "2026-03-01T09:00:00Z",
            "selector": { "matchLabels": { "app": "web" }, "matchExpressions": [
                { "key": "tier", "operator": "In", "values": ["a"] }, { "key": "x", "operator": "Exists" },
            ] },
            "strategy": { "canary": {
                "maxSurge": "25%", "maxUnavailable": 0,
                "antiAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": {} },
                "steps": [
                    { "setWeight": 20 }, { "pause": {} }, { "pause": { "duration": "1h" } }, { "pause": { "duration": 10 } },
                    { "analysis": { "args": [{ "name": "a", "valueFrom": { "podTemplateHashValue": "Latest" } }] } },
                ],
                "trafficRouting": {
                    "plugins": { "p": { "any": [1] }, "q": true }, "weights": { "z": [0.5, null, 1.5] },
                },
            } },
            "template": { "metadata": { "labels": { "app": "web" } }, "spec": { "containers": [{ "name": "c" }] } },
            "volumeClaims": [{
                "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": { "name": "data" },
                "spec": {
                    "resources": { "requests": { "storage": "10Gi", "cpu": 2, "memory": 4294967296_i64 } },
                    "storage": "10Gi",
                },
                "unknown": { "kept": true },
            }],
            "workloadRef": null,
        },
    })
}

#[test]
fn a_rollout_is_kept_to_the_last_field() {
    let mut object = rollout("web");
    object["status"] = json!({
        "HPAReplicas": 3, "phase": "Progressing", "stableRS": "abc", "observedGeneration": "4",
        "canary": { "weights": { "canary": { "weight": 20 }, "stable": { "weight": 80, "serviceName": "s" } } },
        "pauseConditions": [{ "reason": "CanaryPauseStep", "startTime": "2026-03-01T09:00:00Z" }],
    });
    let read: Rollout = check_kept(&object);
    assert_eq!(read.spec.workload_ref, Some(None));
    assert_eq!(read.spec.selector.match_labels.unwrap()["app"], "web");
    assert_eq!(read.spec.template["spec"]["containers"][0]["name"], "c");
    let claim = &read.spec.volume_claims.unwrap()[0];
    assert_eq!((claim.kind.as_deref(), &claim.other["unknown"]["kept"]), (Some("PersistentVolumeClaim"), &json!(true)));
}

/// A simulated server that has accepted the definitions, and a client of it.
fn world() -> Result<(VirtualTime, RestClient), Error> {
    let time = VirtualTime::seeded(7);
    let sim = Sim::new(time.runtime());
    let client = RestClient::new(Config::new("http://sim", Rc::new(sim), time.runtime()))?;
    let created = Client::<CustomResourceDefinition>::cluster(&client);
    for path in definitions() {
        let text = std::fs::read_to_string(path).unwrap();
        for document in serde_saphyr::from_multiple::<Value>(&text).unwrap() {
            let items = document["items"].as_array().cloned().unwrap_or_else(|| vec![document.clone()]);
            for mut item in items.into_iter().filter(|item| item["kind"] == "CustomResourceDefinition") {
                item["metadata"]["resourceVersion"].take();
                time.run(created.create(&serde_json::from_value(item).unwrap(), &Default::default()))?;
            }
        }
    }
    Ok((time, client))
}

#[test]
fn a_typed_client_and_an_informer_work_on_the_types() -> Result<(), Error> {
    let (time, client) = world()?;
    let rollouts = Client::<Rollout>::namespaced(&client, "default");
    let factory = InformerFactory::default();
    let informer = factory.informer(&rollouts, &Default::default());
    let wanted: Rollout = serde_json::from_value(rollout("web")).unwrap();
    let mut made = time.run(rollouts.create(&wanted, &Default::default()))?;
    assert_eq!(made.spec.progress_deadline_seconds, Some(600), "the server fills in defaults");
    assert_eq!((made.spec.strategy.clone(), made.spec.workload_ref.clone()), (wanted.spec.strategy, Some(None)));
    factory.start();
    time.run(factory.synced())?;
    made.status = Some(RolloutStatus {
        phase: Some(RolloutStatusPhase::Paused),
        replicas: Some(3),
        selector: Some("app=web".to_owned()),
        ..RolloutStatus::default()
    });
    let written = time.run(rollouts.update_status(&made, &Default::default()))?;
    assert_eq!(written.status, made.status);
    let mut scale = time.run(rollouts.scale().get("web", &Default::default()))?;
    assert_eq!(scale.spec.as_ref().and_then(|spec| spec.replicas), Some(3));
    scale.spec.get_or_insert_default().replicas = Some(5);
    time.run(rollouts.scale().update("web", &scale, &Default::default()))?;
    time.advance(std::time::Duration::from_secs(1));
    let known = informer.store().get(&ObjectKey::new("default", "web")).expect("the informer has it");
    assert_eq!(known.spec.replicas, Some(5));
    assert_eq!(known.status.as_ref().and_then(|status| status.phase.clone()), Some(RolloutStatusPhase::Paused));
    Ok(())
}

#[test]
fn kinds_of_the_cluster_and_of_other_versions_have_clients() -> Result<(), Error> {
    let (time, client) = world()?;
    let issuers = Client::<v1::ClusterIssuer>::cluster(&client);
    let issuer = v1::ClusterIssuer {
        metadata: ObjectMeta { name: Some("root".to_owned()), ..ObjectMeta::default() },
        spec: v1::ClusterIssuerSpec { self_signed: Some(Default::default()), ..Default::default() },
        status: None,
    };
    time.run(issuers.create(&issuer, &Default::default()))?;
    assert_eq!(time.run(issuers.list(&Default::default()))?.items[0].spec, issuer.spec);
    let refused = v1::ClusterIssuer { spec: Default::default(), ..issuer };
    assert!(time.run(issuers.create(&refused, &Default::default())).is_err());
    let certificates = Client::<v1::Certificate>::namespaced(&client, "default");
    let mut certificate: v1::Certificate = serde_json::from_value(certificate()).unwrap();
    certificate.metadata.namespace = Some("default".to_owned());
    time.run(certificates.create(&certificate, &Default::default()))?;
    let older = Client::<v1beta1::Certificate>::all_namespaces(&client);
    let older = time.run(older.list(&Default::default()))?;
    let spec = older.items[0].spec.as_ref().expect("a spec");
    assert_eq!((older.items[0].key().name(), spec.secret_name.as_str()), ("web", "web-tls"));
    assert_eq!(spec.other_2["commonName"], "web.shop");
    let routes = Client::<HTTPRoute>::namespaced(&client, "default");
    assert!(time.run(routes.list(&Default::default()))?.items.is_empty());
    Ok(())
}
