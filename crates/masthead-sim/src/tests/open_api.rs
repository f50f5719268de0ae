//! The documents that say what is served.

use masthead::rest::Method::Get;
use serde_json::{Value, json};

use super::wire::Wire;

#[test]
fn every_group_and_version_has_a_document() {
    let wire = Wire::new();
    let index: Value = serde_json::from_slice(&wire.ask(Get, "/openapi/v3", &[], "").body).unwrap();
    let paths = index["paths"].as_object().unwrap();
    assert!(paths.contains_key("api/v1") && paths.contains_key("apis/apps/v1"), "{paths:?}");
    for (place, path) in paths {
        let response = wire.ask(Get, path["serverRelativeURL"].as_str().unwrap(), &[], "");
        assert_eq!(response.code, 200, "{place}");
        let document: Value = serde_json::from_slice(&response.body).unwrap();
        let text = document.to_string();
        for (at, _) in text.match_indices("#/components/schemas/") {
            let name = text[at + 21..].split('"').next().unwrap();
            assert!(!document["components"]["schemas"][name].is_null(), "{place} refers to {name}");
        }
    }
}

#[test]
fn a_document_says_how_to_write_and_merge() {
    let wire = Wire::new();
    let (_, document) = wire.json(Get, "/openapi/v3/apis/apps/v1", "");
    let patch = &document["paths"]["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"]["patch"];
    let kind = json!({ "group": "apps", "version": "v1", "kind": "Deployment" });
    assert_eq!(patch["x-kubernetes-group-version-kind"], kind);
    let parameters = patch["parameters"].as_array().unwrap();
    assert!(parameters.iter().any(|parameter| parameter["name"] == "fieldValidation"));
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["io.k8s.api.apps.v1.Deployment"]["x-kubernetes-group-version-kind"], json!([kind]));
    let containers = &schemas["io.k8s.api.core.v1.PodSpec"]["properties"]["containers"];
    assert_eq!(containers["x-kubernetes-patch-merge-key"], "name");
    assert_eq!(containers["x-kubernetes-list-map-keys"], json!(["name"]));
    let scale = &document["paths"]["/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale"]["get"];
    assert_eq!(scale["x-kubernetes-group-version-kind"]["kind"], "Scale");
}

#[test]
fn a_document_is_known_by_its_hash() {
    let wire = Wire::new();
    let response = wire.ask(Get, "/openapi/v3/api/v1", &[], "");
    let hash = response.headers.get("Etag").unwrap().trim_matches('"').to_owned();
    assert_eq!(hash.len(), 128);
    assert_eq!(wire.ask(Get, &format!("/openapi/v3/api/v1?hash={hash}"), &[], "").code, 200);
    let moved = wire.ask(Get, "/openapi/v3/api/v1?hash=old", &[], "");
    let location = moved.headers.get("Location").map(str::to_owned);
    assert_eq!((moved.code, location), (301, Some(format!("/openapi/v3/api/v1?hash={hash}"))));
    assert_eq!(wire.ask(Get, "/openapi/v3/apis/nope/v1", &[], "").code, 404);
}
