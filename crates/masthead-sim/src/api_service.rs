//! APIServices: one for each group and version that is served, kept by the server itself.

use std::{collections::BTreeSet, rc::Rc, time::Duration};

use serde_json::{Value, json};

use crate::{object::Key, write::Write};

/// The built-in groups with their priorities and those of their versions; apiregistration itself has no service.
const BUILT_IN: [(&str, &str, u32, u32); 21] = [
    ("", "v1", 18000, 1),
    ("admissionregistration.k8s.io", "v1", 16700, 15),
    ("apiextensions.k8s.io", "v1", 16700, 15),
    ("apps", "v1", 17800, 15),
    ("authentication.k8s.io", "v1", 17700, 15),
    ("authorization.k8s.io", "v1", 17600, 15),
    ("autoscaling", "v1", 17500, 15),
    ("autoscaling", "v2", 17500, 30),
    ("batch", "v1", 17400, 15),
    ("certificates.k8s.io", "v1", 17300, 15),
    ("coordination.k8s.io", "v1", 16500, 15),
    ("discovery.k8s.io", "v1", 16200, 15),
    ("events.k8s.io", "v1", 17750, 15),
    ("flowcontrol.apiserver.k8s.io", "v1", 16100, 21),
    ("networking.k8s.io", "v1", 17200, 15),
    ("node.k8s.io", "v1", 16300, 15),
    ("policy", "v1", 17100, 15),
    ("rbac.authorization.k8s.io", "v1", 17000, 15),
    ("resource.k8s.io", "v1", 16200, 21),
    ("scheduling.k8s.io", "v1", 16600, 15),
    ("storage.k8s.io", "v1", 16800, 15),
];

/// What says that the server made a service and will see to its end.
const AUTOMANAGED: &str = "kube-aggregator.kubernetes.io/automanaged";

/// The services of the built-in groups, that every server begins with.
pub(crate) fn built_in(now: &Value) -> Vec<Value> {
    let all = BUILT_IN.iter();
    all.map(|(group, version, priority, of_version)| service(group, version, (*priority, *of_version), "onstart", now))
        .collect()
}

/// Makes and removes the services of groups that are defined at run time.
pub(crate) fn follow(write: &mut Write<'_>) {
    let Some(kind) = write.kinds.find("apiregistration.k8s.io", "v1", "apiservices").cloned() else { return };
    let custom = write.kinds.all().filter(|kind| kind.is_custom());
    let served: BTreeSet<(String, String)> = custom.map(|kind| (kind.group.clone(), kind.version.clone())).collect();
    let names: BTreeSet<String> = served.iter().map(|(group, version)| format!("{version}.{group}")).collect();
    let known = write.store.all(&kind).into_iter().flat_map(|all| all.values());
    let managed = known.filter(|found| found.labels.get(AUTOMANAGED).is_some_and(|how| how == "true"));
    let gone: Vec<_> = managed.filter(|found| !names.contains(&*found.key.name)).map(Rc::clone).collect();
    for found in gone {
        write.store.remove(&kind, &found.key);
    }
    let now = write.time(Duration::ZERO);
    for (group, version) in served {
        if write.store.get(&kind, &Key::new("", &format!("{version}.{group}"))).is_none() {
            let made = write.seed(&kind, service(&group, &version, (1000, 100), "true", &now));
            debug_assert!(made.is_ok(), "a service is an object of its kind");
        }
    }
}

fn service(group: &str, version: &str, priorities: (u32, u32), managed: &str, now: &Value) -> Value {
    let mut spec = json!({ "version": version, "groupPriorityMinimum": priorities.0, "versionPriority": priorities.1 });
    if !group.is_empty() {
        spec["group"] = group.into();
    }
    json!({
        "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
        "metadata": { "name": format!("{version}.{group}"), "labels": { AUTOMANAGED: managed } },
        "spec": spec,
        "status": { "conditions": [{
            "type": "Available", "status": "True", "lastTransitionTime": now,
            "reason": "Local", "message": "Local APIServices are always available",
        }] },
    })
}
