use super::*;

fn named(kind: &str) -> Value {
    json!({ "kind": kind, "metadata": { "name": "web", "namespace": "shop", "labels": { "app": "web" } } })
}

/// Whether an object of the kind of this id refers to the one named `web` of `kind`.
#[track_caller]
fn check(kind: &str, by: &str, object: &Value, expect: bool) {
    let json = object.to_string();
    let usages: Vec<Usage> = Usage::of(&named(kind)).into_iter().filter(|usage| usage.kind == by).collect();
    assert!(!usages.is_empty(), "{by} is not asked");
    assert_eq!(usages.iter().any(|usage| usage.is_by(json.as_bytes())), expect, "{json}");
}

#[test]
fn what_pods_mount_read_and_run_as_is_used_by_them() {
    let spec = |spec: Value| json!({ "spec": spec });
    check("ConfigMap", "pods", &spec(json!({ "volumes": [{ "configMap": { "name": "web" } }] })), true);
    let projected = json!({ "volumes": [{}, { "projected": { "sources": [{ "secret": { "name": "web" } }] } }] });
    check("Secret", "pods", &spec(projected.clone()), true);
    check("ConfigMap", "pods", &spec(projected), false);
    let read = json!({ "initContainers": [{ "env": [{ "valueFrom": { "configMapKeyRef": { "name": "web" } } }] }] });
    check("ConfigMap", "pods", &spec(read.clone()), true);
    check("ConfigMap", "deployments.apps", &json!({ "spec": { "template": { "spec": read } } }), true);
    check("ConfigMap", "deployments.apps", &spec(read), false);
    check("ServiceAccount", "pods", &spec(json!({ "serviceAccountName": "web" })), true);
    check("ServiceAccount", "pods", &spec(json!({ "serviceAccountName": "web-2" })), false);
    let claim = json!({ "volumes": [{ "persistentVolumeClaim": { "claimName": "web" } }] });
    let cron = json!({ "spec": { "jobTemplate": { "spec": { "template": { "spec": claim } } } } });
    check("PersistentVolumeClaim", "cronjobs.batch", &cron, true);
}

#[test]
fn a_name_that_stands_elsewhere_is_no_reference() {
    let same =
        json!({ "metadata": { "name": "web", "labels": { "configMap": "web" } }, "spec": { "nodeName": "web" } });
    check("ConfigMap", "pods", &same, false);
    check("ConfigMap", "pods", &json!("web"), false);
}

#[test]
fn others_name_it_by_kind_and_namespace() {
    let by = "horizontalpodautoscalers.autoscaling";
    let target = |kind: &str| json!({ "spec": { "scaleTargetRef": { "kind": kind, "name": "web" } } });
    check("Deployment", by, &target("Deployment"), true);
    check("Deployment", by, &target("StatefulSet"), false);
    let subject = |namespace: &str| {
        json!({ "subjects": [{ "kind": "User", "name": "web" },
            { "kind": "ServiceAccount", "name": "web", "namespace": namespace }] })
    };
    check("ServiceAccount", "rolebindings.rbac.authorization.k8s.io", &subject("shop"), true);
    check("ServiceAccount", "rolebindings.rbac.authorization.k8s.io", &subject("other"), false);
    let bindings = Usage::of(&named("ServiceAccount"));
    let asked: Vec<_> = bindings.iter().filter(|usage| usage.kind.contains("binding")).collect();
    assert!(asked.iter().all(|usage| usage.namespace.is_empty()), "a binding of another namespace may name it");
    let backend = json!({ "service": { "name": "web" } });
    let rules = json!({ "spec": { "rules": [{ "http": { "paths": [{ "backend": backend }] } }] } });
    check("Service", "ingresses.networking.k8s.io", &rules, true);
}

#[test]
fn selectors_select_by_labels() {
    let service = |selector: Value| json!({ "spec": { "selector": selector } });
    check("Pod", "services", &service(json!({ "app": "web" })), true);
    check("Pod", "services", &service(json!({ "app": "web", "tier": "db" })), false);
    check("Pod", "services", &service(Value::Null), false);
    let budget = "poddisruptionbudgets.policy";
    check("Pod", budget, &service(json!({ "matchLabels": { "app": "web" } })), true);
    let among = json!({ "matchExpressions": [{ "key": "app", "operator": "In", "values": ["a", "web"] }] });
    check("Pod", budget, &service(among), true);
    let policy = "networkpolicies.networking.k8s.io";
    check("Pod", policy, &json!({ "spec": { "podSelector": {} } }), true);
    check("Pod", policy, &json!({ "spec": { "podSelector": { "matchLabels": { "app": "db" } } } }), false);
}

#[test]
fn a_kind_of_the_same_name_is_another_kind() {
    let service =
        |api_version: &str| json!({ "apiVersion": api_version, "kind": "Service", "metadata": { "name": "web" } });
    assert!(!Usage::of(&service("v1")).is_empty());
    assert!(Usage::of(&service("serving.knative.dev/v1")).is_empty());
}

#[test]
fn an_object_knows_what_it_uses() {
    let deployment = json!({ "kind": "Deployment", "metadata": { "namespace": "shop" }, "spec": { "template": { "spec": {
        "serviceAccountName": "runner",
        "containers": [{ "envFrom": [{ "configMapRef": { "name": "settings" } }, { "secretRef": { "name": "keys" } }] }],
        "volumes": [{ "configMap": { "name": "settings" } }] } } } });
    let used: Vec<String> = used_by(&deployment).iter().map(|to| format!("{} {}", to.kind, to.name)).collect();
    assert_eq!(used, ["ConfigMap settings", "Secret keys", "ServiceAccount runner"]);
    assert!(used_by(&named("ConfigMap")).is_empty());
}
