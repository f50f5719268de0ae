//! The lives of nodes: heartbeats, nodes that are lost and come back, and what that means for their pods.

use std::time::Duration;

use masthead::runtime::Instant;
use serde_json::{Value, json};

use super::{
    actor::Turn,
    behaviour::{Behaviour, NodeBehaviour},
    component::Component,
    engine::Work,
    facts::condition,
    recorder::Happening,
    resource::Resource,
    scheduler::toleration,
    template,
};
use crate::{object::Key, timestamp, write::Half};

const BY: Component = Component::NodeLifecycle;
/// How long nothing is heard of a node before it counts as lost.
const GRACE: Duration = Duration::from_secs(50);
/// How often a node tells its whole status, though nothing changed.
const REPORT: Duration = Duration::from_secs(300);
const LOST: &str = "node.kubernetes.io/unreachable";

impl Turn<'_> {
    pub(super) fn sync_node(&mut self, key: &Key) {
        let Some(node) = self.get(Resource::Node, key) else {
            self.state.down.remove(&*key.name);
            return self.state.agenda.unset(&Work::Node(key.clone()));
        };
        let told = node["metadata"]["annotations"][Behaviour::ANNOTATION].as_str();
        let behaviour = NodeBehaviour::parse(told.unwrap_or_default());
        let (is_down, flips) = behaviour.at(self.wall());
        let since = self.state.down.get(&*key.name).copied();
        let ready = condition(&node, "Ready").map(|ready| ready["status"] == "True");
        let mut next: Vec<Instant> = flips.map(|after| self.now() + after).into_iter().collect();
        match (is_down, since) {
            (true, None) => {
                self.state.down.insert(key.name.to_string(), self.now());
                next.push(self.now() + GRACE);
            }
            (true, Some(since)) if since + GRACE > self.now() => next.push(since + GRACE),
            (true, Some(_)) if ready != Some(false) => self.lose(&node),
            (true, Some(_)) => {}
            (false, _) => {
                self.state.down.remove(&*key.name);
                if since.is_some() || ready != Some(true) {
                    self.regain(&node);
                }
                self.press(&node, behaviour == NodeBehaviour::Pressed);
                if let Some(period) = self.state.workloads.heartbeat {
                    self.beat(&node);
                    next.push(self.now() + period);
                }
            }
        }
        match next.into_iter().min() {
            Some(at) => self.state.agenda.set(at, Work::Node(key.clone())),
            None => self.state.agenda.unset(&Work::Node(key.clone())),
        }
    }

    /// Renews a node's lease, and its status from time to time.
    fn beat(&mut self, node: &Value) {
        let (name, now) = (template::name(node), timestamp::format_micro(self.wall()));
        let key = Key::new("kube-node-lease", name);
        match self.get(Resource::Lease, &key) {
            Some(mut lease) => {
                lease["spec"]["renewTime"] = now.into();
                self.update(Component::Kubelet, Resource::Lease, Half::Main, lease);
            }
            None => {
                let owner = json!({
                    "apiVersion": "v1", "kind": "Node", "name": name, "uid": node["metadata"]["uid"],
                });
                let lease = json!({
                    "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                    "metadata": { "name": name, "namespace": "kube-node-lease", "ownerReferences": [owner] },
                    "spec": { "holderIdentity": name, "leaseDurationSeconds": 40, "renewTime": now },
                });
                // The namespace of leases may be gone; then there is nowhere to tell.
                self.create(Component::Kubelet, Resource::Lease, lease).ok();
            }
        }
        let last = condition(node, "Ready").and_then(|ready| ready["lastHeartbeatTime"].as_str());
        let pressed = condition(node, "MemoryPressure").is_some_and(|known| known["status"] == "True");
        if !pressed && last.and_then(timestamp::parse).is_none_or(|last| last + REPORT <= self.wall()) {
            self.report(node.clone(), None);
        }
    }

    /// Writes the conditions of a node: with a reason and a message all of them are unknown.
    fn report(&mut self, mut node: Value, unknown: Option<(&str, &str)>) {
        let conditions = [
            ("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
            ("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
            ("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
            ("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
        ];
        let conditions: Vec<Value> = conditions
            .into_iter()
            .map(|(name, status, reason, message)| {
                let known = condition(&node, name).cloned().unwrap_or_default();
                let status = if unknown.is_some() { "Unknown" } else { status };
                let (reason, message) = unknown.unwrap_or((reason, message));
                let since = if known["status"] == status { known["lastTransitionTime"].clone() } else { self.time() };
                let heard = if unknown.is_some() { known["lastHeartbeatTime"].clone() } else { self.time() };
                let since = if since.is_null() { self.time() } else { since };
                json!({
                    "type": name, "status": status, "reason": reason, "message": message,
                    "lastHeartbeatTime": heard, "lastTransitionTime": since,
                })
            })
            .collect();
        let by = if unknown.is_some() { BY } else { Component::Kubelet };
        node["status"]["conditions"] = conditions.into();
        if node["status"]["addresses"].as_array().is_none_or(Vec::is_empty) {
            let name = template::name(&node).to_owned();
            node["status"]["addresses"] = json!([
                { "type": "InternalIP", "address": address(&name) },
                { "type": "Hostname", "address": name },
            ]);
        }
        self.update(by, Resource::Node, Half::Status, node);
    }

    /// Says that a node is lost, and how long its pods may stay.
    fn lose(&mut self, node: &Value) {
        let name = template::name(node);
        let message = format!("Node {name} status is now: NodeNotReady");
        self.record(&Happening::normal(BY, node, "NodeNotReady", message));
        self.report(node.clone(), Some(("NodeStatusUnknown", "Kubelet stopped posting node status.")));
        let Some(mut node) = self.get(Resource::Node, &Key::new("", name)) else { return };
        let now = self.time();
        let mut taints = other_taints(&node);
        taints.push(json!({ "key": LOST, "effect": "NoSchedule", "timeAdded": now }));
        taints.push(json!({ "key": LOST, "effect": "NoExecute", "timeAdded": now }));
        node["spec"]["taints"] = taints.into();
        self.update(BY, Resource::Node, Half::Main, node);
        for key in self.state.rooms.pods_on(name) {
            let Some(pod) = self.get(Resource::Pod, &key) else { continue };
            self.record(&Happening::warning(BY, &pod, "NodeNotReady", "Node is not ready".to_owned()));
            let patience = toleration(&pod["spec"], &json!({ "key": LOST, "effect": "NoExecute" }));
            let patience = patience.map(|toleration| toleration["tolerationSeconds"].as_u64());
            self.mark_unready(pod);
            match patience {
                // Tolerated for ever.
                Some(None) => {}
                limited => {
                    let limit = limited.flatten().unwrap_or_default();
                    let at = self.now() + Duration::from_secs(limit);
                    self.state.agenda.set(at, Work::Evict(key));
                }
            }
        }
    }

    fn mark_unready(&mut self, mut pod: Value) {
        let now = self.time();
        for condition in pod["status"]["conditions"].as_array_mut().into_iter().flatten() {
            if condition["type"] == "Ready" && condition["status"] == "True" {
                condition["status"] = "False".into();
                condition["lastTransitionTime"] = now.clone();
            }
        }
        self.update(BY, Resource::Pod, Half::Status, pod);
    }

    /// Takes a node back, and goes on with its pods where they are.
    fn regain(&mut self, node: &Value) {
        let name = template::name(node);
        self.report(node.clone(), None);
        let message = format!("Node {name} status is now: NodeReady");
        let happening = Happening::normal(Component::Kubelet, node, "NodeReady", message);
        self.record(&Happening { host: name, ..happening });
        if let Some(mut node) = self.get(Resource::Node, &Key::new("", name)) {
            let taints = other_taints(&node);
            if let Some(spec) = node["spec"].as_object_mut() {
                spec.remove("taints");
            }
            if !taints.is_empty() {
                node["spec"]["taints"] = taints.into();
            }
            self.update(BY, Resource::Node, Half::Main, node);
        }
        for key in self.state.rooms.pods_on(name) {
            if self.state.agenda.has_deadline(&Work::Evict(key.clone())) {
                self.state.agenda.unset(&Work::Evict(key.clone()));
                if let Some(pod) = self.get(Resource::Pod, &key) {
                    let message = format!("Cancelling deletion of Pod {}/{}", key.namespace, key.name);
                    self.record(&Happening::normal(Component::TaintEviction, &pod, "TaintManagerEviction", message));
                }
            }
            self.state.agenda.push(Work::Run(key));
        }
    }

    /// Takes the pods out whose node is gone for good.
    pub(super) fn collect_orphans(&mut self, node: &str) {
        for key in self.state.rooms.pods_on(node) {
            self.delete(Component::PodCollection, Resource::Pod, &key, Some(0));
        }
        self.state.images.retain(|(holder, _)| holder != node);
        self.state.addresses.remove(node);
    }

    /// Deletes a pod that has been on a lost node for as long as it may.
    pub(super) fn evict_pod(&mut self, key: &Key) {
        let Some(pod) = self.get(Resource::Pod, key).filter(|pod| !template::is_ending(pod)) else { return };
        let message = format!("Marking for deletion Pod {}/{}", key.namespace, key.name);
        self.record(&Happening::normal(Component::TaintEviction, &pod, "TaintManagerEviction", message));
        self.delete(Component::TaintEviction, Resource::Pod, key, None);
    }
}

/// The address of a node that came without one.
fn address(name: &str) -> String {
    let number = name.bytes().fold(0u16, |number, byte| number.wrapping_mul(31).wrapping_add(byte.into()));
    format!("172.18.{}.{}", number / 254 % 256, number % 254 + 1)
}

/// A node's taints without those that say it is lost.
fn other_taints(node: &Value) -> Vec<Value> {
    let taints = node["spec"]["taints"].as_array().into_iter().flatten();
    let ours = [LOST, "node.kubernetes.io/not-ready"];
    taints.filter(|taint| !ours.iter().any(|key| taint["key"] == *key)).cloned().collect()
}
