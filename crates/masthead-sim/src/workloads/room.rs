//! How much room the nodes have, and for whom.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::facts::{Facts, Requests};
use crate::object::Key;

/// Every node by its name, also one that only its pods know of.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    nodes: BTreeMap<String, Room>,
}

/// One node as the scheduler sees it.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// `None` while there is no such node.
    node: Option<Node>,
    /// The sum of what `pods` ask for.
    used: Requests,
    /// The pods on it that are not over.
    pods: BTreeSet<Key>,
}

/// What matters of the object.
#[derive(Debug, PartialEq)]
pub(super) struct Node {
    pub(super) allocatable: Requests,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) taints: Vec<Value>,
    pub(super) unschedulable: bool,
    pub(super) address: String,
    pub(super) pod_range: String,
}

impl Rooms {
    /// Learns what became of a node. Gives back whether pods may fit now that did not before.
    pub(super) fn set_node(&mut self, name: &str, node: Option<&Value>) -> bool {
        let room = self.nodes.entry(name.to_owned()).or_default();
        let node = node.map(Node::of);
        let differs = room.node != node;
        room.node = node;
        let gone = room.node.is_none() && room.pods.is_empty();
        if gone {
            self.nodes.remove(name);
        }
        differs && !gone
    }

    /// Learns what became of a pod.
    pub(super) fn move_pod(&mut self, key: &Key, before: Option<&Facts>, after: Option<&Facts>) {
        for facts in before.into_iter().filter(|facts| takes_room(facts)) {
            let room = self.nodes.entry(facts.node.to_string()).or_default();
            if room.pods.remove(key) {
                room.used = room.used.minus(facts.requests);
            }
        }
        for facts in after.into_iter().filter(|facts| takes_room(facts)) {
            let room = self.nodes.entry(facts.node.to_string()).or_default();
            if room.pods.insert(key.clone()) {
                room.used = room.used.plus(facts.requests);
            }
        }
    }

    /// The nodes that exist, in the order of their names.
    pub(super) fn existing(&self) -> impl Iterator<Item = (&str, &Node, &Room)> {
        self.nodes.iter().filter_map(|(name, room)| Some((&**name, room.node.as_ref()?, room)))
    }

    pub(super) fn node(&self, name: &str) -> Option<&Node> {
        self.nodes.get(name)?.node.as_ref()
    }

    /// The pods on a node that are not over.
    pub(super) fn pods_on(&self, name: &str) -> Vec<Key> {
        self.nodes.get(name).map(|room| room.pods.iter().cloned().collect()).unwrap_or_default()
    }
}

impl Room {
    /// What is still free of a node.
    pub(super) fn free(&self, node: &Node) -> Requests {
        node.allocatable.minus(self.used)
    }
}

impl Node {
    fn of(node: &Value) -> Node {
        let labels = node["metadata"]["labels"].as_object().into_iter().flatten();
        let addresses = node["status"]["addresses"].as_array().into_iter().flatten();
        let mut internal = addresses.filter(|address| address["type"] == "InternalIP");
        Node {
            allocatable: Requests::allocatable(node),
            labels: labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect(),
            taints: node["spec"]["taints"].as_array().cloned().unwrap_or_default(),
            unschedulable: node["spec"]["unschedulable"] == true,
            address: internal.find_map(|address| address["address"].as_str()).unwrap_or_default().to_owned(),
            pod_range: node["spec"]["podCIDR"].as_str().unwrap_or_default().to_owned(),
        }
    }
}

fn takes_room(facts: &Facts) -> bool {
    !facts.node.is_empty() && !facts.is_over()
}
