//! Nodes that run out of memory: they say so, take no more pods, and evict the one that uses most.

use serde_json::{Value, json};

use super::{
    actor::Turn,
    component::Component,
    facts::{condition, milli},
    kubelet::BY,
    recorder::Happening,
    resource::Resource,
    template,
};
use crate::{object::Key, write::Half};

const TAINT: &str = "node.kubernetes.io/memory-pressure";

impl Turn<'_> {
    /// Puts a node under pressure, or relieves it.
    pub(super) fn press(&mut self, node: &Value, pressed: bool) {
        let known = condition(node, "MemoryPressure").is_some_and(|known| known["status"] == "True");
        if known == pressed {
            return;
        }
        let name = template::name(node);
        let (status, reason, message, event) = if pressed {
            let message = "kubelet has insufficient memory available";
            ("True", "KubeletHasInsufficientMemory", message, "NodeHasInsufficientMemory")
        } else {
            let message = "kubelet has sufficient memory available";
            ("False", "KubeletHasSufficientMemory", message, "NodeHasSufficientMemory")
        };
        if pressed {
            let message = "Attempting to reclaim memory".to_owned();
            let threshold = Happening::warning(BY, node, "EvictionThresholdMet", message);
            self.record(&Happening { host: name, ..threshold });
        }
        let told = Happening::normal(BY, node, event, format!("Node {name} status is now: {event}"));
        self.record(&Happening { host: name, ..told });
        let mut next = node.clone();
        let new = json!({
            "type": "MemoryPressure", "status": status, "reason": reason, "message": message,
            "lastHeartbeatTime": self.time(), "lastTransitionTime": self.time(),
        });
        let conditions = next["status"]["conditions"].as_array().into_iter().flatten();
        let others = conditions.filter(|condition| condition["type"] != "MemoryPressure").cloned();
        let conditions: Vec<Value> = [new].into_iter().chain(others).collect();
        next["status"]["conditions"] = conditions.into();
        self.update(BY, Resource::Node, Half::Status, next);
        self.taint(name, pressed);
        if pressed {
            self.evict_largest(name);
        }
    }

    fn taint(&mut self, name: &str, pressed: bool) {
        let Some(mut node) = self.get(Resource::Node, &Key::new("", name)) else { return };
        let taints = node["spec"]["taints"].as_array().into_iter().flatten();
        let mut taints: Vec<Value> = taints.filter(|taint| taint["key"] != TAINT).cloned().collect();
        if pressed {
            taints.push(json!({ "key": TAINT, "effect": "NoSchedule", "timeAdded": self.time() }));
        }
        node["spec"]["taints"] = taints.into();
        self.update(Component::NodeLifecycle, Resource::Node, Half::Main, node);
    }

    /// Ends the pod that asks for most, as one that uses more than it asked for.
    fn evict_largest(&mut self, name: &str) {
        let pods = self.state.rooms.pods_on(name);
        let active = pods.into_iter().filter_map(|key| Some((self.state.pods.get(&key)?.requests.memory, key)));
        let Some((_, key)) = active.max() else { return };
        let Some(mut pod) = self.get(Resource::Pod, &key) else { return };
        let container = &pod["spec"]["containers"][0];
        let asked = container["resources"]["requests"]["memory"].clone();
        let used = milli(&asked).unwrap_or_default() / 1000 / 1024 * 3 / 2 + 65_536;
        let message = format!(
            "The node was low on resource: memory. Threshold quantity: 100Mi, available: 61340Ki. Container {} was using \
             {used}Ki, request is {}, has larger consumption of memory. ",
            container["name"].as_str().unwrap_or_default(),
            asked.as_str().unwrap_or("0"),
        );
        let evicted = Happening::warning(BY, &pod, "Evicted", message.clone());
        self.record(&Happening { host: name, ..evicted });
        let target = json!({
            "type": "DisruptionTarget", "status": "True", "reason": "TerminationByKubelet", "message": message,
            "lastProbeTime": null, "lastTransitionTime": self.time(),
        });
        let status = &mut pod["status"];
        status["phase"] = "Failed".into();
        status["reason"] = "Evicted".into();
        status["message"] = message.into();
        for condition in status["conditions"].as_array_mut().into_iter().flatten() {
            if condition["type"] == "Ready" || condition["type"] == "ContainersReady" {
                condition["status"] = "False".into();
                condition["reason"] = "PodFailed".into();
            }
        }
        if let Some(conditions) = status["conditions"].as_array_mut() {
            conditions.push(target);
        }
        for container in status["containerStatuses"].as_array_mut().into_iter().flatten() {
            let started = container["state"]["running"]["startedAt"].clone();
            container["state"] = json!({ "terminated": {
                "exitCode": 137, "reason": "Error", "startedAt": started, "finishedAt": self.time(),
                "containerID": container["containerID"],
            } });
            container["ready"] = false.into();
            container["started"] = false.into();
        }
        self.update(BY, Resource::Pod, Half::Status, pod);
    }
}
