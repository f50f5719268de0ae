//! Refusals in the words of a real 1.36 server, from which these were copied.

use super::wire::{CONFIG_MAPS, Wire};
use masthead::rest::Method::{Delete, Get, Post, Put};
use serde_json::json;

fn check(wire: &Wire, (method, url, body): (masthead::rest::Method, &str, &str), code: u16, message: &str) {
    let refused = wire.refusal(method, url, body);
    assert_eq!(refused, (code, message.to_owned()), "{} {url} {body}", method.as_str());
}

#[test]
fn objects_that_are_not_there() {
    let wire = Wire::new();
    let unknown = "the server could not find the requested resource";
    check(&wire, (Get, "/api/v1/namespaces/default/pods/nope", ""), 404, "pods \"nope\" not found");
    let deployment = "/apis/apps/v1/namespaces/default/deployments/nope";
    check(&wire, (Get, deployment, ""), 404, "deployments.apps \"nope\" not found");
    check(&wire, (Get, &format!("{deployment}/scale"), ""), 404, "deployments.apps \"nope\" not found");
    check(&wire, (Get, "/apis/apps/v9", ""), 404, unknown);
    check(&wire, (Get, "/api/v1/nopes", ""), 404, unknown);
    check(&wire, (Get, &format!("{CONFIG_MAPS}/x/status"), ""), 404, unknown);
    check(
        &wire,
        (Put, &format!("{CONFIG_MAPS}/zz"), r#"{"metadata":{"name":"zz"}}"#),
        404,
        "configmaps \"zz\" not found",
    );
    let missing = "/api/v1/namespaces/missing/configmaps";
    check(&wire, (Post, missing, r#"{"metadata":{"name":"a"}}"#), 404, "namespaces \"missing\" not found");
    let (_, status) = wire.json(Get, deployment, "");
    assert_eq!(status["details"], json!({ "name": "nope", "group": "apps", "kind": "deployments" }));
    for path in ["/apis/nope/v1", "/nope"] {
        let response = wire.ask(Get, path, &[], "");
        assert_eq!((response.code, response.body.as_slice()), (404, &b"404 page not found\n"[..]));
        assert_eq!(response.content_type(), "text/plain; charset=utf-8");
    }
}

#[test]
fn objects_that_cannot_be_created() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    let create = |body: &'static str| (Post, CONFIG_MAPS, body);
    check(&wire, create(r#"{"metadata":{"name":"a"}}"#), 409, "configmaps \"a\" already exists");
    let required = "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is required";
    check(&wire, create(r#"{"metadata":{}}"#), 422, required);
    let subdomain = "ConfigMap \"A_b\" is invalid: metadata.name: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain \
                     must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an \
                     alphanumeric character (e.g. 'example.com', regex used for validation is \
                     '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    check(&wire, create(r#"{"metadata":{"name":"A_b"}}"#), 422, subdomain);
    let elsewhere = "the namespace of the provided object does not match the namespace sent on the request";
    check(&wire, create(r#"{"metadata":{"name":"b","namespace":"other"}}"#), 400, elsewhere);
    let secret = "Secret in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Secret) to \
                  (core.ConfigMap): unknown conversion";
    check(&wire, create(r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"b"}}"#), 400, secret);
    let versioned = "resourceVersion should not be set on objects to be created";
    check(&wire, create(r#"{"metadata":{"name":"b","resourceVersion":"5"}}"#), 500, versioned);
    let empty = "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse \
                 error: unexpected end of JSON input (<empty>)";
    check(&wire, create(""), 400, empty);
    let dry =
        "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Some\"]: supported values: \"All\"";
    check(&wire, (Post, &format!("{CONFIG_MAPS}?dryRun=Some"), r#"{"metadata":{"name":"b"}}"#), 422, dry);
    let method = "the server does not allow this method on the requested resource";
    check(&wire, (Post, "/api/v1/configmaps", r#"{"metadata":{"name":"b"}}"#), 405, method);
    check(&wire, (Put, CONFIG_MAPS, "{}"), 405, method);
}

#[test]
fn objects_that_have_changed_since() {
    let wire = Wire::new();
    let uid = wire.create_config_map("a", &json!({}))["metadata"]["uid"].as_str().unwrap().to_owned();
    let a = &*format!("{CONFIG_MAPS}/a");
    let modified = "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please apply your \
                    changes to the latest version and try again";
    check(&wire, (Put, a, r#"{"metadata":{"name":"a","resourceVersion":"1"}}"#), 409, modified);
    let (code, status) = wire.patch("merge-patch", a, &json!({ "metadata": { "resourceVersion": "1" } }));
    assert_eq!((code, status["message"].as_str()), (409, Some(modified)));
    let renamed = "the name of the object (c) does not match the name on the URL (a)";
    check(&wire, (Put, a, r#"{"metadata":{"name":"c"}}"#), 400, renamed);
    let recreated = format!(
        "Operation cannot be fulfilled on configmaps \"a\": StorageError: invalid object, Code: 4, Key: \
         /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in \
         precondition: abc, UID in object meta: {uid}"
    );
    check(&wire, (Put, a, r#"{"metadata":{"name":"a","uid":"abc"}}"#), 409, &recreated);
    let other = format!(
        "Operation cannot be fulfilled on ConfigMap \"a\": the UID in the precondition (bad) does not match the UID in \
         record ({uid}). The object might have been deleted and then recreated"
    );
    check(&wire, (Delete, a, r#"{"preconditions":{"uid":"bad"}}"#), 409, &other);
    let newer = format!(
        "Operation cannot be fulfilled on ConfigMap \"a\": the ResourceVersion in the precondition (1) does not match \
         the ResourceVersion in record ({}). The object might have been modified",
        wire.sim.version()
    );
    check(&wire, (Delete, a, r#"{"preconditions":{"resourceVersion":"1"}}"#), 409, &newer);
    let policy = "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: \"Foo\": supported \
                  values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"";
    check(&wire, (Delete, a, r#"{"propagationPolicy":"Foo"}"#), 422, policy);
    let held = "namespaces \"default\" is forbidden: this namespace may not be deleted";
    check(&wire, (Delete, "/api/v1/namespaces/default", ""), 403, held);
}

#[test]
fn patches_that_do_not_fit() {
    let wire = Wire::new();
    wire.create_config_map("a", &json!({}));
    let a = &*format!("{CONFIG_MAPS}/a");
    let rejected = Some("the server rejected our request due to an error in our request");
    let test = json!([{ "op": "test", "path": "/data/k", "value": "w" }]);
    let (code, status) = wire.patch("json-patch", a, &test);
    assert_eq!((code, status["message"].as_str()), (422, rejected));
    let (code, status) = wire.patch("json-patch", a, &json!([{ "op": "remove", "path": "/data/zz" }]));
    assert_eq!((code, status["message"].as_str()), (422, rejected));
    let (code, status) = wire.patch("json-patch", a, &json!({ "op": "remove" }));
    let object = "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp";
    assert_eq!((code, status["message"].as_str()), (400, Some(object)));
    check(&wire, (masthead::rest::Method::Patch, a, "{}"), 415, "415: Unsupported Media Type");
}

#[test]
fn lists_that_cannot_be_asked_for() {
    let wire = Wire::new();
    let invalid = |field: &str, why: &str| format!("ListOptions.meta.k8s.io \"\" is invalid: {field}: {why}");
    let matching = |why: &str| invalid("resourceVersionMatch", why);
    let current = wire.sim.version();
    let cases = [
        ("labelSelector=a%3D%3D%3Db", 400, "unable to parse requirement: found '=', expected: identifier".to_owned()),
        (
            "fieldSelector=spec.x%3Db",
            400,
            "\"spec.x\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"".to_owned(),
        ),
        ("resourceVersion=9999", 504, format!("Timeout: Too large resource version: 9999, current: {current}")),
        (
            "resourceVersion=abc",
            400,
            "invalid resource version: resourceVersion: Invalid value: \"abc\": strconv.ParseUint: parsing \"abc\": \
             invalid syntax"
                .to_owned(),
        ),
        (
            "resourceVersion=0&resourceVersionMatch=Exact",
            422,
            matching("Forbidden: resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""),
        ),
        (
            "resourceVersionMatch=Exact",
            422,
            matching("Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided"),
        ),
        (
            "resourceVersionMatch=Foo&resourceVersion=1",
            422,
            matching("Unsupported value: \"Foo\": supported values: \"Exact\", \"NotOlderThan\", \"\""),
        ),
        ("limit=abc", 400, "strconv.ParseInt: parsing \"abc\": invalid syntax".to_owned()),
        (
            "sendInitialEvents=true",
            422,
            invalid("sendInitialEvents", "Forbidden: sendInitialEvents is forbidden for list"),
        ),
    ];
    for (query, code, message) in cases {
        check(&wire, (Get, &format!("{CONFIG_MAPS}?{query}"), ""), code, &message);
    }
    let pods = "/api/v1/namespaces/default/pods?fieldSelector=spec.x%3Db";
    check(&wire, (Get, pods, ""), 400, "field label not supported: spec.x");
    let late = wire.ask(Get, &format!("{CONFIG_MAPS}?resourceVersion=9999"), &[], "");
    assert_eq!(late.headers.get("Retry-After"), Some("1"));
}

#[test]
fn watches_that_cannot_be_asked_for() {
    let wire = Wire::new();
    let matching = |why: &str| format!("ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: {why}");
    let cases = [
        (
            "watch=1&resourceVersion=abc",
            500,
            "resourceVersion: Invalid value: \"abc\": strconv.ParseUint: parsing \"abc\": invalid syntax".to_owned(),
        ),
        (
            "watch=1&sendInitialEvents=true",
            422,
            matching("Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
        ),
        (
            "watch=1&sendInitialEvents=true&resourceVersionMatch=Exact",
            422,
            "ListOptions.meta.k8s.io \"\" is invalid: [resourceVersionMatch: Forbidden: sendInitialEvents requires \
             setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: \"Exact\": \
             supported values: \"NotOlderThan\"]"
                .to_owned(),
        ),
        (
            "watch=1&resourceVersionMatch=NotOlderThan",
            422,
            matching("Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"),
        ),
    ];
    for (query, code, message) in cases {
        check(&wire, (Get, &format!("{CONFIG_MAPS}?{query}"), ""), code, &message);
    }
}
