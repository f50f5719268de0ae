//! Kinds that are defined at run time, from their definition to its end.

use super::wire::{Wire, told};
use masthead::rest::Method::{Delete, Get, Post};
use serde_json::{Value, json};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const WIDGETS: &str = "/apis/x.io/v1/namespaces/default/widgets";

fn definition(plural: &str, kind: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.x.io") },
        "spec": {
            "group": "x.io", "scope": "Namespaced", "names": { "plural": plural, "kind": kind },
            "versions": [{
                "name": "v1", "served": true, "storage": true, "subresources": { "status": {} },
                "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } },
            }],
        },
    })
}

fn define(wire: &Wire, definition: &Value) -> Value {
    let (code, created) = wire.json(Post, DEFINITIONS, &definition.to_string());
    assert_eq!(code, 201, "{created}");
    created
}

fn widget(wire: &Wire, metadata: &Value) -> (u16, Value) {
    let widget = json!({ "apiVersion": "x.io/v1", "kind": "Widget", "metadata": metadata, "spec": { "a": 1 } });
    wire.json(Post, WIDGETS, &widget.to_string())
}

/// The conditions of a definition, as in `NamesAccepted=True/NoConflicts`.
fn conditions(wire: &Wire, name: &str) -> String {
    let (_, found) = wire.json(Get, &format!("{DEFINITIONS}/{name}"), "");
    let conditions = found["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let shown =
        conditions.iter().map(|c| format!("{}={}/{}", text(&c["type"]), text(&c["status"]), text(&c["reason"])));
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_definition_is_accepted_and_its_kind_is_served() {
    let wire = Wire::new();
    assert_eq!(wire.ask(Get, "/apis/x.io", &[], "").code, 404);
    let created = define(&wire, &definition("widgets", "Widget"));
    assert_eq!(created["spec"]["names"]["listKind"], "WidgetList");
    assert_eq!(created["status"]["storedVersions"], json!(["v1"]));
    let expect = "NamesAccepted=True/NoConflicts Established=True/InitialNamesAccepted";
    assert_eq!(conditions(&wire, "widgets.x.io"), expect);
    assert_eq!(widget(&wire, &json!({ "name": "a" })).0, 201);
    let (_, list) = wire.json(Get, WIDGETS, "");
    assert_eq!((&list["kind"], &list["items"][0]["spec"]["a"]), (&json!("WidgetList"), &json!(1)));
    let (_, service) = wire.json(Get, "/apis/apiregistration.k8s.io/v1/apiservices/v1.x.io", "");
    assert_eq!(service["spec"]["groupPriorityMinimum"], 1000);
    let (_, resources) = wire.json(Get, "/apis/x.io/v1", "");
    assert_eq!(resources["resources"][0]["name"], "widgets");
}

#[test]
fn a_name_belongs_to_the_first_that_asked_for_it() {
    let wire = Wire::new();
    define(&wire, &definition("widgets", "Widget"));
    define(&wire, &definition("gadgets", "Widget"));
    let refused = "NamesAccepted=False/ListKindConflict Established=False/NotAccepted";
    assert_eq!(conditions(&wire, "gadgets.x.io"), refused);
    assert_eq!(wire.ask(Get, "/apis/x.io/v1/gadgets", &[], "").code, 404);
    assert_eq!(wire.json(Delete, &format!("{DEFINITIONS}/widgets.x.io"), "").0, 200);
    let accepted = "NamesAccepted=True/NoConflicts Established=True/InitialNamesAccepted";
    assert_eq!(conditions(&wire, "gadgets.x.io"), accepted);
    assert_eq!(wire.json(Get, "/apis/x.io/v1/gadgets", "").0, 200);
}

#[test]
fn the_end_of_a_definition_waits_for_that_of_its_objects() {
    let wire = Wire::new();
    define(&wire, &definition("widgets", "Widget"));
    widget(&wire, &json!({ "name": "free" }));
    widget(&wire, &json!({ "name": "held", "finalizers": ["x.io/f"] }));
    let crd = format!("{DEFINITIONS}/widgets.x.io");
    let (_, ending) = wire.json(Delete, &crd, "");
    assert_eq!(ending["status"]["conditions"][2]["reason"], "InstanceDeletionPending");
    assert!(conditions(&wire, "widgets.x.io").ends_with("Terminating=True/InstanceDeletionInProgress"));
    assert_eq!(wire.ask(Get, &format!("{WIDGETS}/free"), &[], "").code, 404);
    let (code, refusal) = widget(&wire, &json!({ "name": "late" }));
    let why = "widgets.x.io \"late\" is forbidden: create not allowed while custom resource definition is terminating";
    assert_eq!((code, refusal["message"].as_str()), (403, Some(why)));
    let (code, again) = wire.json(Post, DEFINITIONS, &definition("widgets", "Widget").to_string());
    let why = "object is being deleted: customresourcedefinitions.apiextensions.k8s.io \"widgets.x.io\" already exists";
    assert_eq!((code, again["message"].as_str()), (409, Some(why)));
    wire.patch("merge-patch", &format!("{WIDGETS}/held"), &json!({ "metadata": { "finalizers": null } }));
    assert_eq!(wire.ask(Get, &crd, &[], "").code, 404);
    assert_eq!(wire.ask(Get, "/apis/x.io", &[], "").code, 404);
    assert_eq!(wire.ask(Get, "/apis/apiregistration.k8s.io/v1/apiservices/v1.x.io", &[], "").code, 404);
}

#[test]
fn a_watch_ends_when_its_kind_is_defined_anew_or_gone() {
    let wire = Wire::new();
    let crd = format!("{DEFINITIONS}/widgets.x.io");
    define(&wire, &definition("widgets", "Widget"));
    widget(&wire, &json!({ "name": "a" }));
    let (_, list) = wire.json(Get, WIDGETS, "");
    let version = list["metadata"]["resourceVersion"].as_str().unwrap().to_owned();
    let changes = format!("{WIDGETS}?watch=1&resourceVersion={version}&timeoutSeconds=50");
    let (began, open) = (wire.time.runtime().now(), || wire.open(Get, &changes, &[], b""));
    let (watch, patch) = (open(), json!({ "spec": { "names": { "categories": ["all"] } } }));
    assert_eq!(wire.patch("merge-patch", &crd, &patch).0, 200);
    assert!(wire.time.run(watch.collect(1 << 20)).unwrap().body.is_empty());
    let expired = wire.events(&changes);
    assert_eq!((told(&expired[0]).as_str(), &expired[0]["object"]["code"]), ("ERROR", &json!(410)));
    let watch = wire.open(Get, &format!("{WIDGETS}?watch=1&timeoutSeconds=50"), &[], b"");
    wire.json(Delete, &crd, "");
    let body = String::from_utf8(wire.time.run(watch.collect(1 << 20)).unwrap().body.to_vec()).unwrap();
    assert_eq!(
        body.lines().map(|line| told(&serde_json::from_str(line).unwrap())).collect::<Vec<_>>(),
        ["ADDED a", "DELETED a"]
    );
    assert_eq!(wire.time.runtime().now(), began);
}

#[test]
fn what_a_schema_does_not_know_is_dropped_and_told_or_refused() {
    let wire = Wire::new();
    let mut crd = definition("widgets", "Widget");
    let spec = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    crd["spec"]["versions"][0]["schema"] =
        json!({ "openAPIV3Schema": { "type": "object", "properties": { "spec": spec } } });
    define(&wire, &crd);
    let body = r#"{"apiVersion":"x.io/v1","kind":"Widget","metadata":{"name":"n"},"spec":{"a":1,"b":{"c":2}},"d":3}"#;
    let strict = format!("{WIDGETS}?fieldValidation=Strict");
    let why = "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error: unknown field \"d\", unknown \
               field \"spec.b\"";
    assert_eq!(wire.refusal(Post, &strict, body), (400, why.to_owned()));
    let answer = wire.ask(Post, WIDGETS, &[("Content-Type", "application/json")], body);
    let warnings: Vec<&str> = answer.headers.all("Warning").collect();
    assert_eq!(warnings, [r#"299 - "unknown field \"d\"""#, r#"299 - "unknown field \"spec.b\"""#]);
    let made: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!((&made["spec"], made.get("d")), (&json!({ "a": 1 }), None));
}

#[test]
fn versions_share_their_objects_and_the_stored_one_is_noted() {
    let wire = Wire::new();
    let mut crd = definition("widgets", "Widget");
    let mut second = crd["spec"]["versions"][0].clone();
    (second["name"], second["storage"]) = ("v2".into(), false.into());
    crd["spec"]["versions"].as_array_mut().unwrap().push(second);
    define(&wire, &crd);
    widget(&wire, &json!({ "name": "a" }));
    let (_, seen) = wire.json(Get, "/apis/x.io/v2/namespaces/default/widgets/a", "");
    assert_eq!((&seen["apiVersion"], &seen["spec"]["a"]), (&json!("x.io/v2"), &json!(1)));
    let swap = json!([
        { "op": "replace", "path": "/spec/versions/0/storage", "value": false },
        { "op": "replace", "path": "/spec/versions/1/storage", "value": true },
    ]);
    let (code, swapped) = wire.patch("json-patch", &format!("{DEFINITIONS}/widgets.x.io"), &swap);
    assert_eq!((code, &swapped["status"]["storedVersions"]), (200, &json!(["v1", "v2"])));
    assert_eq!(wire.json(Get, &format!("{WIDGETS}/a"), "").1["apiVersion"], "x.io/v1");
}
