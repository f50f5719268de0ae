//! The parts of objects that have verbs of their own.

use super::wire::Wire;
use masthead::rest::Method;
use serde_json::{Value, json};

const PODS: &str = "/api/v1/namespaces/default/pods";
const BUDGETS: &str = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

fn pod(wire: &Wire, name: &str) {
    let containers = json!([{ "name": "main", "image": "example.com/main:1" }]);
    let pod = json!({
        "metadata": { "name": name, "labels": { "app": "web" } },
        "spec": { "schedulerName": "none", "containers": containers },
    });
    let (code, made) = wire.json(Method::Post, PODS, &pod.to_string());
    assert_eq!(code, 201, "{made}");
}

fn running(wire: &Wire, name: &str, ready: &str) {
    pod(wire, name);
    let binding = json!({ "metadata": { "name": name }, "target": { "name": "node" } });
    assert_eq!(wire.json(Method::Post, &format!("{PODS}/{name}/binding"), &binding.to_string()).0, 201);
    let conditions = json!([{ "type": "Ready", "status": ready }]);
    let status = json!({ "status": { "phase": "Running", "conditions": conditions } });
    assert_eq!(wire.patch("merge-patch", &format!("{PODS}/{name}/status"), &status).0, 200);
}

fn budget(wire: &Wire, name: &str, allowed: i64) {
    let spec = json!({ "minAvailable": 1, "selector": { "matchLabels": { "app": "web" } } });
    let budget = json!({ "metadata": { "name": name }, "spec": spec });
    assert_eq!(wire.json(Method::Post, BUDGETS, &budget.to_string()).0, 201);
    set_allowed(wire, name, allowed);
}

fn set_allowed(wire: &Wire, name: &str, allowed: i64) {
    let status = json!({ "status": {
        "observedGeneration": 1, "disruptionsAllowed": allowed, "currentHealthy": 1, "desiredHealthy": 1,
        "expectedPods": 2,
    } });
    assert_eq!(wire.patch("merge-patch", &format!("{BUDGETS}/{name}/status"), &status).0, 200);
}

fn evict(wire: &Wire, name: &str, options: Value) -> (u16, Value) {
    let eviction = json!({ "metadata": { "name": name }, "deleteOptions": options });
    wire.json(Method::Post, &format!("{PODS}/{name}/eviction"), &eviction.to_string())
}

#[test]
fn a_pod_is_bound_once_and_only_when_it_may_be() {
    let wire = Wire::new();
    pod(&wire, "a");
    let bind = |name: &str, binding: Value| {
        wire.refusal(Method::Post, &format!("{PODS}/{name}/binding"), &binding.to_string())
    };
    let at = |node: &str| json!({ "metadata": { "name": "a" }, "target": { "kind": "Node", "name": node } });
    let other = json!({ "metadata": { "name": "b" }, "target": { "name": "node" } });
    assert_eq!(bind("a", other), (400, "name in URL does not match name in Binding object".to_owned()));
    let planet = json!({ "metadata": { "name": "a" }, "target": { "kind": "Planet" } });
    let why = "[target.kind: Unsupported value: \"Planet\": supported values: \"Node\", \"<empty>\", target.name: Required \
               value]";
    assert_eq!(bind("a", planet), (500, why.to_owned()));
    let mut stale = at("node");
    stale["metadata"]["uid"] = "other".into();
    assert_eq!(bind("a", stale).0, 409);
    let mut labelled = at("node");
    labelled["metadata"]["labels"] = json!({ "x": "y" });
    assert_eq!(wire.json(Method::Post, &format!("{PODS}/a/binding"), &labelled.to_string()).0, 201);
    let (_, bound) = wire.json(Method::Get, &format!("{PODS}/a"), "");
    assert_eq!((&bound["spec"]["nodeName"], &bound["metadata"]["labels"]["x"]), (&json!("node"), &json!("y")));
    assert_eq!(bound["status"]["conditions"][0]["type"], "PodScheduled");
    let why = "Operation cannot be fulfilled on pods/binding \"a\": pod a is already assigned to node \"node\"";
    assert_eq!(bind("a", at("other")), (409, why.to_owned()));
    wire.json(Method::Delete, &format!("{PODS}/a"), "");
    assert!(bind("a", at("other")).1.ends_with("pod a is being deleted, cannot be assigned to a host"));
}

#[test]
fn an_eviction_spends_what_its_budget_allows() {
    let wire = Wire::new();
    running(&wire, "a", "True");
    running(&wire, "b", "True");
    budget(&wire, "keep", 1);
    assert_eq!(evict(&wire, "a", json!({ "dryRun": ["All"] })).0, 201);
    assert_eq!(wire.json(Method::Get, &format!("{BUDGETS}/keep"), "").1["status"]["disruptionsAllowed"], 1);
    assert_eq!(evict(&wire, "a", json!({})).0, 201);
    let (_, evicted) = wire.json(Method::Get, &format!("{PODS}/a"), "");
    assert!(evicted["metadata"]["deletionTimestamp"].is_string());
    let conditions = evicted["status"]["conditions"].as_array().unwrap();
    assert!(conditions.iter().any(|it| it["type"] == "DisruptionTarget" && it["reason"] == "EvictionByEvictionAPI"));
    let (_, spent) = wire.json(Method::Get, &format!("{BUDGETS}/keep"), "");
    assert_eq!(spent["status"]["disruptionsAllowed"], 0);
    assert!(spent["status"]["disruptedPods"]["a"].is_string());
    assert_eq!(spent["status"]["conditions"][0]["reason"], "InsufficientPods");
    let (code, refused) = evict(&wire, "b", json!({}));
    let cause = "The disruption budget keep needs 1 healthy pods and has 1 currently";
    assert_eq!((code, &refused["details"]["causes"][0]["message"]), (429, &json!(cause)));
    assert_eq!(evict(&wire, "a", json!({})).0, 201, "a pod that ends is no disruption");
}

#[test]
fn an_eviction_needs_one_budget_that_is_up_to_date() {
    let wire = Wire::new();
    running(&wire, "a", "True");
    budget(&wire, "keep", 0);
    let patch = json!({ "spec": { "minAvailable": 2 } });
    assert_eq!(wire.patch("merge-patch", &format!("{BUDGETS}/keep"), &patch).0, 200);
    let body = json!({ "metadata": { "name": "a" } }).to_string();
    let late = wire.ask(Method::Post, &format!("{PODS}/a/eviction"), &[("Content-Type", "application/json")], &body);
    assert_eq!((late.code, late.headers.get("Retry-After")), (429, Some("10")));
    set_allowed(&wire, "keep", 1);
    budget(&wire, "more", 1);
    let (code, refused) = evict(&wire, "a", json!({}));
    assert_eq!(code, 500);
    assert!(refused["message"].as_str().unwrap().starts_with("This pod has more than one PodDisruptionBudget"));
}

#[test]
fn a_pod_that_is_not_ready_or_never_ran_is_evicted_without_budget() {
    let wire = Wire::new();
    running(&wire, "unready", "False");
    pod(&wire, "pending");
    budget(&wire, "keep", 0);
    assert_eq!(evict(&wire, "pending", json!({})).0, 201);
    let wrong = json!({ "preconditions": { "uid": "other" } });
    assert_eq!(evict(&wire, "unready", wrong).0, 409);
    assert_eq!(evict(&wire, "unready", json!({})).0, 201);
}

#[test]
fn containers_come_and_grow_through_their_own_parts() {
    let wire = Wire::new();
    pod(&wire, "a");
    let part = format!("{PODS}/a/ephemeralcontainers");
    let debug = json!({ "name": "debug", "image": "busybox", "targetContainerName": "main" });
    let patch = json!({ "metadata": { "labels": { "x": "y" } }, "spec": { "ephemeralContainers": [debug] } });
    let (code, patched) = wire.patch("merge-patch", &part, &patch);
    assert_eq!((code, &patched["metadata"]["generation"]), (200, &json!(2)), "{patched}");
    assert_eq!(patched["metadata"]["labels"], json!({ "app": "web" }), "only containers are written");
    let (code, refused) = wire.patch("merge-patch", &part, &json!({ "spec": { "ephemeralContainers": [] } }));
    let why = "Pod \"a\" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers \"debug\" may not \
               be removed\n";
    assert_eq!((code, refused["message"].as_str().unwrap()), (422, why));
    let resources = json!({ "requests": { "cpu": "1" } });
    let containers = json!([{ "name": "main", "image": "other", "resources": resources }]);
    let (code, resized) =
        wire.patch("merge-patch", &format!("{PODS}/a/resize"), &json!({ "spec": { "containers": containers } }));
    let main = &resized["spec"]["containers"][0];
    assert_eq!((code, &main["resources"], &main["image"]), (200, &resources, &json!("example.com/main:1")));
    assert_eq!(resized["metadata"]["generation"], 3);
}

#[test]
fn a_namespace_goes_once_it_is_finalized() {
    let wire = Wire::new();
    let named =
        |finalizers: &[&str]| json!({ "metadata": { "name": "a" }, "spec": { "finalizers": finalizers } }).to_string();
    wire.json(Method::Post, "/api/v1/namespaces", &named(&[]));
    let part = "/api/v1/namespaces/a/finalize";
    let (code, held) = wire.json(Method::Put, part, &named(&["kubernetes", "example.com/x"]));
    assert_eq!((code, held["spec"]["finalizers"].as_array().unwrap().len()), (200, 2));
    let (code, message) = wire.refusal(Method::Put, part, &named(&["bad"]));
    assert_eq!(code, 422);
    assert!(message.contains("spec.finalizers[0]: Invalid value: \"bad\": name is neither a standard"), "{message}");
    wire.json(Method::Delete, "/api/v1/namespaces/a", "");
    assert_eq!(wire.json(Method::Get, "/api/v1/namespaces/a", "").1["status"]["phase"], "Terminating");
    assert_eq!(wire.json(Method::Put, part, &named(&[])).0, 200);
    assert_eq!(wire.json(Method::Get, "/api/v1/namespaces/a", "").0, 404);
}

#[test]
fn a_service_account_gets_tokens() {
    let wire = Wire::new();
    let part = "/api/v1/namespaces/default/serviceaccounts/ci/token";
    assert_eq!(wire.json(Method::Post, part, "{}").0, 404);
    let account = json!({ "metadata": { "name": "ci" } }).to_string();
    wire.json(Method::Post, "/api/v1/namespaces/default/serviceaccounts", &account);
    let (code, made) = wire.json(Method::Post, part, &json!({ "spec": { "audiences": ["vault"] } }).to_string());
    assert_eq!((code, &made["spec"]["expirationSeconds"]), (201, &json!(3600)));
    let token = made["status"]["token"].as_str().unwrap();
    assert_eq!(token.split('.').count(), 3);
    assert!(!token.contains(['=', '+', '/']));
    let (code, message) = wire.refusal(Method::Post, part, &json!({ "spec": { "expirationSeconds": 5 } }).to_string());
    assert_eq!(code, 422);
    assert!(message.ends_with("may not specify a duration less than 10 minutes"), "{message}");
}

#[test]
fn what_leads_into_a_container_is_refused_as_not_simulated() {
    let wire = Wire::new();
    pod(&wire, "a");
    let (code, message) = wire.refusal(Method::Post, &format!("{PODS}/a/exec?command=ls"), "");
    assert_eq!(code, 501);
    assert!(message.starts_with("the simulator has no exec"), "{message}");
    assert_eq!(wire.refusal(Method::Get, &format!("{PODS}/none/exec?command=ls"), "").0, 404);
    assert_eq!(wire.refusal(Method::Get, &format!("{PODS}/a/proxy/metrics/x"), "").0, 501);
    assert_eq!(wire.refusal(Method::Put, &format!("{PODS}/a/exec"), "").0, 405);
}
