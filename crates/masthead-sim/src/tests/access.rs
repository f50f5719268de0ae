//! Who may do what, and what the others are told.

use super::wire::Wire;
use masthead::rest::{Method, Transport};
use serde_json::{Value, json};

const PODS: &str = "/api/v1/namespaces/default/pods";
const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1";
const REVIEWS: &str = "/apis/authorization.k8s.io/v1";

fn bind(wire: &Wire, role: &Value, subject: &Value) {
    let (code, made) = wire.json(Method::Post, &format!("{RBAC}/namespaces/default/roles"), &role.to_string());
    assert_eq!(code, 201, "{made}");
    let name = &role["metadata"]["name"];
    let binding = json!({
        "metadata": { "name": name }, "subjects": [subject],
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name },
    });
    let (code, made) =
        wire.json(Method::Post, &format!("{RBAC}/namespaces/default/rolebindings"), &binding.to_string());
    assert_eq!(code, 201, "{made}");
}

fn user(name: &str) -> Value {
    json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name })
}

/// What a user is told, the code first.
fn told(wire: &Wire, name: &str, method: Method, url: &str) -> String {
    let response = wire.ask(method, url, &[("Impersonate-User", name)], "");
    let body: Value = serde_json::from_slice(&response.body).unwrap();
    format!("{} {}", response.code, body["message"].as_str().unwrap_or_default()).trim().to_owned()
}

#[test]
fn who_has_no_role_may_do_nothing() {
    let wire = Wire::new();
    let check = |method, url: &str, subject: &str, attempt: &str| {
        let expect = format!("403 {subject}forbidden: User \"nobody\" cannot {attempt}");
        assert_eq!(told(&wire, "nobody", method, url), expect);
    };
    let inside = "in API group \"\" in the namespace \"default\"";
    check(Method::Get, PODS, "pods is ", &format!("list resource \"pods\" {inside}"));
    check(Method::Get, &format!("{PODS}?watch=1"), "pods is ", &format!("watch resource \"pods\" {inside}"));
    check(Method::Delete, PODS, "pods is ", &format!("deletecollection resource \"pods\" {inside}"));
    check(Method::Patch, &format!("{PODS}/a"), "pods \"a\" is ", &format!("patch resource \"pods\" {inside}"));
    let log = format!("{PODS}/a/log");
    check(Method::Get, &log, "pods \"a\" is ", &format!("get resource \"pods/log\" {inside}"));
    let widgets = "/apis/nope/v1/widgets";
    let at_large = "list resource \"widgets\" in API group \"nope\" at the cluster scope";
    check(Method::Get, widgets, "widgets.nope is ", at_large);
    check(Method::Get, "/metrics", "", "get path \"/metrics\"");
    assert_eq!(told(&wire, "nobody", Method::Get, "/api/v1"), "200");
    assert!(told(&wire, "system:anonymous", Method::Get, "/api/v1").starts_with("403"));
}

#[test]
fn a_role_allows_what_it_says_where_it_is_bound() {
    let wire = Wire::new();
    let rules = json!([{ "apiGroups": [""], "resources": ["pods"], "verbs": ["list"] }]);
    let role = json!({ "metadata": { "name": "lister" }, "rules": rules });
    bind(&wire, &role, &json!({ "kind": "ServiceAccount", "name": "ci", "namespace": "tools" }));
    let account = "system:serviceaccount:tools:ci";
    assert_eq!(told(&wire, account, Method::Get, PODS), "200");
    assert!(told(&wire, account, Method::Get, "/api/v1/pods").starts_with("403 pods is forbidden"));
    assert!(told(&wire, "system:serviceaccount:default:ci", Method::Get, PODS).starts_with("403"));
    wire.json(Method::Delete, &format!("{RBAC}/namespaces/default/roles/lister"), "");
    let refused = told(&wire, account, Method::Get, PODS);
    let why = ": RBAC: role.rbac.authorization.k8s.io \"lister\" not found";
    assert!(refused.ends_with(why), "{refused}");
}

#[test]
fn a_handle_is_its_user_and_may_act_as_another_only_if_it_may() {
    let wire = Wire::new();
    let rules = json!([{ "apiGroups": [""], "resources": ["pods"], "verbs": ["list"] }]);
    bind(&wire, &json!({ "metadata": { "name": "lister" }, "rules": rules }), &user("reader"));
    let ask = |name: &str, headers: &[(&str, &str)]| {
        let mut sent = masthead::rest::Headers::default();
        headers.iter().for_each(|(name, value)| sent.add(*name, *value));
        let request = masthead::rest::HttpRequest {
            operation: "test".into(),
            method: Method::Get,
            url: PODS.into(),
            headers: sent,
            body: None,
        };
        let answer = wire.time.run(wire.sim.as_user(name, &[]).send(request)).unwrap();
        let response = wire.time.run(answer.collect(1 << 20)).unwrap();
        let body: Value = serde_json::from_slice(&response.body).unwrap();
        (response.code, body["message"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(ask("reader", &[]).0, 200);
    let (code, message) = ask("nobody", &[("Impersonate-User", "reader")]);
    let expect = "pods is forbidden: User \"nobody\" cannot impersonate-on:user-info:list resource \"pods\" in API group \
                  \"\" in the namespace \"default\"";
    assert_eq!((code, message.as_str()), (403, expect));
    assert_eq!(ask("nobody", &[("Impersonate-Group", "developers")]).0, 400);
}

#[test]
fn reviews_say_what_may_be_done_and_why() {
    let wire = Wire::new();
    let rules = json!([{ "apiGroups": [""], "resources": ["pods"], "resourceNames": ["a"], "verbs": ["get"] }]);
    bind(&wire, &json!({ "metadata": { "name": "getter" }, "rules": rules }), &user("reader"));
    let check = |attributes: Value, expect: Value| {
        let review = json!({ "spec": { "user": "reader", "resourceAttributes": attributes } });
        let url = format!("{REVIEWS}/subjectaccessreviews");
        let (code, answer) = wire.json(Method::Post, &url, &review.to_string());
        assert_eq!((code, &answer["status"]), (201, &expect));
    };
    let named = |name: &str| json!({ "verb": "get", "resource": "pods", "namespace": "default", "name": name });
    let reason = "RBAC: allowed by RoleBinding \"getter/default\" of Role \"getter\" to User \"reader\"";
    check(named("a"), json!({ "allowed": true, "reason": reason }));
    check(named("b"), json!({ "allowed": false }));
    check(json!({ "verb": "*", "resource": "*" }), json!({ "allowed": false }));
    let reader = [("Impersonate-User", "reader")];
    let review = json!({ "spec": { "namespace": "default" } }).to_string();
    let answer = wire.ask(Method::Post, &format!("{REVIEWS}/selfsubjectrulesreviews"), &reader, &review);
    let answer: Value = serde_json::from_slice(&answer.body).unwrap();
    let last = answer["status"]["resourceRules"].as_array().unwrap().last().unwrap();
    assert_eq!(*last, json!({ "apiGroups": [""], "resources": ["pods"], "resourceNames": ["a"], "verbs": ["get"] }));
    assert_eq!(answer["status"]["incomplete"], false);
    let (code, message) = wire.refusal(Method::Post, &format!("{REVIEWS}/subjectaccessreviews"), "{\"spec\": {}}");
    assert_eq!(code, 422);
    assert!(message.contains("spec.user: Invalid value: \"\": at least one of user or group"), "{message}");
    assert_eq!(wire.json(Method::Get, &format!("{REVIEWS}/selfsubjectaccessreviews"), "").0, 405);
}

#[test]
fn an_aggregated_role_follows_those_it_selects() {
    let wire = Wire::new();
    let widgets = json!({ "apiGroups": ["example.com"], "resources": ["widgets"], "verbs": ["get"] });
    let rules_of = |name: &str| {
        let (code, role) = wire.json(Method::Get, &format!("{RBAC}/clusterroles/{name}"), "");
        assert_eq!(code, 200);
        role["rules"].as_array().unwrap().clone()
    };
    let before = rules_of("admin").len();
    assert_eq!((before, rules_of("edit").len(), rules_of("view").len()), (29, 27, 12));
    let labels = json!({ "rbac.authorization.k8s.io/aggregate-to-edit": "true" });
    let role = json!({ "metadata": { "name": "widgets", "labels": labels }, "rules": [widgets] });
    wire.json(Method::Post, &format!("{RBAC}/clusterroles"), &role.to_string());
    assert!(rules_of("edit").contains(&widgets) && rules_of("admin").contains(&widgets));
    assert!(!rules_of("view").contains(&widgets));
    wire.json(Method::Delete, &format!("{RBAC}/clusterroles/widgets"), "");
    assert_eq!(rules_of("admin").len(), before);
}

#[test]
fn a_token_is_known_as_long_as_it_lives() {
    let wire = Wire::new();
    let url = "/api/v1/namespaces/default/serviceaccounts/default/token";
    let (_, made) = wire.json(Method::Post, url, r#"{"spec":{"expirationSeconds":600}}"#);
    let review = |token: &Value| {
        let body = json!({ "spec": { "token": token } }).to_string();
        wire.json(Method::Post, "/apis/authentication.k8s.io/v1/tokenreviews", &body).1["status"].clone()
    };
    let known = review(&made["status"]["token"]);
    assert_eq!(known["user"]["username"], "system:serviceaccount:default:default");
    wire.time.advance(std::time::Duration::from_secs(601));
    let unknown = json!({ "user": {}, "error": "invalid bearer token" });
    assert_eq!([review(&made["status"]["token"]), review(&json!("x"))], [unknown.clone(), unknown]);
}
