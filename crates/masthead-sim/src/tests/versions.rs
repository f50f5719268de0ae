//! Resources that are served in more than one version.

use super::wire::{Wire, told};
use masthead::rest::Method;
use serde_json::json;

const CORE: &str = "/api/v1/namespaces/default/events";
const NEW: &str = "/apis/events.k8s.io/v1/namespaces/default/events";
const AUTOSCALERS: &str = "/namespaces/default/horizontalpodautoscalers";

#[test]
fn an_event_of_either_group_is_the_same_object() {
    let wire = Wire::new();
    let start = wire.sim.version();
    let core = json!({
        "metadata": { "name": "a" }, "message": "it works", "count": 2, "reason": "Tested", "type": "Normal",
        "involvedObject": { "kind": "Pod", "namespace": "default", "name": "web" },
    });
    wire.json(Method::Post, CORE, &core.to_string());
    let (_, seen) = wire.json(Method::Get, &format!("{NEW}/a"), "");
    assert_eq!((&seen["apiVersion"], &seen["note"]), (&json!("events.k8s.io/v1"), &json!("it works")));
    assert_eq!((&seen["deprecatedCount"], &seen["regarding"]["name"]), (&json!(2), &json!("web")));
    assert_eq!((seen.get("message"), seen.get("involvedObject")), (None, None));
    let (_, patched) =
        wire.patch("merge-patch", &format!("{NEW}/a"), &json!({ "metadata": { "labels": { "x": "y" } } }));
    assert_eq!((&patched["note"], &patched["metadata"]["labels"]["x"]), (&json!("it works"), &json!("y")));
    wire.patch("merge-patch", &format!("{CORE}/a"), &json!({ "message": "still" }));
    let (_, seen) = wire.json(Method::Get, &format!("{CORE}?fieldSelector=involvedObject.name%3Dweb"), "");
    assert_eq!((&seen["items"][0]["message"], &seen["items"][0]["count"]), (&json!("still"), &json!(2)));
    assert_eq!(seen["items"][0].get("note"), None);
    let (_, seen) = wire.json(Method::Get, &format!("{NEW}?fieldSelector=regarding.name%3Dmail"), "");
    assert_eq!((&seen["kind"], &seen["items"]), (&json!("EventList"), &json!([])));
    let events = wire.events(&format!("{NEW}?watch=1&timeoutSeconds=1&resourceVersion={start}"));
    assert_eq!(events.iter().map(told).collect::<Vec<_>>(), ["ADDED a", "MODIFIED a", "MODIFIED a"]);
    assert_eq!(events[2]["object"]["note"], "still");
    wire.json(Method::Delete, &format!("{NEW}/a"), "");
    assert_eq!(wire.json(Method::Get, &format!("{CORE}/a"), "").0, 404);
}

#[test]
fn an_old_autoscaler_keeps_in_annotations_what_it_has_no_field_for() {
    let wire = Wire::new();
    let (old, new) = (format!("/apis/autoscaling/v1{AUTOSCALERS}"), format!("/apis/autoscaling/v2{AUTOSCALERS}"));
    let metric = |name: &str, field: &str, value: serde_json::Value| {
        let kind = if field == "averageUtilization" { "Utilization" } else { "AverageValue" };
        json!({ "type": "Resource", "resource": { "name": name, "target": { "type": kind, field: value } } })
    };
    let metrics =
        json!([metric("memory", "averageValue", json!("1Gi")), metric("cpu", "averageUtilization", json!(60))]);
    let target = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "name": "web" });
    let spec = json!({ "maxReplicas": 3, "scaleTargetRef": target, "metrics": metrics });
    let made = json!({ "metadata": { "name": "web" }, "spec": spec });
    assert_eq!(wire.json(Method::Post, &new, &made.to_string()).0, 201);
    let (_, seen) = wire.json(Method::Get, &format!("{old}/web"), "");
    assert_eq!(seen["spec"]["targetCPUUtilizationPercentage"], 60);
    let kept = &seen["metadata"]["annotations"]["autoscaling.alpha.kubernetes.io/metrics"];
    assert_eq!(*kept, r#"[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]"#);
    let patch = json!({ "spec": { "targetCPUUtilizationPercentage": 40 } });
    assert_eq!(wire.patch("merge-patch", &format!("{old}/web"), &patch).0, 200);
    let (_, seen) = wire.json(Method::Get, &format!("{new}/web"), "");
    let after = json!([metric("memory", "averageValue", json!("1Gi")), metric("cpu", "averageUtilization", json!(40))]);
    assert_eq!(seen["spec"]["metrics"], after);
    assert_eq!(seen["metadata"].get("annotations"), None);
    let plain = json!({ "metadata": { "name": "plain" }, "spec": { "maxReplicas": 3, "scaleTargetRef": target } });
    let (_, made) = wire.json(Method::Post, &old, &plain.to_string());
    assert_eq!(made["spec"]["targetCPUUtilizationPercentage"], 80);
}
