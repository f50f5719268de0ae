//! A pod of a load and its first status.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

/// A pod to be created.
#[derive(Debug)]
pub(crate) struct Pod {
    pub(crate) collection: String,
    pub(crate) name: String,
    /// When its first container starts, as Kubernetes writes time.
    pub(crate) began: Value,
    pub(crate) object: Value,
}

impl Pod {
    /// The path of its status, written in kwok's name.
    pub(crate) fn status_path(&self) -> String {
        format!("{}/{}/status?fieldManager=kwok", self.collection, self.name)
    }

    /// The change that makes it a running pod; what kwok's stage `pod-starts` does. Addresses and ids follow from the
    /// name.
    pub(crate) fn running(&self) -> Value {
        let Self { collection, name, began, object } = self;
        let [_, _, _, _, _, a, b, c] = digest(&format!("{collection}/{name}")).to_be_bytes();
        let address = format!("10.{a}.{b}.{c}");
        let condition = |kind: &str| json!({ "type": kind, "status": "True", "lastTransitionTime": began });
        let containers = object["spec"]["containers"].as_array().into_iter().flatten();
        let statuses: Vec<Value> = containers
            .map(|it| {
                json!({
                    "name": it["name"],
                    "image": it["image"],
                    "imageID": format!("sha256:{}", long_digest(&it["image"].to_string())),
                    "containerID": format!("containerd://{}", long_digest(&format!("{collection}/{name}/{}", it["name"]))),
                    "ready": true,
                    "started": true,
                    "restartCount": 0,
                    "state": { "running": { "startedAt": began } },
                })
            })
            .collect();
        let conditions = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"];
        json!({ "status": {
            "phase": "Running",
            "startTime": began,
            "hostIP": "127.0.0.1",
            "hostIPs": [{ "ip": "127.0.0.1" }],
            "podIP": address,
            "podIPs": [{ "ip": address }],
            "conditions": conditions.map(condition),
            "containerStatuses": statuses,
        }})
    }
}

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// As long as a SHA-256, which is what stands in its place.
fn long_digest(text: &str) -> String {
    ["a", "b", "c", "d"].map(|part| format!("{:016x}", digest(&format!("{part}{text}")))).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(name: &str) -> Value {
        let object = json!({ "spec": { "containers": [{ "name": "main", "image": "example.com/main:1" }] } });
        let (collection, name) = ("/api/v1/namespaces/n/pods".to_owned(), name.to_owned());
        Pod { collection, name, began: json!("2026-01-02T03:04:05Z"), object }.running()
    }

    #[test]
    fn every_pod_has_addresses_and_ids_of_its_own() {
        let (one, two) = (started("one"), started("two"));
        for pointer in ["/status/podIP", "/status/containerStatuses/0/containerID"] {
            assert!(one.pointer(pointer).is_some_and(Value::is_string));
            assert_ne!(one.pointer(pointer), two.pointer(pointer));
        }
        assert_eq!(one, started("one"));
    }

    #[test]
    fn ids_are_as_long_as_real_ones() {
        let id = started("one")["status"]["containerStatuses"][0]["imageID"].clone();
        assert_eq!(id.as_str().unwrap().len(), "sha256:".len() + 64);
    }
}
